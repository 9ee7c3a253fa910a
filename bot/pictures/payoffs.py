"""The picture of a payoff matrix as SVG: a row for each card of mine, a column for each of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.pictures.lettering import CAPITAL, FAMILY, SMALLEST, draw_narrow, draw_text
from bot.pictures.palette import GROUND, LANE, PLAIN, SEAT_COLOURS, SOFT
from bot.pictures.scoreboard import EDGE, WIDTH, draw_mark

LABELS = 84.0
"""width of the cards before the rows"""
TOP = 132.0
"""height of the heading and of the cards above the columns"""
FOOT = 76.0
WIDEST, TALLEST = 168.0, 88.0
LEAST = 46.0
"""least height of a cell"""
GAP = 4.0
MOST_WITH_TENTHS = 8
"""most columns with room for a digit behind the point"""
MINE, THEIRS = SEAT_COLOURS[1], SEAT_COLOURS[0]
"""the colours of what is good for the reader, and for the other side"""


def draw_payoffs(
    rows: Sequence[str], columns: Sequence[str], matrix: Sequence[Sequence[float]], *, is_chance: bool
) -> str:
    """Return the picture. With `is_chance` payoffs are chances to win, in per cent; otherwise they are points."""
    even = 0.5 if is_chance else 0.0
    widest = max(abs(number - even) for row in matrix for number in row) or 1.0
    wide = min(WIDEST, (WIDTH - 2 * EDGE - LABELS) / len(columns))
    high = min(TALLEST, max(LEAST, 560.0 / len(rows)))
    height = round(TOP + high * len(rows) + FOOT)
    start = (WIDTH - LABELS - wide * len(columns)) / 2 + LABELS
    parts = [*_draw_heading(height, is_chance=is_chance)]
    for column, name in enumerate(columns):
        middle = start + wide * (column + 0.5)
        parts.append(draw_narrow(name, middle, TOP - 16, 40, wide - GAP, PLAIN))
    for row, name in enumerate(rows):
        middle = TOP + high * (row + 0.5)
        parts.append(draw_text(name, start - 16, middle + 40 * CAPITAL / 2, 40, PLAIN, "end"))
        for column, number in enumerate(matrix[row]):
            text = _label(number, is_chance=is_chance, digits=int(len(columns) <= MOST_WITH_TENTHS))
            left = start + wide * column
            parts += _draw_cell(text, left, middle - high / 2, wide - GAP, high - GAP, (number - even) / widest)
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    ground = f'<rect width="{WIDTH}" height="{height}" rx="28" fill="{GROUND}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FAMILY}">{ground}{"".join(parts)}</svg>'


def _draw_heading(height: int, *, is_chance: bool) -> Iterable[str]:
    yield draw_text("Left: your card · top: your opponent's", EDGE, 56, SMALLEST, SOFT)
    told = "Your win chance, %" if is_chance else "Your expected lead from here on"
    yield draw_text(f"{told} · blue is good for you", EDGE, height - 28, SMALLEST, SOFT)
    yield draw_mark(WIDTH - EDGE, height - 28)


def _draw_cell(text: str, left: float, top: float, wide: float, high: float, share: float) -> Iterable[str]:
    """Draw a cell: the farther its share is from 0, the stronger its colour."""
    fill = blend(LANE, MINE if share > 0 else THEIRS, abs(share))
    place = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    yield f'<rect {place} rx="8" fill="{fill}"/>'
    size = max(SMALLEST, min(44.0, high * 0.62))
    base = top + high / 2 + size * CAPITAL / 2
    yield draw_narrow(text, left + wide / 2, base, size, wide - 4, choose_ink(fill))


def _label(number: float, *, is_chance: bool, digits: int) -> str:
    if is_chance:
        return f"{100 * number:.0f}"
    text = f"{number:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text if any(letter in "123456789" for letter in text) else "0"


def blend(under: str, over: str, share: float) -> str:
    """Mix two colours; 0 is the first one, 1 the second."""
    pairs = zip(_read(under), _read(over), strict=True)
    return "#" + bytes(round(low + (high - low) * min(1.0, share)) for low, high in pairs).hex()


def choose_ink(fill: str) -> str:
    """Return the text colour that is easier to read on this colour."""
    return max((PLAIN, GROUND), key=lambda ink: contrast(ink, fill))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG defines it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    shares = [part / 255 for part in _read(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _read(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])
