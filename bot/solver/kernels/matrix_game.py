"""One matrix game, solved and certified, with mixes that can be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, new_workspace, solve_game

GRAIN = 2.0**-36
"""Entries closer than this count as equal when one of several optimal mixes is chosen."""
CLEAR = 1e-9
"""A bid that is worse than the value by this much is in no optimal mix."""


@dataclass(frozen=True)
class Solution:
    """The value to the row player and a mix for each side.

    `gap` is what the two mixes prove: the value is known to within it, and neither mix loses more.
    """

    value: float
    matrix: tuple[tuple[float, ...], ...]
    mix: tuple[float, ...]
    their_mix: tuple[float, ...]
    gap: float

    def costs(self) -> tuple[float, ...]:
        """Return the most that each own bid gives up, over all optimal mixes of the other side."""
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
        """Return the same game as the other side sees it."""
        matrix = tuple(tuple(-entry for entry in column) for column in zip(*self.matrix, strict=True))
        return Solution(-self.value, matrix, self.their_mix, self.mix, self.gap)


def solve_matrix(matrix: Sequence[Sequence[float]]) -> Solution:
    """Solve a game of at most 13 by 13.

    Of several optimal mixes a side gets the one that bids low: most on its lowest bid, then on the next, and so on.
    That mix is a corner of the optimal ones, so its support is small. It is the same on every machine.
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

    The mixes must be corners of the optimal ones, as `play` chooses them.
    """
    value = float(mine @ game @ theirs)
    worse_mine = value - game @ theirs > CLEAR
    worse_theirs = mine @ game - value > CLEAR
    return bool(np.all((mine > CLEAR) ^ worse_mine) and np.all((theirs > CLEAR) ^ worse_theirs))
