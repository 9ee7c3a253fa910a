"""Draw charts of a match as SVG, round by round. Text uses the font of the package.

The alt text of a chart must contain the same information.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias
from xml.sax.saxutils import escape

WIDTH = 800
INK, SOFT, GRID, PANEL, BAND = "#f2f3f5", "#aab0ba", "#3c4149", "#22252b", "#343a46"
COLOURS = ("#f5b83d", "#58b4ff", "#5fd39a", "#ff8f70", "#c6a0ff", "#e6e36a", "#7de0e6", "#ff9ccb")
"""colours of the seats, in their order; they differ in brightness and have different marks, too"""
LEFT, RIGHT, NAMES = 64, 24, 84
"""widths of the axis labels, of the right margin, and of the names beside rows of cards"""
TOP, LEGEND = 88, 32
"""heights of the heading, and of each line of the legend"""
PLOT = 260
"""height of the plot area"""
ROW = 38
"""height of a row of cards below the plot"""
LARGE, BODY = 27.0, 21.0
"""font sizes; a phone shows the picture at less than half of its width"""
LETTER, CARD = 0.62, 0.66
"""average width of a letter, and of a letter on a card (mostly digits), as a share of the font size"""
MOST_TICKS = 6
LETTERS = 16
"""the most letters of a name"""

_FONT_RANGES: tuple[tuple[int, int], ...] = (
    (0x20, 0x7E),
    (0xA0, 0x24F),
    (0x370, 0x3FF),
    (0x400, 0x52F),
    (0x531, 0x589),
    (0x1E00, 0x1EFF),
    (0x10D0, 0x10FA),
    (0x2010, 0x2027),
    (0x2030, 0x203A),
    (0x2044, 0x2044),
    (0x20AC, 0x20AC),
    (0x2190, 0x2193),
    (0x2212, 0x2212),
    (0x2264, 0x2265),
    (0x2660, 0x2667),
)
"""ranges of code points in the font"""


Axis: TypeAlias = Callable[[float], float]
"""maps a round or a score to a coordinate of the picture"""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line with a value before each round and after the last."""

    name: str
    values: tuple[float, ...]
    colour: int
    """the index of the colour and of the mark"""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row below the plot with the cards of each round."""

    name: str
    texts: tuple[str, ...]
    marked: frozenset[int] = frozenset()
    """the rounds that this row won"""
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over rounds, with the texts around them."""

    title: str
    under: str
    lines: tuple[ChartLine, ...]
    rounds: tuple[str, ...]
    """the label of each round below the axis"""
    rows: tuple[ChartRow, ...] = ()
    marked: int | None = None
    """the index of the highlighted round"""
    above: str = ""
    """the label of the area above zero"""
    below: str = ""
    breaks: tuple[int, ...] = ()
    """rounds before which another deal begins"""


def fit_name(text: str, most: int = LETTERS) -> str:
    """Remove characters that the font lacks, and shorten the name; the result may be empty."""
    kept = "".join(c for c in text if any(low <= ord(c) <= high for low, high in _FONT_RANGES)).strip()
    return kept if len(kept) <= most else f"{kept[: most - 1].rstrip()}…"


def list_ticks(low: float, high: float) -> list[float]:
    """List round numbers that cover a range."""
    span = max(high - low, 1.0)
    raw = span / MOST_TICKS
    size = 10.0 ** math.floor(math.log10(raw))
    step = max(1.0, next(size * times for times in (1, 2, 5, 10) if size * times >= raw))
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return [step * place for place in range(first, last + 1)]


def draw_chart(chart: Chart) -> str:
    """Return the chart as SVG."""
    legend = () if chart.rows else tuple(_break_legend(chart.lines))
    top = TOP + LEGEND * max(0, len(legend) - 1) + (LEGEND if legend and chart.under else 0)
    height = top + PLOT + 44 + ROW * len(chart.rows) + 12
    values = [value for line in chart.lines for value in line.values]
    sides = (-1.0 if chart.below else 0.0, 1.0 if chart.above else 0.0)  # keeps room for the labels
    marks = list_ticks(min((*sides, *values)), max((*sides, *values)))
    places = max(1, len(chart.rounds))
    left = LEFT + (NAMES if chart.rows else 0)
    wide = WIDTH - left - RIGHT

    def x(place: float) -> float:
        return left + wide * place / places

    def y(value: float) -> float:
        return top + PLOT - PLOT * (value - marks[0]) / (marks[-1] - marks[0])

    parts = [f'<rect width="{WIDTH}" height="{height}" rx="12" fill="{PANEL}"/>']
    if chart.marked is not None:
        parts.append(
            f'<rect x="{x(chart.marked):.1f}" y="{top}" width="{wide / places:.1f}" height="{PLOT}" fill="{BAND}"/>'
        )
    parts += _draw_axes(chart, marks, left, x, y)
    for line in chart.lines:
        parts += _draw_line(line, x, y)
    parts += _draw_heading(chart)
    for number, lines in enumerate(legend):
        parts += _draw_legend(lines, (64 if chart.under else 32) + LEGEND * (number + 1) - 6)
    every = max(1, math.ceil(1.8 * BODY * places / wide))
    for place, name in enumerate(chart.rounds):
        if place % every == 0 or place == chart.marked:
            middle, strong = x(place + 0.5), place == chart.marked
            parts.append(_draw_text(name, middle, top + PLOT + 28, BODY, INK if strong else SOFT, "middle"))
    for number, row in enumerate(chart.rows):
        parts += _draw_row(row, top + PLOT + 44 + ROW * number, x, wide / places)
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans Condensed">{"".join(parts)}</svg>'


