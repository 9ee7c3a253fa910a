"""Throps, by David Parlett (rules.md 3.2): private hands, and suits that decide ties."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bot.engine.auction import deals
from bot.engine.auction.auction import Auction
from bot.engine.cards import PACK, SUITS, Card, Points, rank, read_suited, suit
from bot.engine.choices import Bid
from bot.engine.counted import Counted
from bot.engine.events import Bids
from bot.engine.facts import Facts
from bot.engine.guide import Guide
from bot.engine.options import Options
from bot.engine.refusals import BadDeal
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.state import Cards, Deal, Round, State, Workbench

PREFERENCE = {"S": "SCHD", "H": "HDSC", "D": "DHCS", "C": "CSDH"}
"""For a prize of each suit the order of suits among equal ranks: its own, its colour, its class, the rest."""

CALLED = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}

MISSING = Counted(" + {points} for 1 missing suit", " + {points} for {n} missing suits")

NO_CARD = 40


@dataclass(frozen=True)
class Throps(Auction):
    """Rank decides, then the suit that is nearest to the prize's suit."""

    additive: ClassVar[bool] = False

    def read_card(self, value: object) -> Card | None:
        return read_suited(value)

    def strength(self, card: Card) -> int:
        """RULING H1: 2 to K, the Ace highest; a hand is shown by suit within the rank."""
        ace_high = 14 if rank(card) == 1 else rank(card)
        return 4 * ace_high + SUITS.find(suit(card))

    def bid_rank(self, card: Card) -> int:
        return self.strength(card) // 4

    def bid_strength(self, table: Workbench, bid: Bid) -> int:
        preference = PREFERENCE[suit(table.exposed[0])]
        card = bid.cards[0]
        return 4 * self.bid_rank(card) - preference.index(suit(card))

    def suit_order(self, exposed: Cards) -> str:
        return PREFERENCE[suit(exposed[0])] if exposed else ""

    def remark(self, bids: Bids, prizes: Cards) -> str:
        first, second = self.foremost(bids, prizes)
        if self.bid_rank(first) != self.bid_rank(second):
            return ""
        return f"Of the same rank, {self.face(first)} is the highest card for this prize."

    def foremost(self, bids: Bids, prizes: Cards) -> list[Card]:
        """Return the two highest cards for this prize."""
        order = PREFERENCE[suit(prizes[0])]
        cards = [bid.cards[0] for bid in bids if bid is not None]
        return sorted(cards, key=lambda card: (-self.bid_rank(card), order.index(suit(card))))[:2]

    def value(self, prize: Card) -> int:
        """Return 2 to 10 as marked, 10 for courts, 11 for the Ace."""
        return 11 if rank(prize) == 1 else min(rank(prize), 10)

    def pack(self) -> Cards:
        return PACK

    def deal(self, shuffled: Cards) -> Deal:
        hands = tuple(shuffled[13 * seat : 13 * (seat + 1)] for seat in range(3))
        return Deal(shuffled[39:], hands)

    def check(self, deal: Deal, given: frozenset[str], previous: Deal | None) -> Deal:
        for zone in ("hands", "stock"):
            if zone not in given:
                raise BadDeal(f"{zone.removesuffix('s')}-missing", game=self.game.name)
        deals.check_hands(self, deal.hands, deal.partial)
        deals.check_pack(PACK, deal.hands, (*deal.stock, *deal.out), deal.partial, 13)
        if not deal.partial and len(deal.stock) != 13:
            raise BadDeal("stock-size", n=len(deal.stock), want=13)
        return deal

    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        return tuple(pile_score(tuple(pile)) for pile in state.won)

    def goal(self, pile: Cards = ()) -> str:
        """Return the suit to collect, once one suit of the pile is ahead."""
        best = best_suit(pile)
        return f"collect {CALLED[best]}, now your best suit. Other suits cost you points" if best else self.game.goal

    def explain(self, pile: Cards) -> str:
        if not pile:
            return ""
        worth = suit_points(pile)
        best, missing = max(worth, key=lambda of: worth[of]), sum(not points for points in worth.values())
        others = sum(worth.values()) - worth[best]
        voids = MISSING.format(n=missing, points=10 * missing) if missing else ""
        return f"{CALLED[best]} {worth[best]}{f' − {others} for other suits' if others else ''}{voids}"

    def tallies(self, state: State) -> tuple[str, ...]:
        """Name the suit that each seat collects, as it may change in every round."""
        best, verb = list(map(best_suit, state.won)), "collected" if state.over else "collects"
        return tuple(f"{verb} {CALLED[of]}" if of else "" for of in best) if any(best) else ()

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=-62, highest=125, longest=13, public_hands=False)


def pile_score(pile: Cards) -> int:
    """Score a pile: the best suit counts for, the others against, plus 10 per missing suit (RULING H2)."""
    if not pile:
        return NO_CARD
    worth = suit_points(pile)
    voids = sum(not points for points in worth.values())
    return 2 * max(worth.values()) - sum(worth.values()) + 10 * voids


def best_suit(pile: Cards) -> str:
    """Return the suit that is ahead in a pile; empty if none or several are."""
    worth = suit_points(pile)
    best = [of for of in SUITS if worth[of] == max(worth.values())]
    return best[0] if len(best) == 1 else ""


def suit_points(pile: Cards) -> dict[str, int]:
    """Return the points of each suit in a pile."""
    worth = dict.fromkeys(SUITS, 0)
    for card in pile:
        worth[suit(card)] += 11 if rank(card) == 1 else min(rank(card), 10)
    return worth


def is_decided_by_suit(played: Round) -> bool:
    ranks = sorted((rank(bid.cards[0]) - 2) % 13 for bid in played.bids if bid is not None)
    return ranks[-1:] == ranks[-2:-1]  # counted from the lowest, 2, to the Ace


def build(game: Game, seats: int, options: Options) -> Rules:
    return Throps(game, seats, options, hand=(), prizes=PACK)


GAME = Game(
    key="throps",
    name="Throps",
    title="For three: collect one suit of your choice, avoid the others; hands are private",
    seats=(3, 3),
    sections=("3.2",),
    series=Series("target", 100),
    build=build,
    excludes=(("clinch", True, "clinch"),),  # RULING C8
    guide=Guide(
        line="Choose one suit and win its prizes: the other suits cost you points. Nobody else sees your hand.",
        round="Each player gets 13 cards, and the other 13 are the prizes. The top card of the prize pile is turned"
        " up, each player chooses a card in secret, and the highest rank takes it: 2 is lowest, the Ace highest.",
        ties="If ranks are equal, the suit decides. A card of the prize's suit is highest, and a card of the other suit"
        " in the same colour is second. Every round shows the order of all four suits.",
        winning="Cards are worth their number; J, Q and K 10; A 11. Your best suit adds its points. Your other suits"
        " take their points away. Each suit that you have not won yet adds 10, so you begin a deal with 40 points."
        " A match to 100 points takes about 4 deals, and a deal about 5 minutes.",
        example="You won K and 5 of spades and the 2 of hearts: 15 − 2, and 20 for two missing suits: 33.",
    ),
    goal="collect one suit of your choice. Other suits cost you points",
    card_values="2 to 10 their number, J, Q and K 10, A 11. Each suit that you have not won yet adds 10: you begin"
    " with 40. As a bid, A is the highest card.",
    point=is_decided_by_suit,
    tips=(
        "A player who wins nothing scores 40: try that with a poor hand.",
        "One card of a wrong suit costs its value and the 10 for the missing suit.",
        "Use your low cards to make others win prizes that they don't want.",
    ),
)
