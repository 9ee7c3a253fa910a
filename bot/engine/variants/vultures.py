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
    title="Mice go to the highest card, vultures to the lowest; equal cards cancel",
    seats=(2, 8),
    sections=("4.1",),
    build=build,
    excludes=(
        ("clinch", True, "negative-clinch"),  # RULING C8
        ("open", "draft", "negative-open"),
        ("open", "row", "negative-open"),
    ),
    guide=Guide(
        line="Take mice (+1 to +10) with high cards and dodge vultures (−1 to −5); equal cards cancel.",
        round="Everybody holds 1 to 15. A prize is turned, each seat seals one card, and all are revealed. A mouse"
        " goes to the highest card that stands alone, a vulture to the lowest that stands alone.",
        ties="Equal cards cancel each other. If no card is left, the prize stays and the next one joins it: the"
        " sum decides whether high or low takes all of it. A sum of 0 counts as a mouse. What is left after"
        " the last round is lost.",
        winning="Add up mice and vultures. Most points wins.",
        example="Mouse +7, cards 15 15 12 12 9: both pairs cancel, the 9 takes it. Vulture −5, cards 1 1 2 2 2:"
        " all cancel, the −5 stays for the next round.",
    ),
    point=has_vulture,
    tips=(
        "Your 15 is no safer than theirs: everybody has one, and two of them cancel.",
        "Just below the obvious card is often the card that stands alone.",
        "Keep a middling card for a vulture that everybody flees with high ones.",
    ),
)
