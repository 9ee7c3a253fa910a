"""The payoffs of a position as a picture: blue is good for whoever asks, orange for the other side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.cards import face
from bot.solver.coach import heat_map
from bot.solver.coach.heat_map import INK, Colour, HeatMap, blend_colour

DEEPEST = 0.45
"""so much of a colour that dark letters still stand out on it"""
_MINE, _THEIRS = (38, 112, 168), (214, 120, 20)


@dataclass(frozen=True)
class PayoffScale:
    """The numbers of a matrix of payoffs: `even` is good for nobody, `widest` as far from it as any."""

    even: float
    widest: float
    share: bool
    """whether they are chances to win, told in per cent"""

    def label(self, number: float, /) -> str:
        return f"{100 * number:.0f}" if self.share else f"{number:+.1f}" if abs(number) >= 0.05 else "0"

    def shade(self, number: float, /) -> Colour:
        far = (number - self.even) / (self.widest or 1.0)
        return blend_colour(_MINE if far > 0 else _THEIRS, DEEPEST * abs(far))

    def ink(self, number: float, /) -> Colour:
        return INK


def draw_payoffs(mine: Sequence[int], theirs: Sequence[int], matrix: Sequence[Sequence[float]], what: str) -> bytes:
    """A row for each card of mine, a column for each of theirs; "points", or chances to "win"."""
    even = 0.5 if what == "win" else 0.0
    widest = max(abs(number - even) for row in matrix for number in row)
    court = max((*mine, *theirs)) <= 13
    rows, columns = ([face(card, court) for card in cards] for cards in (mine, theirs))
    return heat_map.draw_png(
        HeatMap("yours down, theirs across", rows, columns, matrix, PayoffScale(even, widest, what == "win"))
    )
