"""Gops for three with the Joker, by David Parlett (rules.md 3.1): high and low score, the middle does not."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bot.engine.auction.auction import Auction
from bot.engine.cards import ACE_HIGH, ACE_LOW, JOKER, STANDARD, Card, Points, Seat, read_plain
from bot.engine.choices import Prompt
from bot.engine.facts import Facts
from bot.engine.guide import Guide
from bot.engine.options import Options
from bot.engine.refusals import Illegal
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.state import Cards, Deal, Round, State, Workbench

ACE, JACK, QUEEN, KING = 1, 11, 12, 13


@dataclass(frozen=True)
class Parlett(Auction):
    """Equal bids cancel. Three equal bids are bid again, and the cards return after the round."""

    returned: ClassVar[bool] = True
    additive: ClassVar[bool] = False

    def read_card(self, value: object) -> Card | None:
        return value if isinstance(value, str) and value in (JOKER, ACE_HIGH, ACE_LOW) else read_plain(value)

    def card(self, token: Card) -> Card:
        return ACE if token in (ACE_HIGH, ACE_LOW) else token

    def strength(self, card: Card) -> int:
        """Return the strength of a bid. A declared Ace ties only with an Ace declared the same way (RULING T2)."""
        return 14 if card == ACE_HIGH else 1 if card == ACE_LOW else super().strength(card)

    def options_of(self, state: State, seat: Seat) -> Cards:
        """Return the cards to bid, with two declared Aces: the declaration is part of the sealed bid (RULING T1)."""
        hand = state.hands[seat]
        return (ACE_LOW, *hand[1:], ACE_HIGH) if hand and hand[0] == ACE else hand

    def keys(self, state: State, seat: Seat) -> Cards:
        hand = super().keys(state, seat)
        return (ACE_LOW, *hand[1:], ACE_HIGH) if hand and hand[0] == ACE else hand

    def open_rounds(self, deal: Deal) -> int | None:
        """Return every round: a last card that is an Ace is still declared low or high."""
        return self.rounds(deal)

    def refuse_card(self, state: State, seat: Seat, card: Card, prompt: Prompt) -> None:
        if card == ACE and ACE in state.hands[seat]:
            raise Illegal("ace-bare")
        super().refuse_card(state, seat, card, prompt)

    def dress(self, deal: int = 1) -> str:
        """Return the suits of each deal: the prizes are always the diamonds."""
        return super().dress()

    def value(self, prize: Card) -> int:
        """Return the face value: A to 10 as marked, Q 0; J, K and the Joker have none."""
        return prize if isinstance(prize, int) and prize <= 10 else 0

    def turn_prizes(self, table: Workbench) -> bool:
        """Turn the next prize; the Joker takes the next card with it.

        As the last card it scores nothing (RULING T4).
        """
        if table.stock[:1] == [JOKER]:
            if len(table.stock) == 1:
                return False
            self.reveal(table, 2)
            return True
        return super().turn_prizes(table)

    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        piles = [pile_total(tuple(pile)) for pile in state.won]
        holder = next((seat for seat, pile in enumerate(state.won) if JOKER in pile), None)
        return hi_lo(piles, holder)

    def tallies(self, state: State) -> tuple[str, ...]:
        piles = [pile_total(pile) for pile in state.won]
        holder = next((seat for seat, pile in enumerate(state.won) if JOKER in pile), None)
        won = [f"total {piles[seat]}" if pile else "no cards, total 0" for seat, pile in enumerate(state.won)]
        return tuple(_tally(piles, seat, holder, won[seat]) for seat in range(len(piles))) if any(state.won) else ()

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=0, highest=76, longest=91)


def pile_total(pile: Cards) -> int:
    """Return the face values of a won pile (RULING T6: J and K look at its A to 10 and Q only, the Joker copies)."""
    plain_values = [0 if card == QUEEN else card for card in pile if isinstance(card, int)]
    marked = [value for value in plain_values if value not in (JACK, KING)]
    court = {JACK: min(marked, default=0), KING: max(marked, default=0), QUEEN: 0}
    total = 0
    for place, card in enumerate(pile):
        # The Joker was turned just before its partner, and lies before it in the pile.
        # RULING T5: a pair without a winner is in no pile, so no seat holds the Joker.
        shown = pile[place + 1] if card == JOKER else card
        assert isinstance(shown, int)
        total += court.get(shown, shown)
    return total


def hi_lo(piles: list[int], joker: Seat | None) -> tuple[int, ...]:
    """Score the highest and the lowest seat; the middle one and ties score 0.

    If all three tie, only the Joker's holder scores (RULING T7).
    """
    if len(set(piles)) == 1:
        return tuple(pile if seat == joker else 0 for seat, pile in enumerate(piles))
    ends = (max(piles), min(piles))
    return tuple(pile if pile in ends and piles.count(pile) == 1 else 0 for pile in piles)


def _tally(piles: list[int], seat: Seat, joker: Seat | None, won: str) -> str:
    """Describe the place of a pile, and what it is worth if it does not score."""
    own = piles[seat]
    if len(set(piles)) == 1:
        return "all totals are equal: the Joker scores" if seat == joker else f"{won}, the same for all"
    if piles.count(own) > 1:
        return f"{won}, the same as another player's"
    if own == max(piles):
        return "the highest total"
    return "the lowest total" if own == min(piles) else f"{won} is in the middle"


def has_score(played: Round) -> bool:
    return any(played.scores)


def build(game: Game, seats: int, options: Options) -> Rules:
    return Parlett(game, seats, options, hand=STANDARD, prizes=(JOKER, *STANDARD), ties="rebid", cancel=True)


GAME = Game(
    key="parlett",
    name="Gops for three",
    title="For three with a Joker: only the highest and lowest total get points",
    seats=(3, 3),
    sections=("3.1",),
    series=Series("deals", 3),
    build=build,
    excludes=(
        ("info", "win-only", "win-only-rebid"),
        ("clinch", True, "clinch"),  # RULING C8
        ("open", "draft", "open-rebid"),
        ("open", "row", "open-rebid"),
    ),
    refused_words=(("ace", "ace-spoken"), ("aces", "ace-spoken")),  # RULING T1
    guide=Guide(
        line="Three players bid for diamonds and a Joker. Only the highest and the lowest total get points.",
        round="A prize is turned up, each player chooses a card in secret, and the highest takes it. The Joker and the"
        " next prize card are one prize. If the Joker is the last prize card, nobody gets it. You bid your Ace"
        " as high (above the K) or low (below the 2).",
        ties="Two equal cards don't count: the third player wins with any card. Three equal cards: everybody bids"
        " another card for the same prize, and the tied cards return to the hands after the round.",
        winning="Add up the cards that you won: A is 1, 2 to 10 their number, Q 0. A J is worth as much as the lowest"
        " of the other cards that you won, a K as much as the highest. The Joker is worth as much as the other card of"
        " its pair. You"
        " score your total if it is the highest or the lowest. The middle total scores 0, and equal totals score 0."
        " If all three are equal, only the player with the Joker scores.",
        example="Totals 36, 26 and 15: the first player scores 36, the second 0, the third 15.",
    ),
    goal="get the highest or the lowest total. The middle total scores 0, and equal totals score 0",
    card_values="A 1, 2 to 10 their number, Q 0. A J is worth as much as the lowest card that you won, a K as much as"
    " the highest. The Joker and another card are one prize, and the Joker is worth as much as that card. Your own"
    " Ace has two buttons: A low is below the 2, A high above the K.",
    point=has_score,
    tips=(
        "The middle scores nothing: decide early if you want the most or the least.",
        "Two players with equal cards give the prize to the third: avoid the card that others will bid.",
        "An Ace is two cards in one: keep it until you see what the others want.",
    ),
)
