"""How long a solve takes, told before it is begun. Only worker processes import this.

What has to be solved is counted, to the last matrix game; only the time of one game is an experience.
"""

from __future__ import annotations

from bot.solver.exact.position import Position
from bot.solver.exact.solve import build_frame

GAME_SECONDS = {(False, False): 0.9e-6, (False, True): 0.45e-6, (True, False): 0.45e-6, (True, True): 0.25e-6}
"""Seconds of one matrix game on a core of the machine that docs/measurements.md speaks of: with carried ties, of which
many games are one; for the chance to win."""


def count_games(here: Position) -> int:
    """How many matrix games the solve of everything that may follow takes."""
    shape = build_frame(here)
    turns = [1 if here.ordered else cards for cards in range(1, len(shape.turns) + 1)]  # which prize may be next
    return sum(turn * shape.size(cards)[1] for cards, turn in enumerate(turns, 1))


def estimate_seconds(here: Position) -> float:
    """How long that takes, about."""
    return count_games(here) * GAME_SECONDS[here.aim.carry, here.aim.win]
