"""Charts as SVG: how a match went, round by round. Text in them is in the font that comes along, and what a picture
shows its alt text tells as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from xml.sax.saxutils import escape

WIDTH = 800
INK, SOFT, GRID, PANEL, BAND = "#f2f3f5", "#aab0ba", "#3c4149", "#22252b", "#343a46"
COLOURS = ("#f5b83d", "#58b4ff", "#5fd39a", "#ff8f70", "#c6a0ff", "#e6e36a", "#7de0e6", "#ff9ccb")
"""of the seats, in their order; told apart by light and dark, and by their marks too"""
LEFT, RIGHT, TOP = 64, 28, 64
PLOT = 250
"""height of the lines themselves"""
ROW = 26
"""height of a row of cards below them"""
MOST_TICKS = 6
LETTERS = 16
"""of a name"""

_SHOWN: tuple[tuple[int, int], ...] = (
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
"""what the font can write"""


Placed: TypeAlias = Callable[[float], float]
"""from a round, or a score, to its place in the picture"""


@dataclass(frozen=True, slots=True)
class Course:
    """One line over the rounds, from before the first to after the last."""

    name: str
    values: tuple[float, ...]
    colour: int
    """which of the colours, and which mark"""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Cells:
    """A row below the lines: one card, or several, for every round."""

    name: str
    texts: tuple[str, ...]
    marked: frozenset[int] = frozenset()
    """the rounds that this row won"""
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over rounds, with what stands above, beside and below them."""

    title: str
    under: str
    lines: tuple[Course, ...]
    rounds: tuple[str, ...]
    """what each round is called below the axis"""
    rows: tuple[Cells, ...] = ()
    marked: int | None = None
    """the round that is being looked at"""
    above: str = ""
    """what it means to be above zero"""
    below: str = ""
    breaks: tuple[int, ...] = ()
    """rounds before which another deal begins"""


def written(text: str, most: int = LETTERS) -> str:
    """A name as the font can write it, and as long as there is room; empty where it has nothing that can be written."""
    kept = "".join(c for c in text if any(low <= ord(c) <= high for low, high in _SHOWN)).strip()
    return kept if len(kept) <= most else f"{kept[: most - 1].rstrip()}…"


def ticks(low: float, high: float) -> list[float]:
    """Round numbers that reach from one to the other."""
    span = max(high - low, 1.0)
    raw = span / MOST_TICKS
    size = 10.0 ** math.floor(math.log10(raw))
    step = max(1.0, next(size * times for times in (1, 2, 5, 10) if size * times >= raw))
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return [step * place for place in range(first, last + 1)]


def svg(chart: Chart) -> str:
    """The whole picture."""
    height = TOP + PLOT + 40 + ROW * len(chart.rows) + 20
    values = [value for line in chart.lines for value in line.values]
    marks = ticks(min((0.0, *values)), max((0.0, *values)))
    places = max(1, len(chart.rounds))
    wide = WIDTH - LEFT - RIGHT - (84 if chart.rows else 0)
    left = LEFT + (84 if chart.rows else 0)

    def x(place: float) -> float:
        return left + wide * place / places

    def y(value: float) -> float:
        return TOP + PLOT - PLOT * (value - marks[0]) / (marks[-1] - marks[0])

    parts = [f'<rect width="{WIDTH}" height="{height}" rx="12" fill="{PANEL}"/>']
    if chart.marked is not None:
        parts.append(
            f'<rect x="{x(chart.marked):.1f}" y="{TOP}" width="{wide / places:.1f}" height="{PLOT}" fill="{BAND}"/>'
        )
    parts += _axes(chart, marks, left, x, y)
    for line in chart.lines:
        parts += _line(line, x, y)
    parts += _legend(chart)
    every = max(1, math.ceil(28 * places / wide))
    for place, name in enumerate(chart.rounds):
        if place % every == 0 or place == chart.marked:
            middle, strong = x(place + 0.5), place == chart.marked
            parts.append(_text(name, middle, TOP + PLOT + 20, 14, INK if strong else SOFT, "middle"))
    for number, row in enumerate(chart.rows):
        parts += _row(row, TOP + PLOT + 40 + ROW * number, x, wide / places)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="DejaVu Sans Condensed">{"".join(parts)}</svg>'
    )


