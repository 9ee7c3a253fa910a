"""Kernels that solve eight matrix games of one size at once: each SIMD lane is a game.

A support is tried on all lanes at once, which takes less time than trying it on a single game. Supports that fitted
earlier games are tried first. A game that no known support fits is solved by the simplex method, and its support is
then tried on the games that are still unsolved.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.jit import Floats, Ints, kernel
from bot.solver.kernels.matrix import (
    TOLERANCE,
    WIDTH,
    Workspace,
    certify,
    new_workspace,
    run_simplex,
    solve_support,
)
from bot.solver.kernels.simd import (
    LANES,
    Vector,
    add,
    broadcast,
    divide,
    load,
    maximum,
    minimum,
    multiply,
    multiply_add,
    multiply_subtract,
    store,
)

KNOWN = 8
"""The number of supports that a batch remembers."""


class GameBatch(NamedTuple):
    """Games that are solved together, the supports known so far, and work arrays."""

    games: Floats  # [row, column, lane]
    low: Floats  # [lane]: lower bound of the value
    high: Floats  # [lane]: upper bound of the value
    waits: NDArray[np.bool_]  # [lane]: the game is still unsolved
    supports: Ints  # [support, side, place]
    sizes: Ints  # [support]
    order: Ints  # the supports, most recently used first
    work: Floats
    mixes: Floats  # [side, place, lane]
    tried: Floats  # [low or high, lane]: the bounds of the support that was tried last
    game: Floats
    space: Workspace


def new_batch() -> GameBatch:
    """Allocate an empty batch."""
    return GameBatch(
        games=np.zeros((WIDTH, WIDTH, LANES)),
        low=np.zeros(LANES),
        high=np.zeros(LANES),
        waits=np.zeros(LANES, np.bool_),
        supports=np.zeros((KNOWN, 2, WIDTH), np.int64),
        sizes=np.zeros(KNOWN, np.int64),
        order=np.arange(KNOWN),
        work=np.zeros((WIDTH, WIDTH, LANES)),
        mixes=np.zeros((2, WIDTH, LANES)),
        tried=np.zeros((2, LANES)),
        game=np.zeros((WIDTH, WIDTH)),
        space=new_workspace(),
    )


@kernel
def forget_supports(batch: GameBatch) -> None:
    """Drop all known supports; call it when the next games are of another kind."""
    for which in range(KNOWN):
        batch.sizes[which] = 0


@kernel
def solve_batch(batch: GameBatch, lanes: int, rows: int, columns: int, shift: float) -> None:
    """Solve the games of the first lanes; store the bounds of their values in low and high."""
    space = batch.space
    for lane in range(LANES):
        batch.waits[lane] = lane < lanes
    waiting = lanes
    place = 0
    while waiting > 0:
        # For a single unsolved game the simplex method is faster than a second try.
        known = place < KNOWN and (waiting > 1 or place == 0)
        which = batch.order[place if known else KNOWN - 1]
        used = batch.supports[which]
        if not known:
            lane = 0
            while not batch.waits[lane]:
                lane += 1
            for i in range(rows):
                for j in range(columns):
                    batch.game[i, j] = batch.games[i, j, lane]
            size = run_simplex(batch.game, rows, columns, shift, used, space)
            batch.sizes[which] = size
            space.bounds[0] = -np.inf
            space.bounds[1] = np.inf
            if size > 0 and solve_support(batch.game, shift, used, size, space):
                certify(batch.game, rows, columns, used, size, space)
            batch.low[lane] = space.bounds[0]
            batch.high[lane] = space.bounds[1]
            batch.waits[lane] = False
            waiting -= 1
        fits = waiting
        size = int(batch.sizes[which])
        if size > 0 and waiting > (0 if known else 1):
            low, high = try_support(batch.games, rows, columns, shift, used, size, batch.work, batch.mixes)
            store(batch.tried, 0, low)
            store(batch.tried, 1, high)
            for lane in range(LANES):
                # A minimum or maximum may skip nan; then the bounds are infinite and the support is rejected.
                if batch.waits[lane] and abs(batch.tried[1, lane] - batch.tried[0, lane]) <= TOLERANCE:
                    batch.low[lane] = batch.tried[0, lane]
                    batch.high[lane] = batch.tried[1, lane]
                    batch.waits[lane] = False
                    waiting -= 1
        if fits > waiting or not known:
            for k in range(place if known else KNOWN - 1, 0, -1):
                batch.order[k] = batch.order[k - 1]
            batch.order[0] = which
        place = place + 1 if known else KNOWN


@kernel
def try_support(
    games: Floats, rows: int, columns: int, shift: float, used: Ints, size: int, work: Floats, mixes: Floats
) -> tuple[Vector, Vector]:
    """Return the bounds of each lane's value from the mixes that make all bids of the support indifferent.

    It computes what `solve_support` and `certify` compute for a single game. If the support does not fit, the bounds
    are far apart or nan. There is no branch on the data, because all lanes run the same instructions.
    """
    one, zero = broadcast(1.0), broadcast(0.0)
    for i in range(size):
        for j in range(size):
            store(work, (i, j), add(load(games, (used[0, i], used[1, j])), broadcast(shift)))
    # No pivoting: `used` has the rows in the pivot order of a similar game.
    for c in range(size):
        inverse = divide(one, load(work, (c, c)))
        store(work, (c, c), inverse)
        for i in range(c + 1, size):
            factor = multiply(load(work, (i, c)), inverse)
            store(work, (i, c), factor)
            for j in range(c + 1, size):
                store(work, (i, j), multiply_subtract(load(work, (i, j)), factor, load(work, (c, j))))
    for c in range(size):
        x = y = one
        for i in range(c):
            x = multiply_subtract(x, load(work, (i, c)), load(mixes, (0, i)))
            y = multiply_subtract(y, load(work, (c, i)), load(mixes, (1, i)))
        store(mixes, (0, c), multiply(x, load(work, (c, c))))
        store(mixes, (1, c), y)
    total_x = total_y = zero
    for c in range(size - 1, -1, -1):
        x = load(mixes, (0, c))
        y = load(mixes, (1, c))
        for i in range(c + 1, size):
            x = multiply_subtract(x, load(work, (i, c)), load(mixes, (0, i)))
            y = multiply_subtract(y, load(work, (c, i)), load(mixes, (1, i)))
        y = multiply(y, load(work, (c, c)))
        store(mixes, (0, c), x)
        store(mixes, (1, c), y)
        total_x = add(total_x, maximum(x, zero))
        total_y = add(total_y, maximum(y, zero))
    for c in range(size):
        store(mixes, (0, c), divide(maximum(load(mixes, (0, c)), zero), total_x))
        store(mixes, (1, c), divide(maximum(load(mixes, (1, c)), zero), total_y))
    low, high = broadcast(np.inf), broadcast(-np.inf)
    for j in range(columns):
        value = zero
        for i in range(size):
            value = multiply_add(value, load(mixes, (0, i)), load(games, (used[0, i], j)))
        low = minimum(low, value)
    for i in range(rows):
        value = zero
        for j in range(size):
            value = multiply_add(value, load(mixes, (1, j)), load(games, (i, used[1, j])))
        high = maximum(high, value)
    return low, high
