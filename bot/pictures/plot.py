"""Draw charts of a match as SVG, round by round. Text uses the font of the package.

The alt text of a chart must contain the same information.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.pictures.lettering import FAMILY, SMALLEST, draw_text, fit_text, measure_text
from bot.pictures.palette import FAINT, GROUND, LANE, PLAIN, SEAT_COLOURS, SOFT

WIDTH = 800
LEFT, RIGHT = 68, 24
"""widths of the axis labels and of the right margin"""
TOP, LEGEND = 96, 36
"""heights of the heading, and of each line of the legend"""
PLOT = 260
"""height of the plot area"""
LARGE, BODY = 30.0, SMALLEST * WIDTH / 1200
"""font sizes; a phone shows the picture at less than half of its width"""
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
class Chart:
    """Lines over rounds, with the texts around them."""

    title: str
    under: str
    lines: tuple[ChartLine, ...]
    rounds: tuple[str, ...]
    """the label of each round below the axis"""
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
    legend = tuple(_break_legend(chart.lines))
    top = TOP + LEGEND * max(0, len(legend) - 1) + (LEGEND if legend and chart.under else 0)
    height = top + PLOT + 60
    values = [value for line in chart.lines for value in line.values]
    sides = (-1.0 if chart.below else 0.0, 1.0 if chart.above else 0.0)  # keeps room for the labels
    marks = list_ticks(min((*sides, *values)), max((*sides, *values)))
    places = max(1, len(chart.rounds))
    wide = WIDTH - LEFT - RIGHT

    def x(place: float) -> float:
        return LEFT + wide * place / places

    def y(value: float) -> float:
        return top + PLOT - PLOT * (value - marks[0]) / (marks[-1] - marks[0])

    parts = [f'<rect width="{WIDTH}" height="{height}" rx="12" fill="{GROUND}"/>']
    if chart.marked is not None:
        parts.append(
            f'<rect x="{x(chart.marked):.1f}" y="{top}" width="{wide / places:.1f}" height="{PLOT}" fill="{LANE}"/>'
        )
    parts += _draw_axes(chart, marks, x, y)
    for line in chart.lines:
        parts += _draw_line(line, x, y)
    parts += _draw_heading(chart)
    for number, lines in enumerate(legend):
        parts += _draw_legend(lines, (70 if chart.under else 36) + LEGEND * (number + 1) - 8)
    every = max(1, math.ceil(1.8 * BODY * places / wide))
    for place, name in enumerate(chart.rounds):
        if place % every == 0 or place == chart.marked:
            middle, strong = x(place + 0.5), place == chart.marked
            parts.append(draw_text(name, middle, top + PLOT + 32, BODY, PLAIN if strong else SOFT, "middle"))
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FAMILY}">{"".join(parts)}</svg>'


def _draw_axes(chart: Chart, marks: Sequence[float], x: Axis, y: Axis) -> Iterable[str]:
    top, foot = y(marks[-1]), y(marks[0])
    for mark in marks:
        level, ink = y(mark), SOFT if not mark else FAINT
        yield f'<path d="M{LEFT} {level:.1f}H{WIDTH - RIGHT}" stroke="{ink}" stroke-width="1.5"/>'
        yield draw_text(f"{mark:.0f}".replace("-", "−"), LEFT - 10, level + 8, BODY, SOFT, "end")
    for place in chart.breaks:
        yield f'<path d="M{x(place):.1f} {top:.1f}V{foot:.1f}" stroke="{SOFT}" stroke-dasharray="2 5"/>'
    if chart.above:
        yield draw_text(chart.above, LEFT + 8, top + 26, BODY, SOFT)
    if chart.below:
        yield draw_text(chart.below, LEFT + 8, foot - 10, BODY, SOFT)


def _draw_line(line: ChartLine, x: Axis, y: Axis) -> Iterable[str]:
    points = [(x(place), y(value)) for place, value in enumerate(line.values)]
    drawn = "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
    dash = ' stroke-dasharray="9 6"' if line.dashed else ""
    colour = SEAT_COLOURS[line.colour % len(SEAT_COLOURS)]
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
    return f'{shapes[kind % 4]} fill="{SEAT_COLOURS[kind % len(SEAT_COLOURS)]}"/>'


def _draw_heading(chart: Chart) -> Iterable[str]:
    """Draw the title as large as it fits, and the text below it."""
    room = WIDTH - 40
    title, size = fit_text(chart.title, room, LARGE, BODY)
    yield draw_text(title, 20, 40, size, PLAIN)
    if chart.under:
        under, size = fit_text(chart.under, room, BODY, BODY)
        yield draw_text(under, 20, 70, size, SOFT)


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
    return 56 + measure_text(line.name, BODY)


def _draw_legend(lines: Sequence[ChartLine], down: float) -> Iterable[str]:
    across = 20.0
    for line in lines:
        colour = SEAT_COLOURS[line.colour % len(SEAT_COLOURS)]
        yield _draw_mark(line.colour, across + 10, down - 8)
        if line.dashed:
            yield f'<path d="M{across - 4:.1f} {down - 8}h28" stroke="{colour}" stroke-width="4"/>'
        yield draw_text(line.name, across + 28, down, BODY, PLAIN)
        across += _measure_entry(line)