def _axes(chart: Chart, marks: Sequence[float], left: float, x: Placed, y: Placed) -> Iterable[str]:
    for mark in marks:
        level, ink = y(mark), SOFT if not mark else GRID
        yield f'<path d="M{left} {level:.1f}H{WIDTH - RIGHT}" stroke="{ink}" stroke-width="1"/>'
        yield _text(f"{mark:.0f}".replace("-", "−"), left - 8, level + 5, 14, SOFT, "end")
    for place in chart.breaks:
        yield f'<path d="M{x(place):.1f} {TOP}V{TOP + PLOT}" stroke="{SOFT}" stroke-dasharray="2 5"/>'
    if chart.above:
        yield _text(chart.above, left + 6, TOP + 15, 13, SOFT)
    if chart.below:
        yield _text(chart.below, left + 6, TOP + PLOT - 7, 13, SOFT)


def _line(line: Course, x: Placed, y: Placed) -> Iterable[str]:
    points = [(x(place), y(value)) for place, value in enumerate(line.values)]
    drawn = "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
    dash = ' stroke-dasharray="9 6"' if line.dashed else ""
    colour = COLOURS[line.colour % len(COLOURS)]
    yield f'<path d="M{drawn}" fill="none" stroke="{colour}" stroke-width="3.5" stroke-linejoin="round"{dash}/>'
    for across, down in points if len(points) <= 40 else points[-1:]:
        yield _mark(line.colour, across, down)


def _mark(kind: int, across: float, down: float) -> str:
    """Each seat's own, so that colour is not the only difference."""
    colour, size = COLOURS[kind % len(COLOURS)], 5.0
    shapes = {
        0: f'<circle cx="{across:.1f}" cy="{down:.1f}" r="{size}" fill="{colour}"/>',
        1: f'<rect x="{across - 4.5:.1f}" y="{down - 4.5:.1f}" width="9" height="9" fill="{colour}"/>',
        2: f'<path d="M{across:.1f} {down - 6:.1f}l6 10.5h-12z" fill="{colour}"/>',
        3: f'<path d="M{across:.1f} {down - 6.5:.1f}l6.5 6.5l-6.5 6.5l-6.5-6.5z" fill="{colour}"/>',
    }
    return shapes[kind % 4]


def _legend(chart: Chart) -> Iterable[str]:
    """Title and names, from the left; a second line below them."""
    yield _text(chart.title, 20, 28, 20, INK)
    across = 20.0
    for line in chart.lines:
        yield _mark(line.colour, across + 6, 47)
        if line.dashed:
            yield f'<path d="M{across - 4:.1f} 47h20" stroke="{COLOURS[line.colour % len(COLOURS)]}" stroke-width="3"/>'
        yield _text(line.name, across + 20, 52, 14, INK)
        across += 34 + 8.2 * len(line.name)
    if chart.under:
        yield _text(chart.under, WIDTH - 20, 28, 14, SOFT, "end")


def _row(row: Cells, down: float, x: Placed, wide: float) -> Iterable[str]:
    colour = INK if row.colour is None else COLOURS[row.colour % len(COLOURS)]
    yield _text(row.name, 20, down + 17, 14, colour)
    size = min(15.0, wide / (0.62 * max(1, *map(len, row.texts))))
    for place, text in enumerate(row.texts):
        middle = x(place + 0.5)
        won = place in row.marked
        if won:
            edge = max(3.0, min(4.0, wide / 10))
            yield (
                f'<rect x="{middle - wide / 2 + edge / 2:.1f}" y="{down}" width="{wide - edge:.1f}" height="{ROW - 4}" '
                f'rx="5" fill="{colour}"/>'
            )
        yield _text(text, middle, down + 17, size, PANEL if won else colour, "middle")


def _text(text: str, across: float, down: float, size: float, ink: str, anchor: str = "start") -> str:
    return (
        f'<text x="{across:.1f}" y="{down:.1f}" font-size="{size:.1f}" fill="{ink}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )
