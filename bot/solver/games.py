"""One matrix game, solved and certified, for somebody who wants to play it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.solver import exact
from bot.solver.matrix import TOLERANCE, WIDTH, Floats, Spots, solve

GRAIN = 2.0**-36
"""Entries closer than this count as equal where optimal mixes are chosen from."""
CLEAR = 1e-9
"""Bids this much worse than the value are certainly not part of any optimal mix."""


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
        """What each own bid gives up against the other side's optimal mix."""
        found = np.array(self.matrix) @ np.array(self.their_mix)
        return tuple(max(0.0, self.value - float(each)) for each in found)


def play(matrix: Sequence[Sequence[float]]) -> Solution:
    """Solve a game of at most 13 by 13.

    Where a side has several optimal mixes it gets the one that bids low: most on its lowest bid, then on the
    next, and so on. That is a corner of the optimal mixes, so its support is small as well; and it is the
    same on every machine.
    """
    game: Floats = np.array(matrix, dtype=np.float64)
    rows, columns = len(matrix), len(matrix[0])
    work: Floats = np.zeros((WIDTH, WIDTH))
    work[:rows, :columns] = game
    used: Spots = np.zeros((2, WIDTH), dtype=np.int64)
    basis: Spots = np.zeros((2, WIDTH), dtype=np.int64)
    x: Floats = np.zeros(WIDTH)
    y: Floats = np.zeros(WIDTH)
    bounds: Floats = np.zeros(2)
    shift = 1.0 - float(game.min())
    size = solve(work, rows, columns, shift, used, 0, np.zeros((WIDTH, WIDTH)), basis, x, y, bounds)
    mine: Floats = np.zeros(rows)
    theirs: Floats = np.zeros(columns)
    mine[used[0, :size]] = x[:size]
    theirs[used[1, :size]] = y[:size]
    if size == 0 or not bounds[1] - bounds[0] <= TOLERANCE or not _only(game, mine, theirs):
        mine[:] = exact.lowest_mix(game.tolist(), GRAIN)
        theirs[:] = exact.lowest_mix((-game.T).tolist(), GRAIN)
    low, high = float((mine @ game).min()), float((game @ theirs).max())
    return Solution(
        (low + high) / 2,
        tuple(tuple(float(entry) for entry in row) for row in game),
        tuple(float(share) for share in mine),
        tuple(float(share) for share in theirs),
        max(0.0, high - low),
    )


def _only(game: Floats, mine: Floats, theirs: Floats) -> bool:
    """Whether these are certainly the only optimal mixes: every bid is either played or clearly worse."""
    value = float(mine @ game @ theirs)
    worse_mine = value - game @ theirs > CLEAR
    worse_theirs = mine @ game - value > CLEAR
    return bool(np.all((mine > CLEAR) ^ worse_mine) and np.all((theirs > CLEAR) ^ worse_theirs))
