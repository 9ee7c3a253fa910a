"""Eight matrix games of one size side by side, compiled: each lane is a game.

Whether a support fits is found out for all of them at once, which takes less than for one of them alone. Supports that
fitted before are tried first; a game that none of them fits gets its own by the simplex method, which is then tried on
those that still wait.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.compiled import kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Floats, Spots, certify, from_support, simplex
from bot.solver.kernels.simd import (
    LANES,
    Eight,
    all_of,
    greater,
    less_times,
    lesser,
    over,
    plus,
    plus_times,
    put,
    take,
    times,
)

KNOWN = 8
"""How many supports are kept to be tried again."""


class Abreast(NamedTuple):
    """The games that are solved together, what is known of supports, and room to work."""

    games: Floats  # [row, column, lane]
    low: Floats  # [lane]: what the mixes that were found guarantee
    high: Floats
    waits: NDArray[np.bool_]
    supports: Spots  # [which, side, bid]
    sizes: Spots  # [which]
    order: Spots  # the supports, the one that fitted last first
    work: Floats
    mixes: Floats  # [side, bid, lane]
    tried: Floats  # [low or high, lane]
    game: Floats
    table: Floats
    basis: Spots
    x: Floats
    y: Floats
    bounds: Floats


def abreast() -> Abreast:
    """An empty one."""

    def lanes(*shape: int) -> Floats:
        return np.zeros((*shape, LANES))

    def one(*shape: int) -> Floats:
        return np.zeros(shape)

    return Abreast(
        lanes(WIDTH, WIDTH),
        lanes(),
        lanes(),
        np.zeros(LANES, np.bool_),
        np.zeros((KNOWN, 2, WIDTH), np.int64),
        np.zeros(KNOWN, np.int64),
        np.arange(KNOWN),
        lanes(WIDTH, WIDTH),
        lanes(2, WIDTH),
        lanes(2),
        one(WIDTH, WIDTH),
        one(WIDTH, WIDTH),
        np.zeros((2, WIDTH), np.int64),
        one(WIDTH),
        one(WIDTH),
        one(2),
    )


@kernel
def solve_all(on: Abreast, lanes: int, rows: int, columns: int, shift: float) -> None:
    """Solve the games of the first so many lanes: what their mixes guarantee goes into low and high."""
    for lane in range(LANES):
        on.waits[lane] = lane < lanes
    waiting = lanes
    place = 0
    while waiting > 0:
        # One game alone is not worth more than one try.
        known = place < KNOWN and (waiting > 1 or place == 0)
        which = on.order[place if known else KNOWN - 1]
        used = on.supports[which]
        if not known:
            lane = 0
            while not on.waits[lane]:
                lane += 1
            for i in range(rows):
                for j in range(columns):
                    on.game[i, j] = on.games[i, j, lane]
            size = simplex(on.game, rows, columns, shift, used, on.table, on.basis)
            on.sizes[which] = size
            on.bounds[0] = -np.inf
            on.bounds[1] = np.inf
            if size > 0 and from_support(on.game, rows, columns, shift, used, size, on.table, on.x, on.y):
                certify(on.game, rows, columns, used, size, on.x, on.y, on.bounds)
            on.low[lane] = on.bounds[0]
            on.high[lane] = on.bounds[1]
            on.waits[lane] = False
            waiting -= 1
        fits = waiting
        size = int(on.sizes[which])
        if size > 0 and waiting > (0 if known else 1):
            low, high = fit(on.games, rows, columns, shift, used, size, on.work, on.mixes)
            put(on.tried, 0, low)
            put(on.tried, 1, high)
            for lane in range(LANES):
                # No numbers may be left out where the least of some is looked for, but then the two are infinite.
                if on.waits[lane] and abs(on.tried[1, lane] - on.tried[0, lane]) <= TOLERANCE:
                    on.low[lane] = on.tried[0, lane]
                    on.high[lane] = on.tried[1, lane]
                    on.waits[lane] = False
                    waiting -= 1
        if fits > waiting or not known:
            for k in range(place if known else KNOWN - 1, 0, -1):
                on.order[k] = on.order[k - 1]
            on.order[0] = which
        place = place + 1 if known else KNOWN


@kernel
def fit(
    games: Floats, rows: int, columns: int, shift: float, used: Spots, size: int, work: Floats, mixes: Floats
) -> tuple[Eight, Eight]:
    """What the mixes that make every bid of a support do equally well guarantee.

    As `from_support` and `certify` find it for one game. Where the support does not fit, the two are far apart, or no
    numbers: nothing is looked at on the way, so that all lanes go the same way.
    """
    one, zero = all_of(1.0), all_of(0.0)
    for i in range(size):
        for j in range(size):
            put(work, (i, j), plus(take(games, (used[0, i], used[1, j])), all_of(shift)))
    # No rows are swapped: `used` has them in an order that was good for a game like these.
    for c in range(size):
        inverse = over(one, take(work, (c, c)))
        put(work, (c, c), inverse)
        for i in range(c + 1, size):
            factor = times(take(work, (i, c)), inverse)
            put(work, (i, c), factor)
            for j in range(c + 1, size):
                put(work, (i, j), less_times(take(work, (i, j)), factor, take(work, (c, j))))
    for c in range(size):
        x = y = one
        for i in range(c):
            x = less_times(x, take(work, (i, c)), take(mixes, (0, i)))
            y = less_times(y, take(work, (c, i)), take(mixes, (1, i)))
        put(mixes, (0, c), times(x, take(work, (c, c))))
        put(mixes, (1, c), y)
    total_x = total_y = zero
    for c in range(size - 1, -1, -1):
        x = take(mixes, (0, c))
        y = take(mixes, (1, c))
        for i in range(c + 1, size):
            x = less_times(x, take(work, (i, c)), take(mixes, (0, i)))
            y = less_times(y, take(work, (c, i)), take(mixes, (1, i)))
        y = times(y, take(work, (c, c)))
        put(mixes, (0, c), x)
        put(mixes, (1, c), y)
        total_x = plus(total_x, greater(x, zero))
        total_y = plus(total_y, greater(y, zero))
    for c in range(size):
        put(mixes, (0, c), over(greater(take(mixes, (0, c)), zero), total_x))
        put(mixes, (1, c), over(greater(take(mixes, (1, c)), zero), total_y))
    low, high = all_of(np.inf), all_of(-np.inf)
    for j in range(columns):
        value = zero
        for i in range(size):
            value = plus_times(value, take(mixes, (0, i)), take(games, (used[0, i], j)))
        low = lesser(low, value)
    for i in range(rows):
        value = zero
        for j in range(size):
            value = plus_times(value, take(mixes, (1, j)), take(games, (i, used[1, j])))
        high = greater(high, value)
    return low, high
