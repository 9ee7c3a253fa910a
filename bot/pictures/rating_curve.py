"""The curve of a rating as SVG: axes with numbers, and dots at matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.pictures.lettering import FAMILY
from bot.pictures.palette import FAINT, GROUND, SEAT_COLOURS, SOFT

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 20, 50
CURVE = SEAT_COLOURS[1]
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_LINES = 6
MOST_DOTS = 60

LevelAt = tuple[datetime, int]
"""The time of a match and the rating shown after it."""


def draw_curve(points: Sequence[LevelAt]) -> str:
    """Draw one point for each match, from left to right, with the first and the last day below."""
    levels = [level for _, level in points]
    ticks = list_ticks(min(levels), max(levels))
    low, high = ticks[0], ticks[-1]

    def x(place: int) -> float:
        return LEFT + place * (WIDTH - LEFT - RIGHT) / max(1, len(points) - 1)

    def y(level: float) -> float:
        return HEIGHT - BOTTOM - (level - low) * (HEIGHT - TOP - BOTTOM) / (high - low)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{GROUND}"/>']
    parts += [
        f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}" stroke="{FAINT}" stroke-width="1.5"/>' for tick in ticks
    ]
    parts += [_draw_text(LEFT - 8, y(tick) + 8, str(tick), "end") for tick in ticks]
    axes = f"M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"
    parts.append(f'<path d="{axes}" fill="none" stroke="{SOFT}" stroke-width="2"/>')
    line = "L".join(f"{x(place):.1f} {y(level):.1f}" for place, level in enumerate(levels))
    parts.append(f'<path d="M{line}" fill="none" stroke="{CURVE}" stroke-width="4" stroke-linejoin="round"/>')
    dotted = range(len(levels)) if len(levels) <= MOST_DOTS else (len(levels) - 1,)
    parts += [f'<circle cx="{x(one):.1f}" cy="{y(levels[one]):.1f}" r="6" fill="{CURVE}"/>' for one in dotted]
    foot = HEIGHT - BOTTOM + 32
    parts.append(_draw_text(LEFT, foot, _format_day(points[0][0]), "start"))
    parts.append(_draw_text(WIDTH - RIGHT, foot, _format_day(points[-1][0]), "end"))
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FAMILY}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def list_ticks(low: int, high: int) -> list[int]:
    """Return round numbers from below the lowest to above the highest."""
    for step in STEPS:
        first, last = low // step * step, -(-high // step) * step
        if first == last:
            last += step
        if (last - first) // step < MOST_LINES:
            return list(range(first, last + 1, step))
    return [low, high]


def _draw_text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="22" fill="{SOFT}" text-anchor="{anchor}">{text}</text>'


def _format_day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"
