"""Solve one matrix game: its value, an optimal mixed strategy for each side, and a certificate of the error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, new_workspace, solve_game

GRAIN = 2.0**-36
"""Entries are rounded to multiples of this before one of several optimal mixes is chosen."""
CLEAR = 1e-9
"""A bid whose payoff is below the value by more than this is in no optimal mix."""


@dataclass(frozen=True)
class Solution:
    """The value for the row player and a mix for each side.

    `gap` is the duality gap of the two mixes: it bounds the error of the value and the exploitability of each mix.
    """

    value: float
    matrix: tuple[tuple[float, ...], ...]
    mix: tuple[float, ...]
    their_mix: tuple[float, ...]
    gap: float

    def costs(self) -> tuple[float, ...]:
        """Return the largest loss of each own bid against any optimal mix of the other side."""
        game, mine, theirs = np.array(self.matrix), np.array(self.mix), np.array(self.their_mix)
        if not _is_unique(game, mine, theirs):
            return tuple(integer_games.find_largest_losses(game.tolist(), GRAIN))
        replies = game @ theirs
        return tuple(max(0.0, float(cost)) for cost in replies.max() - replies)

    def least_shares(self) -> tuple[float, ...]:
        """Return the least share of each own bid in any optimal mix."""
        if _is_unique(np.array(self.matrix), np.array(self.mix), np.array(self.their_mix)):
            return self.mix
        return tuple(integer_games.find_least_shares(self.matrix, GRAIN))

    def exchange_sides(self) -> Solution:
        """Return the solution from the other side's point of view."""
        matrix = tuple(tuple(-entry for entry in column) for column in zip(*self.matrix, strict=True))
        return Solution(-self.value, matrix, self.their_mix, self.mix, self.gap)


def solve_matrix(matrix: Sequence[Sequence[float]]) -> Solution:
    """Solve a game of at most 13 by 13.

    If a side has several optimal mixes, it gets the lexicographically largest: most on its lowest bid, then on the
    next, and so on. That mix is a vertex of the optimal set, so its support is small. It is the same on every machine.
    """
    game: Floats = np.array(matrix, dtype=np.float64)
    rows, columns = len(matrix), len(matrix[0])
    work: Floats = np.zeros((WIDTH, WIDTH))
    work[:rows, :columns] = game
    space = new_workspace()
    size = solve_game(work, rows, columns, 1.0 - float(game.min()), 0, space)
    mine: Floats = np.zeros(rows)
    theirs: Floats = np.zeros(columns)
    mine[space.used[0, :size]] = space.x[:size]
    theirs[space.used[1, :size]] = space.y[:size]
    if size == 0 or not space.bounds[1] - space.bounds[0] <= TOLERANCE or not _is_unique(game, mine, theirs):
        mine[:] = integer_games.find_lowest_mix(game.tolist(), GRAIN)
        theirs[:] = integer_games.find_lowest_mix((-game.T).tolist(), GRAIN)
    low, high = float((mine @ game).min()), float((game @ theirs).max())
    return Solution(
        (low + high) / 2,
        tuple(tuple(float(entry) for entry in row) for row in game),
        tuple(float(share) for share in mine),
        tuple(float(share) for share in theirs),
        max(0.0, high - low),
    )


def _is_unique(game: Floats, mine: Floats, theirs: Floats) -> bool:
    """Return True if these are certainly the only optimal mixes: every bid is either played or clearly worse.

    Both mixes must be vertices of the optimal sets. The simplex method returns vertices.
    """
    value = float(mine @ game @ theirs)
    worse_mine = value - game @ theirs > CLEAR
    worse_theirs = mine @ game - value > CLEAR
    return bool(np.all((mine > CLEAR) ^ worse_mine) and np.all((theirs > CLEAR) ^ worse_theirs))
