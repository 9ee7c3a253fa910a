"""The picture of a result as SVG: the score, the table of cards, and a thin line of the lead.

The alt text of a picture must contain the same information.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.pictures.card_shapes import draw_seal
from bot.pictures.lettering import FAMILY, draw_text
from bot.pictures.palette import GOLD, GROUND, PLAIN, SEAT_COLOURS, SOFT

WIDTH, HEIGHT, EDGE = 1200, 630, 44
SHARED = -1
"""in place of a seat: several seats shared a prize"""
FOOT = HEIGHT - 30
"""the baseline of the lowest line"""


@dataclass(frozen=True, slots=True)
class PictureCard:
    """A card as a picture shows it."""

    rank: str
    suit: str = ""
    """S, H, D or C; empty without a suit"""
    kind: str = "card"
    """card, mouse, vulture, joker, or pair for a card with the Joker"""
    size: float = 1.0
    """the worth of a prize, as a share of the largest one"""


@dataclass(frozen=True, slots=True)
class PictureRound:
    """The cards of a round."""

    prizes: tuple[PictureCard, ...]
    takers: tuple[int | None, ...]
    """for each prize the seat that got it, in this round or later"""
    bids: tuple[tuple[PictureCard, ...], ...]
    """for each seat its last bid of the round"""
    winners: frozenset[int]

    @property
    def most(self) -> int:
        """Return the most cards that lie side by side."""
        return max(1, self.wide_prizes, *map(len, self.bids))

    @property
    def wide_prizes(self) -> int:
        """Return the number of prizes that need room; a Joker is drawn on the card of its pair."""
        return sum(card.kind != "joker" for card in self.prizes)


@dataclass(frozen=True, slots=True)
class PictureSeat:
    """A player with the score that decided the match."""

    seat: int
    name: str
    score: str
    is_first: bool
    """True for each player who won or shares the win"""

    @property
    def colour(self) -> str:
        return SEAT_COLOURS[self.seat % len(SEAT_COLOURS)]


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All that a picture of a result shows."""

    seats: tuple[PictureSeat, ...]
    """best first"""
    rounds: tuple[PictureRound, ...]
    scores: tuple[tuple[float, ...], ...]
    """by seat: before the first round, and after each one"""
    foot: str
    """the game and the day"""
    caption: str = ""
    """how the match ended, unless it was played to its end"""
    turn: int | None = None
    """the index of the round that moved the score most"""
    breaks: tuple[int, ...] = ()
    """rounds before which another deal begins"""
    deals: tuple[str, ...] = ()
    """the scores of each deal of a series, in the order of `seats`"""
    least_wins: bool = False
    restarts: bool = False
    """True if the scores begin again with each deal"""


def frame(parts: Sequence[str]) -> str:
    """Return the parts as a whole picture."""
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" rx="28" fill="{GROUND}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FAMILY}">'
    return f"{head}{ground}{''.join(parts)}</svg>"


def draw_foot(text: str) -> str:
    """Draw the lowest line: the game and the day, and the mark of the game."""
    return draw_text(text, EDGE, FOOT, 36, SOFT) + draw_mark(WIDTH - EDGE, FOOT)


def draw_mark(right: float, down: float) -> str:
    """Draw the mark of the game: a sealed card and the name."""
    return draw_seal(right - 116, down - 14, 48) + draw_text("GOPS", right, down, 40, PLAIN, "end")


def draw_crown(across: float, down: float, width: float) -> str:
    """Draw a crown that stands on a line."""
    scale = width / 100
    place = f"translate({across:.1f} {down - 78 * scale:.1f}) scale({scale:.3f})"
    return f'<path transform="{place}" d="M8 78L0 20L28 44L50 4L72 44L100 20L92 78Z" fill="{GOLD}"/>'


def draw_seat_mark(seat: int, across: float, down: float, size: float = 13) -> str:
    """Draw the mark of a seat around a point; marks differ in shape, so that colour is not the only difference."""
    shapes = (
        '<circle r="10"',
        '<rect x="-9" y="-9" width="18" height="18"',
        '<path d="M0-10L11 9H-11Z"',
        '<path d="M0-12L12 0L0 12L-12 0Z"',
    )
    place = f"translate({across:.1f} {down:.1f}) scale({size / 10:.2f})"
    return f'{shapes[seat % 4]} transform="{place}" fill="{SEAT_COLOURS[seat % len(SEAT_COLOURS)]}"/>'


def shorten_halves(score: str) -> str:
    """Write a half as one letter: 45½."""
    return score.replace(" 1/2", "½").replace("1/2", "½")


def draw_break(across: float, top: float, bottom: float) -> str:
    """Draw the line between two deals."""
    dots = 'stroke-width="3" stroke-dasharray="2 8" stroke-linecap="round"'
    return f'<path d="M{across:.1f} {top:.1f}V{bottom:.1f}" stroke="{SOFT}" {dots}/>'
