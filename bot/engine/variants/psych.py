"""Psych, by Brad Chapman (rules.md 4.3): the ranks run in a circle."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar

from bot.engine.auction.auction import Auction
from bot.engine.cards import STANDARD, Seat
from bot.engine.choices import Bid
from bot.engine.events import Bids, BidsRevealed
from bot.engine.facts import Facts
from bot.engine.guide import Guide
from bot.engine.options import Options
from bot.engine.rules import Game, Rules
from bot.engine.state import Cards, Round, State, Workbench

LOW, COURT = frozenset((1, 2, 3)), frozenset((11, 12, 13))


@dataclass(frozen=True)
class Psych(Auction):
    """A, 2, 3 beat J, Q, K; else the higher wins."""

    circular: ClassVar[bool] = True

    def tiers(self, table: Workbench, bids: Bids) -> list[list[Seat]]:
        first, second = (self.strength(bid.cards[0]) for bid in bids if bid is not None)
        if first == second:
            return [[0, 1]]
        higher = 0 if first > second else 1
        winner = 1 - higher if is_low_against_court(bids) else higher
        return [[winner], [1 - winner]]

    def can_win(self, hands: Sequence[Cards], seat: Seat) -> bool:
        pairs = [(mine, theirs) for mine, theirs in product(hands[seat], hands[1 - seat]) if mine != theirs]
        return any(
            (self.strength(mine) > self.strength(theirs)) != is_low_against_court((Bid((mine,)), Bid((theirs,))))
            for mine, theirs in pairs
        )

    def shared_keys(self, state: State) -> Cards:
        return ()  # each seat bids its own suit, so no key can stand for both

    def remark(self, bids: Bids, prizes: Cards) -> str:
        return "A 2 3 beat J Q K." if is_low_against_court(bids) else ""

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=0, highest=133, longest=13)


def is_low_against_court(bids: Bids) -> bool:
    cards = {card for bid in bids if bid is not None for card in bid.cards}
    return bool(cards & LOW and cards & COURT)


def has_low_against_court(played: Round) -> bool:
    return any(is_low_against_court(event.bids) for event in played.events if isinstance(event, BidsRevealed))


def build(game: Game, seats: int, options: Options) -> Rules:
    prizes = tuple(rank for rank in STANDARD for _ in range(2))
    return Psych(game, seats, options, hand=STANDARD, prizes=prizes, ties="rebid")


GAME = Game(
    key="psych",
    name="Psych",
    title="For two: A 2 3 beat J Q K, and after a tie you bid again",
    seats=(2, 2),  # RULING Y1: the comparison is undefined for three
    sections=("4.3",),
    build=build,
    excludes=(
        ("info", "win-only", "win-only-rebid"),
        ("open", "draft", "open-rebid"),
        ("open", "row", "open-rebid"),
        ("bid_cards", 2, "compare-cards"),
        ("bid_cards", 3, "compare-cards"),
    ),
    guide=Guide(
        line="Each player holds one suit, and the other two suits are the prizes. A, 2 and 3 beat J, Q and K.",
        round="Each player holds A to K. One of the other 26 cards is turned up as the prize. Both players choose a"
        " card in secret, and both cards are revealed. A 2 3 beat J Q K; in every other pair the higher card wins.",
        ties="Both tied cards are gone, and both players bid again for the same prize. If the hands are empty after a"
        " tie, nobody gets the prize.",
        winning="A prize is worth its rank, A 1 to K 13. When the hands are empty, most points wins.",
        example="For a 10: both bid 5, a tie. Again: 2 against K, and the 2 wins the 10.",
    ),
    goal="take the most points. A, 2 and 3 beat J, Q and K",
    point=has_low_against_court,
    tips=(
        "A 2 is wasted against a 7 and strong against a K: guess when your opponent bids J, Q or K.",
        "4 to 10 beat A 2 3 and lose to J Q K: there is no best card.",
        "Only 13 of the 26 prizes can come, so do not save everything for a King.",
    ),
)
