"""Deals from a record: completed where the game fixes them, refused where they cannot have been dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.engine.cards import Card, faces, suit
from bot.engine.events import Dealt
from bot.engine.refusals import BadDeal
from bot.engine.rules import Rules, check_distinct
from bot.engine.state import Cards, Deal, State, Workbench

if TYPE_CHECKING:
    from bot.engine.auction.auction import Auction


def begin_deal(rules: Rules, deal: Deal, begin_round: Callable[[Workbench], None]) -> State:
    """Return the first state of a deal."""
    nothing: tuple[Cards, ...] = ((),) * rules.seats
    hands = tuple(tuple(sorted(hand, key=rules.strength)) for hand in deal.hands)
    empty = State(
        rules,
        deal,
        deal.stock,
        hands,
        deal.out,
        table=(None,) * rules.seats,
        aside=nothing,
        spent=nothing,
        won=nothing,
        points=(0,) * rules.seats,
    )
    table = Workbench(empty)
    table.emit(Dealt())
    begin_round(table)
    return table.freeze()


def check_auction(rules: Auction, deal: Deal, given: frozenset[str]) -> Deal:
    """Complete and check the deal of an auction with equal hands."""
    hands = deal.hands if "hands" in given else (rules.hand,) * rules.seats
    check_hands(rules, hands, deal.partial)
    for seat, hand in enumerate(hands):
        check_known(hand, Counter(rules.hand), f"the hand of seat {seat}")
        if not deal.partial and sorted(hand, key=rules.strength) != sorted(rules.hand, key=rules.strength):
            raise BadDeal("hand-fixed", seat=seat, want=faces(rules.hand))
    stock = deal.stock
    if "stock" not in given:
        stock = rules.fixed_order()
        if not stock or deal.partial:
            raise BadDeal("stock-missing", game=rules.game.name)
    check_known(stock, Counter(rules.prizes), "the stock")
    if not deal.partial and len(stock) != len(rules.prizes):
        raise BadDeal("stock-size", n=len(stock), want=len(rules.prizes))
    agreed = rules.fixed_order()
    if agreed:
        left = Counter(stock)
        in_order: list[Card] = []
        for card in agreed:
            if left[card] > 0:
                left[card] -= 1
                in_order.append(card)
        if tuple(in_order) != stock:
            raise BadDeal("stock-order", want=faces(tuple(in_order)))
    check_known((*stock, *deal.out), Counter(rules.prizes), "stock and out together")
    return Deal(stock, hands, deal.out, deal.partial)


def check_hands(rules: Rules, hands: tuple[Cards, ...], partial: bool, equal: bool = True) -> None:
    """Refuse hands that are too few, of unequal length, or that hold a card twice."""
    if len(hands) != rules.seats:
        raise BadDeal("hands-count", n=len(hands), seats=rules.seats)
    for seat, hand in enumerate(hands):
        check_distinct(hand, f"the hand of seat {seat}")
    lengths = [len(hand) for hand in hands]
    if equal and len(set(lengths)) > 1:
        raise BadDeal("hands-unequal", lengths=", ".join(map(str, lengths)))


def check_known(cards: Cards, pack: Counter[Card], where: str) -> None:
    """Refuse a card that is not in the pack, or that occurs more often than in the pack."""
    for card, count in Counter(cards).items():
        if not pack[card]:
            raise BadDeal("card-unknown", where=where, card=card)
        if count > pack[card]:
            id = "card-twice" if pack[card] == 1 else "card-often"
            raise BadDeal(id, where=where, card=card, n=count)


def check_pack(pack: Cards, hands: tuple[Cards, ...], rest: Cards, partial: bool, size: int | None = None) -> None:
    """Refuse a deal in which a card is missing or occurs too often; a partial deal may lack cards."""
    everything = (*(card for hand in hands for card in hand), *rest)
    check_known(everything, Counter(pack), "the deal")
    if partial:
        return
    for seat, hand in enumerate(hands):
        if size is not None and len(hand) != size:
            raise BadDeal("hand-size", seat=seat, n=len(hand), want=size)
    missing = set(pack) - set(everything)
    if missing:
        raise BadDeal("pack-mismatch", card=min(missing, key=str))


def check_one_suit(hand: Cards, seat: int) -> None:
    """Refuse a hand that is not one whole suit."""
    if len({suit(card) for card in hand}) != 1:
        raise BadDeal("hand-fixed", seat=seat, want="one whole suit")
