"""The picture of a match of two as SVG: the score between the names, the cards of both, and who was ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from bot.pictures.card_table import GAP, SHAPE, RoundColumns, draw_cards, draw_prizes, place_columns
from bot.pictures.lettering import CAPITAL, SMALLEST, draw_text, fit_text, measure_text
from bot.pictures.palette import FAINT, LANE, PLAIN, SOFT, TURN
from bot.pictures.scoreboard import (
    EDGE,
    WIDTH,
    PictureSeat,
    Scoreboard,
    draw_break,
    draw_crown,
    draw_foot,
    draw_seat_mark,
    frame,
    shorten_halves,
)

Line: TypeAlias = list[tuple[float, float]]

SCORE = 150.0
NAME = 62.0
TOP, BOTTOM = 186.0, 470.0
"""the table of cards"""
SPARK_TOP, SPARK_BOTTOM = 486.0, 556.0
MARKS = 56.0
"""width of the marks before the rows"""


def draw_duel(board: Scoreboard) -> str:
    """Return the picture of a match of two."""
    parts = [*_draw_score(board), draw_foot(board.foot)]
    columns = place_columns(board.rounds, EDGE + MARKS, WIDTH - EDGE, centred=True)
    lead = list_leads(board)
    if columns is None:
        parts += _draw_deals(board)
        parts += draw_lead(
            board, lead, spread(len(lead) - 1, EDGE, WIDTH - EDGE), 250.0 if board.deals else 210.0, 540.0
        )
        return frame(parts)
    parts += _draw_table(board, columns)
    places = [columns.lefts[0], *(columns.middle(number) for number in range(len(board.rounds)))]
    parts += draw_lead(board, lead, places, SPARK_TOP, SPARK_BOTTOM)
    return frame(parts)


def spread(count: int, left: float, right: float) -> list[float]:
    return [left + (right - left) * number / max(1, count) for number in range(count + 1)]


def list_leads(board: Scoreboard) -> list[float]:
    """Return by how much the first seat was ahead, before the first round and after each one."""
    ours, theirs = (board.scores[one.seat] for one in board.seats)
    sign = -1 if board.least_wins else 1
    return [sign * (one - other) for one, other in zip(ours, theirs, strict=True)]


def _draw_score(board: Scoreboard) -> Iterable[str]:
    first, second = board.seats
    scores = [shorten_halves(one.score) for one in board.seats]
    base = 124.0 if board.caption else 150.0
    largest = 116.0 if board.caption else SCORE
    size = min(largest, 250 / max(measure_text(text, 1.0) for text in scores))
    half = size * 0.17
    middle = WIDTH / 2
    yield draw_text(scores[0], middle - half - 24, base, size, PLAIN, "end")
    yield draw_text(scores[1], middle + half + 24, base, size, PLAIN if second.is_first else SOFT)
    dash = base - size * CAPITAL / 2
    yield f'<rect x="{middle - half:.1f}" y="{dash - 4:.1f}" width="{2 * half:.1f}" height="9" rx="4" fill="{SOFT}"/>'
    wide = max(measure_text(text, size) for text in scores) + half + 24
    room = middle - wide - EDGE - 70
    for one, left in ((first, True), (second, False)):
        yield from _draw_name(
            one, room, dash, left=left, crowned=one.is_first and not (first.is_first and second.is_first)
        )
    if board.caption:
        text, small = fit_text(board.caption, WIDTH - 2 * EDGE, 36)
        yield draw_text(text, middle, 168, small, SOFT, "middle")


def _draw_name(one: PictureSeat, room: float, middle: float, *, left: bool, crowned: bool) -> Iterable[str]:
    """Draw a name around a height, in two lines if it is long."""
    lines, size = break_name(one.name, room)
    edge, inward = (EDGE, 1) if left else (WIDTH - EDGE, -1)
    across = edge + 44 * inward
    yield draw_seat_mark(one.seat, edge + 14 * inward, middle)
    top = middle - (len(lines) - 1) * size * 0.56
    for number, line in enumerate(lines):
        down = top + number * size * 1.12 + size * CAPITAL / 2
        yield draw_text(line, across, down, size, PLAIN if one.is_first else SOFT, "start" if left else "end")
    if crowned:
        yield draw_crown(across if left else across - 56, top - size * CAPITAL / 2 - 14, 56)


def break_name(name: str, room: float) -> tuple[list[str], float]:
    """Return a name in one or two lines, and their font size. What does not fit is cut."""
    if measure_text(name, SMALLEST) <= room or " " not in name:
        line, size = fit_text(name, room, NAME)
        return [line], size
    spaces = [place for place, letter in enumerate(name) if letter == " "]
    at = min(spaces, key=lambda place: abs(2 * place + 1 - len(name)))
    lines = [name[:at], name[at + 1 :]]
    size = max(SMALLEST, min(44.0, *(room / measure_text(line, 1.0) for line in lines)))
    return [fit_text(line, room, size)[0] for line in lines], size


def _draw_table(board: Scoreboard, columns: RoundColumns) -> Iterable[str]:
    has_prizes = any(one.prizes for one in board.rounds)
    rows = 3 if has_prizes else 2
    high = (BOTTOM - TOP) / rows
    middles = [TOP + high * (row + 0.5) for row in range(rows)]
    for row, one in ((0, board.seats[0]), (rows - 1, board.seats[1])):
        left = columns.lefts[0] - MARKS
        wide = columns.right - left
        lane = f'x="{left:.1f}" y="{middles[row] - high / 2 + 2:.1f}" width="{wide:.1f}" height="{high - 4:.1f}"'
        yield f'<rect {lane} rx="16" fill="{LANE}"/>'
        yield draw_seat_mark(one.seat, left + 28, middles[row])
    yield from draw_turn(board, columns, TOP - 4, BOTTOM + 4)
    for start in board.breaks:
        yield draw_break(columns.lefts[start], TOP, BOTTOM)
    height = min(high - GAP, columns.bid * SHAPE)
    for number, played in enumerate(board.rounds):
        middle = columns.middle(number)
        if has_prizes:
            yield from draw_prizes(played, middle, middles[1], columns.prize, min(high - GAP, columns.prize * SHAPE))
        for row, one in ((0, board.seats[0]), (rows - 1, board.seats[1])):
            lit = one.seat in played.winners
            yield from draw_cards(played.bids[one.seat], middle, middles[row], columns.bid, height, lit)


def draw_turn(board: Scoreboard, columns: RoundColumns, top: float, bottom: float) -> Iterable[str]:
    """Mark the column of the turning point."""
    if board.turn is None:
        return
    left, wide = columns.lefts[board.turn], columns.widths[board.turn]
    place = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{bottom - top:.1f}"'
    yield f'<rect {place} rx="16" fill="none" stroke="{TURN}" stroke-width="5"/>'


def draw_lead(
    board: Scoreboard, lead: Sequence[float], places: Sequence[float], top: float, bottom: float
) -> Iterable[str]:
    """Draw who was ahead: above the line the first seat, below it the second."""
    high, low = max(0.0, *lead), min(0.0, *lead)
    scale = (bottom - top) / (high - low) if high > low else 0.0
    level = top + high * scale if scale else (top + bottom) / 2
    heights = [level - value * scale for value in lead]
    yield f'<path d="M{places[0]:.1f} {level:.1f}H{places[-1]:.1f}" stroke="{FAINT}" stroke-width="3"/>'
    lines: list[Line] = []
    for start, end in pairwise((0, *board.breaks, len(board.rounds))):
        first = level if board.restarts else heights[start]
        lines.append(
            [(places[start], first), *zip(places[start + 1 : end + 1], heights[start + 1 : end + 1], strict=True)]
        )
    for one, is_above in zip(board.seats, (True, False), strict=True):
        parts = [part for line in lines for part in split_line(line, level, is_above=is_above)]
        drawn = ["L".join(f"{x:.1f} {y:.1f}" for x, y in part) for part in parts]
        area = "".join(
            f"M{part[0][0]:.1f} {level:.1f}L{line}L{part[-1][0]:.1f} {level:.1f}Z"
            for part, line in zip(parts, drawn, strict=True)
        )
        yield f'<path d="{area}" fill="{one.colour}" fill-opacity="0.28"/>'
        line = "".join(f"M{line}" for line in drawn)
        yield f'<path d="{line}" fill="none" stroke="{one.colour}" stroke-width="5" stroke-linejoin="round"/>'
    if board.turn is not None:
        x, y = places[board.turn + 1], heights[board.turn + 1]
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11" fill="{TURN}" stroke="{PLAIN}" stroke-width="4"/>'


def split_line(line: Line, level: float, *, is_above: bool) -> Iterable[Line]:
    """Return the parts of a line on one side of a level; each one begins and ends there or at an end of the line."""
    sign = -1.0 if is_above else 1.0
    part: Line = []
    for (x, y), (after_x, after_y) in pairwise(line):
        here, after = sign * (y - level), sign * (after_y - level)
        if here < 0 < after or after < 0 < here:
            crossing = (x + (after_x - x) * here / (here - after), level)
            steps = [(x, y), crossing] if here > 0 else [crossing, (after_x, after_y)]
        elif max(here, after) > 0:
            steps = [(x, y), (after_x, after_y)]
        else:
            continue
        if part and part[-1] == steps[0]:
            part += steps[1:]
        else:
            if part:
                yield part
            part = steps
    if part:
        yield part


def _draw_deals(board: Scoreboard) -> Iterable[str]:
    """Draw the score of each deal of a series, above its part of the line."""
    starts = (0, *board.breaks, len(board.rounds))
    if not board.deals or len(board.deals) > 7:
        return
    places = spread(len(board.rounds), EDGE, WIDTH - EDGE)
    for number, text in enumerate(board.deals):
        left, right = places[starts[number]], places[starts[number + 1]]
        shown, size = fit_text(text, right - left - 16, 48)
        yield draw_text(shown, (left + right) / 2, 226, size, PLAIN, "middle")
        if number:
            yield draw_break(left, 196, 548)
