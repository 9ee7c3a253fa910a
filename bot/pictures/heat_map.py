"""Draw heat maps of mixes as SVG, for papers."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

CELL_WIDTH, CELL_HEIGHT, LEFT, TOP, BOTTOM = 46, 30, 84, 66, 12
LETTERS = 20
"""font size: with 13 columns as large as text of other pictures"""
_DEEP = (11, 79, 108)
INK, PAPER = (34, 34, 34), (255, 255, 255)


Colour = tuple[int, int, int]


def label(chance: float) -> str:
    """Return a share of a mix as text, for example .304."""
    return f"{chance:.3f}"[1:] if 0.0005 <= chance < 0.9995 else "0" if chance < 0.0005 else "1"


def ink_on(chance: float) -> Colour:
    """Return the colour of the text; *never* is pale."""
    if chance < 0.0005:
        return (170, 178, 184)
    return PAPER if chance > 0.35 else INK


@dataclass(frozen=True)
class HeatMap:
    """Rows of numbers, for example a row for each prize and a column for each bid; None for an empty cell."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[float | None]]

    @property
    def size(self) -> tuple[int, int]:
        width = LEFT + CELL_WIDTH * len(self.columns) + 12
        return max(width, 11 * len(self.title) + 24), TOP + CELL_HEIGHT * len(self.rows) + BOTTOM


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
        f' font-family="DejaVu Sans Condensed, sans-serif" font-size="{LETTERS}">',
        f"<title>{escape(chart.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="26">{escape(chart.title)}</text>',
        '<g text-anchor="middle">',
    ]
    for at, name in enumerate(chart.columns):
        lines.append(f'<text x="{_x(at) + CELL_WIDTH // 2}" y="{TOP - 8}">{escape(name)}</text>')
    for row, name in enumerate(chart.rows):
        y = TOP + row * CELL_HEIGHT
        lines.append(f'<text x="{LEFT - 8}" y="{y + 21}" text-anchor="end">{escape(name)}</text>')
        for column, chance in enumerate(chart.cells[row]):
            if chance is None:
                continue
            fill = f"#{bytes(blend_colour(_DEEP, chance)).hex()}"
            lines.append(
                f'<rect x="{_x(column)}" y="{y}" width="{CELL_WIDTH - 1}" height="{CELL_HEIGHT - 1}" fill="{fill}"/>'
            )
            ink = f"#{bytes(ink_on(chance)).hex()}"
            text = escape(label(chance))
            lines.append(f'<text x="{_x(column) + CELL_WIDTH // 2}" y="{y + 21}" fill="{ink}">{text}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _x(column: int) -> int:
    return LEFT + column * CELL_WIDTH
