"""The picture of a match of three to eight as SVG: who won, a row for each player, and their cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.pictures.card_table import SHAPE, RoundColumns, draw_cards, draw_prizes, place_columns
from bot.pictures.duel import draw_turn, spread
from bot.pictures.lettering import CAPITAL, SMALLEST, draw_text, fit_text, measure_text
from bot.pictures.palette import LANE, PLAIN, SOFT
from bot.pictures.scoreboard import (
    EDGE,
    WIDTH,
    Scoreboard,
    draw_break,
    draw_crown,
    draw_foot,
    draw_seat_mark,
    frame,
    shorten_halves,
)

TOP, BOTTOM = 136.0, 560.0
NAME_LEFT = EDGE + 52.0
SCORES, SCORES_ALONE = 356.0, 480.0
"""the right edge of the scores: beside cards, and beside curves"""
TALLEST, TALLEST_BESIDE = 92.0, 116.0
"""most height of a row: above curves, and beside them"""
SPARK = 96.0
MOST_CURVES = 4
"""most seats with a thin line below their cards"""
LEAST_CHART = 280.0
"""least width of curves beside the cards of a short match"""


def draw_ranking(board: Scoreboard, title: str) -> str:
    """Return the picture of a match of three and more."""
    parts = [*_draw_title(board, title), draw_foot(board.foot)]
    columns = place_columns(board.rounds, SCORES + 18, WIDTH - EDGE - 8)
    if columns is None:
        high = min(TALLEST, (BOTTOM - TOP) / len(board.seats))
        parts += _draw_seats(board, [TOP + high * (row + 0.5) for row in range(len(board.seats))], high, SCORES_ALONE)
        places = spread(len(board.rounds), SCORES_ALONE + 36, WIDTH - EDGE - 20)
        parts += _draw_curves(board, places, TOP + 14, BOTTOM - 20, 6)
        return frame(parts)
    has_prizes = any(one.prizes for one in board.rounds)
    rows = len(board.seats) + has_prizes
    is_beside = WIDTH - EDGE - columns.right >= LEAST_CHART
    is_below = not is_beside and len(board.seats) <= MOST_CURVES
    high = min(TALLEST_BESIDE if is_beside else TALLEST, (BOTTOM - TOP - SPARK * is_below) / rows)
    parts += _draw_table(board, columns, high, has_prizes=has_prizes)
    end = TOP + high * rows
    if is_beside:
        places = spread(len(board.rounds), columns.right + 64, WIDTH - EDGE - 24)
        parts += _draw_curves(board, places, TOP + 24, end - 24, 6)
    elif is_below:
        places = [columns.lefts[0], *(columns.middle(number) for number in range(len(board.rounds)))]
        parts += _draw_curves(board, places, end + 22, BOTTOM - 12, 4)
    return frame(parts)


def _draw_table(board: Scoreboard, columns: RoundColumns, high: float, *, has_prizes: bool) -> Iterable[str]:
    middles = [TOP + high * (row + 0.5) for row in range(has_prizes, len(board.seats) + has_prizes)]
    for middle in middles:
        lane = f'y="{middle - high / 2 + 2:.1f}" width="{columns.right + 8 - EDGE:.1f}" height="{high - 4:.1f}"'
        yield f'<rect x="{EDGE}" {lane} rx="12" fill="{LANE}"/>'
    yield from _draw_seats(board, middles, high, SCORES)
    yield from draw_turn(board, columns, TOP - 2, middles[-1] + high / 2 + 2)
    for number, played in enumerate(board.rounds):
        middle = columns.middle(number)
        yield from draw_prizes(played, middle, TOP + high / 2, columns.prize, min(high - 6, columns.prize * SHAPE))
        for down, one in zip(middles, board.seats, strict=True):
            lit, height = one.seat in played.winners, min(high - 6, columns.bid * SHAPE)
            yield from draw_cards(played.bids[one.seat], middle, down, columns.bid, height, lit)


def _draw_seats(board: Scoreboard, middles: Sequence[float], high: float, right: float) -> Iterable[str]:
    """Draw the mark, the name and the score of each seat, best first."""
    for middle, one in zip(middles, board.seats, strict=True):
        ink, score = (PLAIN if one.is_first else SOFT), shorten_halves(one.score)
        size = max(SMALLEST, min(46.0, high * 0.8))
        name, small = fit_text(one.name, right - NAME_LEFT - measure_text(score, size) - 14, min(44.0, size))
        yield draw_seat_mark(one.seat, EDGE + 28, middle)
        yield draw_text(name, NAME_LEFT, middle + small * CAPITAL / 2, small, ink)
        yield draw_text(score, right, middle + size * CAPITAL / 2, size, ink, "end")


def _draw_title(board: Scoreboard, title: str) -> Iterable[str]:
    text, size = fit_text(title, WIDTH - 2 * EDGE - 100, 84)
    yield draw_crown(EDGE, 106, 74)
    yield draw_text(text, EDGE + 100, 106, size, PLAIN)


def _draw_curves(board: Scoreboard, places: Sequence[float], top: float, bottom: float, thick: float) -> Iterable[str]:
    """Draw the scores of all seats, the best one in front."""
    sign = -1 if board.least_wins else 1
    values = [sign * value for one in board.scores for value in one]
    low, scale = min(values), (bottom - top) / max(1e-9, max(values) - min(values))
    for start in board.breaks:
        yield draw_break(places[start], top, bottom)
    for one in reversed(board.seats):
        heights = [bottom - (sign * value - low) * scale for value in board.scores[one.seat]]
        points = [*zip(places, heights, strict=True)]
        drawn = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        yield f'<path d="M{drawn}" fill="none" stroke="{one.colour}" stroke-width="{thick}" stroke-linejoin="round"/>'
        yield draw_seat_mark(one.seat, *points[-1], 2 * thick)