def _draw_axes(chart: Chart, marks: Sequence[float], left: float, x: Axis, y: Axis) -> Iterable[str]:
    top, foot = y(marks[-1]), y(marks[0])
    for mark in marks:
        level, ink = y(mark), SOFT if not mark else GRID
        yield f'<path d="M{left} {level:.1f}H{WIDTH - RIGHT}" stroke="{ink}" stroke-width="1.5"/>'
        yield _draw_text(f"{mark:.0f}".replace("-", "−"), left - 10, level + 7, BODY, SOFT, "end")
    for place in chart.breaks:
        yield f'<path d="M{x(place):.1f} {top:.1f}V{foot:.1f}" stroke="{SOFT}" stroke-dasharray="2 5"/>'
    if chart.above:
        yield _draw_text(chart.above, left + 8, top + 23, BODY, SOFT)
    if chart.below:
        yield _draw_text(chart.below, left + 8, foot - 10, BODY, SOFT)


def _draw_line(line: ChartLine, x: Axis, y: Axis) -> Iterable[str]:
    points = [(x(place), y(value)) for place, value in enumerate(line.values)]
    drawn = "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
    dash = ' stroke-dasharray="9 6"' if line.dashed else ""
    colour = COLOURS[line.colour % len(COLOURS)]
    yield f'<path d="M{drawn}" fill="none" stroke="{colour}" stroke-width="4.5" stroke-linejoin="round"{dash}/>'
    for across, down in points if len(points) <= 40 else points[-1:]:
        yield _draw_mark(line.colour, across, down)


def _draw_mark(kind: int, across: float, down: float) -> str:
    """Draw the mark of a seat; marks differ in shape, so that colour is not the only difference."""
    shapes = (
        f'<circle cx="{across:.1f}" cy="{down:.1f}" r="7"',
        f'<rect x="{across - 6:.1f}" y="{down - 6:.1f}" width="12" height="12"',
        f'<path d="M{across:.1f} {down - 8:.1f}l8 14h-16z"',
        f'<path d="M{across:.1f} {down - 8.5:.1f}l8.5 8.5l-8.5 8.5l-8.5-8.5z"',
    )
    return f'{shapes[kind % 4]} fill="{COLOURS[kind % len(COLOURS)]}"/>'


def _draw_heading(chart: Chart) -> Iterable[str]:
    """Draw the title as large as it fits, and the text below it."""
    room = WIDTH - 40
    yield _draw_text(chart.title, 20, 38, min(LARGE, room / (LETTER * max(1, len(chart.title)))), INK)
    if chart.under:
        yield _draw_text(chart.under, 20, 66, min(BODY, room / (LETTER * len(chart.under))), SOFT)


def _break_legend(lines: Sequence[ChartLine]) -> Iterable[list[ChartLine]]:
    """Break the legend into lines that fit the width."""
    entries: list[ChartLine] = []
    across = 0.0
    for line in lines:
        if entries and across + _measure_entry(line) > WIDTH - 40:
            yield entries
            entries, across = [], 0.0
        entries.append(line)
        across += _measure_entry(line)
    yield entries


def _measure_entry(line: ChartLine) -> float:
    """Return the width of an entry of the legend, with its mark and the space behind it."""
    return 52 + LETTER * BODY * len(line.name)


def _draw_legend(lines: Sequence[ChartLine], down: float) -> Iterable[str]:
    across = 20.0
    for line in lines:
        colour = COLOURS[line.colour % len(COLOURS)]
        yield _draw_mark(line.colour, across + 10, down - 7)
        if line.dashed:
            yield f'<path d="M{across - 4:.1f} {down - 7}h28" stroke="{colour}" stroke-width="4"/>'
        yield _draw_text(line.name, across + 28, down, BODY, INK)
        across += _measure_entry(line)


def _draw_row(row: ChartRow, down: float, x: Axis, wide: float) -> Iterable[str]:
    """Draw a row of cards after the mark of its seat, so that the row works as a legend.

    All cards have the size at which the longest fits; a card that is far longer than the others is smaller.
    """
    colour = INK if row.colour is None else COLOURS[row.colour % len(COLOURS)]
    room = LEFT + NAMES - 46
    if row.colour is not None:
        yield _draw_mark(row.colour, 22, down + 17)
    yield _draw_text(row.name, 38, down + 24, min(BODY, room / (LETTER * max(1, len(row.name)))), colour)
    usual = 2 * median(map(len, row.texts)) if row.texts else 0
    longest = max((len(text) for text in row.texts if len(text) <= usual), default=1)
    for place, text in enumerate(row.texts):
        middle = x(place + 0.5)
        won = place in row.marked
        if won:
            edge = max(3.0, min(4.0, wide / 10))
            yield (
                f'<rect x="{middle - wide / 2 + edge / 2:.1f}" y="{down}" width="{wide - edge:.1f}" height="{ROW - 5}" '
                f'rx="6" fill="{colour}"/>'
            )
        size = min(BODY, (wide - 5) / (CARD * max(1, len(text) if len(text) > usual else longest)))
        yield _draw_text(text, middle, down + 17 + size / 3, size, PANEL if won else colour, "middle")


def _draw_text(text: str, across: float, down: float, size: float, ink: str, anchor: str = "start") -> str:
    return (
        f'<text x="{across:.1f}" y="{down:.1f}" font-size="{size:.1f}" fill="{ink}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )
