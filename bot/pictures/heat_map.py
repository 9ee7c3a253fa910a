"""Draw heat maps of mixes and payoffs as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Protocol

CELL_WIDTH, CELL_HEIGHT, LEFT, TOP, BOTTOM = 46, 24, 74, 52, 12
_DEEP = (11, 79, 108)
INK, PAPER = (34, 34, 34), (255, 255, 255)


Colour = tuple[int, int, int]


class Scale(Protocol):
    """The labels and colours of a heat map's numbers."""

    def label(self, number: float, /) -> str: ...

    def shade(self, number: float, /) -> Colour: ...

    def ink(self, number: float, /) -> Colour: ...


class Chances:
    """Shares of a mix: white for never, deep blue for always."""

    def label(self, number: float, /) -> str:
        return f"{number:.3f}"[1:] if 0.0005 <= number < 0.9995 else "0" if number < 0.0005 else "1"

    def shade(self, number: float, /) -> Colour:
        return blend_colour(_DEEP, number)

    def ink(self, number: float, /) -> Colour:
        if number < 0.0005:
            return (170, 178, 184)
        return PAPER if number > 0.35 else INK


@dataclass(frozen=True)
class HeatMap:
    """Rows of numbers, for example a row for each prize and a column for each bid; None for an empty cell."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[float | None]]
    scale: Scale = field(default_factory=Chances)

    @property
    def size(self) -> tuple[int, int]:
        width = LEFT + CELL_WIDTH * len(self.columns) + 12
        return max(width, 9 * len(self.title) + 24), TOP + CELL_HEIGHT * len(self.rows) + BOTTOM


def blend_colour(deep: Colour, strength: float) -> Colour:
    """Mix a colour with white; 0 is white, 1 the colour."""
    share = min(1.0, max(0.0, strength)) ** 0.6
    red, green, blue = (round(paper + (ink - paper) * share) for paper, ink in zip(PAPER, deep, strict=True))
    return red, green, blue


def draw_heat_map(chart: HeatMap) -> str:
    """Return the picture as SVG, shown at twice its coordinates."""
    width, height = chart.size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f' width="{2 * width}" height="{2 * height}" role="img"',
        ' font-family="DejaVu Sans Condensed, sans-serif" font-size="12">',
        f"<title>{escape(chart.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="20" font-size="14">{escape(chart.title)}</text>',
        '<g text-anchor="middle">',
    ]
    for at, name in enumerate(chart.columns):
        lines.append(f'<text x="{_x(at) + CELL_WIDTH // 2}" y="{TOP - 8}">{escape(name)}</text>')
    for row, name in enumerate(chart.rows):
        y = TOP + row * CELL_HEIGHT
        lines.append(f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        for column, chance in enumerate(chart.cells[row]):
            if chance is None:
                continue
            fill = f"#{bytes(chart.scale.shade(chance)).hex()}"
            lines.append(
                f'<rect x="{_x(column)}" y="{y}" width="{CELL_WIDTH - 1}" height="{CELL_HEIGHT - 1}" fill="{fill}"/>'
            )
            ink = f"#{bytes(chart.scale.ink(chance)).hex()}"
            text = escape(chart.scale.label(chance))
            lines.append(f'<text x="{_x(column) + CELL_WIDTH // 2}" y="{y + 16}" fill="{ink}">{text}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _x(column: int) -> int:
    return LEFT + column * CELL_WIDTH


DEEPEST = 0.45
"""The deepest colour on which dark letters can still be read."""
_MINE, _THEIRS = (38, 112, 168), (214, 120, 20)


@dataclass(frozen=True)
class PayoffScale:
    """Payoffs: blue is good for the side that asks, orange for the other side."""

    even: float
    """the payoff that is good for neither side"""
    widest: float
    """the greatest distance from it"""
    is_chance: bool
    """whether payoffs are chances to win, written in per cent"""

    def label(self, number: float, /) -> str:
        return f"{100 * number:.0f}" if self.is_chance else f"{number:+.1f}" if abs(number) >= 0.05 else "0"

    def shade(self, number: float, /) -> Colour:
        far = (number - self.even) / (self.widest or 1.0)
        return blend_colour(_MINE if far > 0 else _THEIRS, DEEPEST * abs(far))

    def ink(self, number: float, /) -> Colour:
        return INK


def draw_payoffs(
    rows: Sequence[str], columns: Sequence[str], matrix: Sequence[Sequence[float]], *, is_chance: bool
) -> str:
    """Draw a row for each card of mine and a column for each of theirs."""
    even = 0.5 if is_chance else 0.0
    widest = max(abs(number - even) for row in matrix for number in row)
    return draw_heat_map(
        HeatMap("yours down, theirs across", rows, columns, matrix, PayoffScale(even, widest, is_chance))
    )
