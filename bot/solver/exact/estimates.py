"""The chance to win where it is too large to be solved: guessed from the points that are to be expected.

Whoever expects to be ahead by `e` in the end wins about as often as a normal law says whose spread grows with the
prizes that are still to come. `SPREAD` was fitted to exact values of 7 cards out of 13 (`make bench ARGS=win`).
"""

from collections.abc import Sequence
from math import erf, sqrt

from bot.solver.exact.position import Position
from bot.solver.kernels.matrix_game import Solution, solve_matrix

SPREAD = 0.45
"""The spread of the final lead over the root of the sum of the squares of the prizes to come."""


def estimate_chance(expected: float, later: Sequence[int]) -> float:
    """P(win) - P(loss) of somebody who expects to be ahead by so much, with these prizes still to come."""
    if not later:
        return float((expected > 0) - (expected < 0))
    total = sum(map(abs, later))
    if abs(expected) >= total:
        return 1.0 if expected > 0 else -1.0
    return erf(expected / (sqrt(2) * find_spread(later)))


def find_spread(later: Sequence[int]) -> float:
    """The spread of the final lead while these prizes are still to come."""
    return SPREAD * sqrt(sum(prize * prize for prize in later))


def estimate_win(here: Position, points: Solution) -> Solution:
    """The mix for the chance to win, where the same game for points is known."""
    later = [prize for prize in here.prizes if prize != here.up]
    return solve_matrix([[estimate_chance(here.lead + entry, later) for entry in row] for row in points.matrix])
