"""Estimates without a solve: how long a solve takes, and the chance to win where a solve would take too long.

Only worker processes import this.
"""

from collections.abc import Sequence
from math import erf, sqrt

from bot.solver.exact.position import Position
from bot.solver.exact.solve import build_frame
from bot.solver.kernels.matrix_game import Solution, solve_matrix

SPREAD = 0.45
"""The spread of the final lead over the root of the sum of the squares of the prizes to come.

It was fitted to exact values of positions with 7 of 13 cards."""


def estimate_chance(expected: float, later: Sequence[int]) -> float:
    """Return P(win) - P(loss) for an expected final lead: the final lead is taken as normally distributed around it."""
    if not later:
        return float((expected > 0) - (expected < 0))
    total = sum(map(abs, later))
    if abs(expected) >= total:
        return 1.0 if expected > 0 else -1.0
    return erf(expected / (sqrt(2) * find_spread(later)))


def find_spread(later: Sequence[int]) -> float:
    """Return the spread of the final lead while these prizes are still to come."""
    return SPREAD * sqrt(sum(prize * prize for prize in later))


def estimate_win(here: Position, points: Solution) -> Solution:
    """Estimate the game for the chance to win from the same game for points."""
    later = [prize for prize in here.prizes if prize != here.up]
    return solve_matrix([[estimate_chance(here.lead + entry, later) for entry in row] for row in points.matrix])


GAME_SECONDS = {(False, False): 0.9e-6, (False, True): 0.45e-6, (True, False): 0.45e-6, (True, True): 0.25e-6}
"""Seconds for one matrix game on one core of the machine in docs/measurements.md. Keys: ties are carried (then many
games are one), values are chances to win."""


def count_games(here: Position) -> int:
    """Count the matrix games in the solve of a position and of everything that may follow."""
    shape = build_frame(here)
    turns = [1 if here.ordered else cards for cards in range(1, len(shape.turns) + 1)]  # which prize may be next
    return sum(turn * shape.size(cards)[1] for cards, turn in enumerate(turns, 1))


def estimate_seconds(here: Position) -> float:
    """Estimate the time that this solve takes on one core."""
    return count_games(here) * GAME_SECONDS[here.aim.carry, here.aim.win]
