"""Bid, by Brendan Winter (rules.md 4.5): Aces are high, and ties bid again."""

from dataclasses import dataclass
from functools import cached_property

from bot.engine.auction.auction import Auction
from bot.engine.cards import STANDARD, Card
from bot.engine.events import BidsRevealed
from bot.engine.facts import Facts
from bot.engine.guide import Guide
from bot.engine.options import Options
from bot.engine.rules import Game, Rules
from bot.engine.state import Cards, Round, State

ACE = 1  # as the record writes it


@dataclass(frozen=True)
class AceHigh(Auction):
    """The Ace ranks 14 and is worth 15. RULING D2: every reveal is simultaneous anyway."""

    def strength(self, card: Card) -> int:
        return 14 if card == ACE else super().strength(card)

    def shared_keys(self, state: State) -> Cards:
        return ()  # each seat bids its own suit, so no key can stand for both

    def value(self, prize: Card) -> int:
        return 15 if prize == ACE else super().value(prize)

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=0, highest=140, longest=13)


def shows_ace(played: Round) -> bool:
    bids = [event.bids for event in played.events if isinstance(event, BidsRevealed)]
    return ACE in played.prizes or any(bid is not None and ACE in bid.cards for joint in bids for bid in joint)


def build(game: Game, seats: int, options: Options) -> Rules:
    prizes = tuple(rank for rank in STANDARD for _ in range(2))
    return AceHigh(game, seats, options, hand=(*STANDARD[1:], ACE), prizes=prizes, ties="rebid")


GAME = Game(
    key="bid",
    name="Bid",
    title="For two: Aces are high and worth 15, after a tie you bid again",
    seats=(2, 2),
    sections=("4.5",),
    build=build,
    excludes=(
        ("info", "win-only", "win-only-rebid"),
        ("open", "draft", "open-rebid"),
        ("open", "row", "open-rebid"),
    ),
    guide=Guide(
        line="Each player holds one suit, and the other two suits are the prizes. Aces are highest and worth 15.",
        round="Each player holds 2 to A. One of the other 26 cards is turned up as the prize. Both players choose a"
        " card in secret, both cards are revealed, and the higher takes the prize.",
        ties="Both tied cards are gone, and both players bid again for the same prize. If the hands are empty after a"
        " tie, nobody gets the prize.",
        winning="Prizes are worth 2 to 10 as marked, J 11, Q 12, K 13, A 15. When the hands are empty, most points"
        " wins.",
        example="For an A: both bid 9, a tie. Again: A against 5, and 15 points go to the A.",
    ),
    goal="win the prizes that are worth most. The A is the highest card, and as a prize worth 15",
    point=shows_ace,
    tips=(
        "Half the prizes never appear: take what comes, don't wait for Aces.",
        "A tie costs both players a card, so it helps the player with the better cards left.",
    ),
)
