"""Estimates without a solve: the time of a solve, and the chance to win if a solve takes too long.

Only worker processes import this module.
"""

from collections.abc import Sequence
from math import erf, sqrt

from bot.solver.exact.position import Position
from bot.solver.exact.solve import build_frame
from bot.solver.kernels.matrix_game import Solution, solve_matrix

SPREAD = 0.45
"""The standard deviation of the final lead, divided by the root of the sum of squares of the prizes to come.

It was fitted to exact values of positions with 7 of 13 cards."""


def estimate_chance(expected: float, later: Sequence[int]) -> float:
    """Return P(win) - P(loss) for an expected final lead. The final lead is modelled as normally distributed."""
    if not later:
        return float((expected > 0) - (expected < 0))
    total = sum(map(abs, later))
    if abs(expected) >= total:
        return 1.0 if expected > 0 else -1.0
    return erf(expected / (sqrt(2) * find_spread(later)))


def find_spread(later: Sequence[int]) -> float:
    """Return the standard deviation of the final lead while these prizes are still to come."""
    return SPREAD * sqrt(sum(prize * prize for prize in later))


def estimate_win(position: Position, points: Solution) -> Solution:
    """Return the game for the chance to win, with entries estimated from the same game for points."""
    later = [prize for prize in position.prizes if prize != position.up]
    return solve_matrix([[estimate_chance(position.lead + entry, later) for entry in row] for row in points.matrix])


GAME_SECONDS = {(False, False): 0.9e-6, (False, True): 0.45e-6, (True, False): 0.45e-6, (True, True): 0.25e-6}
"""Seconds for one matrix game on one core of the machine in docs/measurements.md.

Keys: whether ties are carried (then equal games are merged), whether values are chances to win."""


def count_games(position: Position) -> int:
    """Count the matrix games in the solve of a position and of all positions that can follow."""
    shape = build_frame(position)
    turns = [1 if position.ordered else cards for cards in range(1, len(shape.turns) + 1)]  # prizes that may be next
    return sum(turn * shape.size(cards)[1] for cards, turn in enumerate(turns, 1))


def estimate_seconds(position: Position) -> float:
    """Return the estimated seconds of this solve on one core."""
    return count_games(position) * GAME_SECONDS[position.aim.carry, position.aim.win]
