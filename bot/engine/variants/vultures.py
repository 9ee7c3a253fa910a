"""Vultures (rules.md 4.1), published as Hol's der Geier, Raj and Beat the Buzzard."""

from bot.engine.auction.auction import Auction
from bot.engine.guide import Guide
from bot.engine.options import Options
from bot.engine.rules import Game, Rules
from bot.engine.state import Round

PRIZES = (*range(-5, 0), *range(1, 11))


def build(game: Game, seats: int, options: Options) -> Rules:
    """Build the rules.

    RULING V1: up to 8 seats, although boxes say 5. RULING V2: no tournament scoring, no two-seat trim.
    """
    return Auction(game, seats, options, hand=tuple(range(1, 16)), prizes=PRIZES, ties="carry", cancel=True)


def has_vulture(played: Round) -> bool:
    return any(isinstance(prize, int) and prize < 0 for prize in played.prizes)


GAME = Game(
    key="vultures",
    name="Vultures",
    title="Mice go to the highest card, vultures to the lowest",
    seats=(2, 8),
    sections=("4.1",),
    build=build,
    excludes=(
        ("clinch", True, "negative-clinch"),  # RULING C8
        ("open", "draft", "negative-open"),
        ("open", "row", "negative-open"),
    ),
    guide=Guide(
        line="Take mice (+1 to +10) with high cards and avoid vultures (−1 to −5). Equal cards don't count.",
        round="Everybody holds 1 to 15. A prize is turned up, each player chooses one card in secret, and all are"
        " revealed. A mouse goes to the highest card that only one player bid, a vulture to the lowest.",
        ties="Equal cards don't count. If every card is tied, the prize stays in the pot. The next prize joins"
        " the pot: the highest card takes both if their sum is 0 or more, the lowest if it is below 0."
        " Nobody gets what is left after the last round.",
        winning="Add up mice and vultures. Most points wins.",
        example="Mouse +7, cards 15 15 12 12 9: both pairs don't count, the 9 takes it. Vulture −5, cards 1 1 2 2 2:"
        " no card counts, the −5 stays in the pot.",
    ),
    goal="win mice and avoid vultures. A mouse goes to the highest card, a vulture to the lowest",
    point=has_vulture,
    tips=(
        "Your 15 is not safe: everybody has one, and two of them don't count.",
        "The card just below the obvious card is often the only one of its rank.",
        "Keep a middle card for a vulture on which everybody bids high.",
    ),
)
