"""Kernels for one matrix game: try the support of an earlier game, else run the simplex method; certify the result.

The row player's mix x guarantees min(xM); the column player's mix y guarantees that the value is at most max(My). The
gap between the two bounds the error of the value, no matter how the mixes were computed.
"""

from typing import NamedTuple

import numpy as np

from bot.solver.kernels.jit import Floats, Ints, kernel

WIDTH = 16
"""Rows and columns of every work array: 13 bids, and room for the last row and column of the simplex tableau."""
TOLERANCE = 1e-12
"""The widest gap that counts as solved."""
_PIVOTS = 200
_TINY = 1e-11


class Workspace(NamedTuple):
    """Work arrays and results of one matrix game."""

    table: Floats
    basis: Ints  # [side, place]: the basic variables, then the free ones
    used: Ints  # [side, place]: the support, rows and then columns
    x: Floats  # the row player's mix on the support
    y: Floats
    bounds: Floats  # the lower and the upper bound of the value


def new_workspace() -> Workspace:
    """Allocate the work arrays."""
    places = np.zeros((2, WIDTH), dtype=np.int64)
    return Workspace(np.zeros((WIDTH, WIDTH)), places, places.copy(), np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(2))


@kernel
def solve_support(game: Floats, shift: float, used: Ints, size: int, space: Workspace) -> bool:
    """Find mixes that make all bids of the support (rows used[0], columns used[1]) indifferent.

    Return False if there are none. The order of used[0] may change.
    """
    work, x, y = space.table, space.x, space.y
    # B y = 1 and xB = 1 with B = game + shift on the support: eliminate once, substitute twice.
    for i in range(size):
        row = used[0, i]
        for j in range(size):
            work[i, j] = game[row, used[1, j]] + shift
        work[i, size] = 1.0
        x[i] = 1.0
    for c in range(size):
        best = c
        for i in range(c + 1, size):
            if abs(work[i, c]) > abs(work[best, c]):
                best = i
        if abs(work[best, c]) < _TINY:
            return False
        if best != c:
            for j in range(size + 1):
                work[c, j], work[best, j] = work[best, j], work[c, j]
            used[0, c], used[0, best] = used[0, best], used[0, c]
        inverse = 1.0 / work[c, c]
        for i in range(c + 1, size):
            factor = work[i, c] * inverse
            work[i, c] = factor
            for j in range(c + 1, size + 1):
                work[i, j] -= factor * work[c, j]
    total = 0.0
    for c in range(size - 1, -1, -1):
        value = work[c, size]
        for j in range(c + 1, size):
            value -= work[c, j] * y[j]
        value /= work[c, c]
        if value < -_TINY:
            return False
        y[c] = max(value, 0.0)
        total += y[c]
    for c in range(size):
        y[c] /= total
    # The same for the rows, with the transposed factors.
    for c in range(size):
        value = 1.0
        for i in range(c):
            value -= work[i, c] * x[i]
        x[c] = value / work[c, c]
    total = 0.0
    for c in range(size - 1, -1, -1):
        value = x[c]
        for i in range(c + 1, size):
            value -= work[i, c] * x[i]
        if value < -_TINY:
            return False
        x[c] = max(value, 0.0)
        total += x[c]
    for c in range(size):
        x[c] /= total
    return True


@kernel
def certify(game: Floats, rows: int, columns: int, used: Ints, size: int, space: Workspace) -> float:
    """Return the gap of the two mixes on a support; store the bounds of the value."""
    x, y = space.x, space.y
    low = np.inf
    for j in range(columns):
        value = 0.0
        for i in range(size):
            value += x[i] * game[used[0, i], j]
        low = min(low, value)
    high = -np.inf
    for i in range(rows):
        value = 0.0
        for j in range(size):
            value += y[j] * game[i, used[1, j]]
        high = max(high, value)
    space.bounds[0] = low
    space.bounds[1] = high
    return high - low


@kernel
def run_simplex(game: Floats, rows: int, columns: int, shift: float, used: Ints, space: Workspace) -> int:
    """Store the support of an optimal pair of mixes in `used`; return its size, or 0 after too many pivots.

    The condensed tableau maximises sum(y) with (game + shift) @ y <= 1. `shift` makes all entries positive.
    """
    table, basis = space.table, space.basis
    for i in range(rows):
        for j in range(columns):
            table[i, j] = game[i, j] + shift
        table[i, columns] = 1.0
        basis[0, i] = -1 - i  # slack of row i
    for j in range(columns):
        table[rows, j] = 1.0
        basis[1, j] = j
    table[rows, columns] = 0.0
    for _ in range(_PIVOTS):
        column = columns  # none yet; a literal would make numba compile `pivot` once more for that literal
        best = _TINY
        for j in range(columns):
            if table[rows, j] > best:
                best = table[rows, j]
                column = j
        if column == columns:
            break
        row = rows
        least = np.inf
        for i in range(rows):
            if table[i, column] > _TINY:
                ratio = table[i, columns] / table[i, column]
                if ratio < least:
                    least = ratio
                    row = i
        if row == rows:
            return 0
        pivot(table, rows, columns, row, column)
        basis[0, row], basis[1, column] = basis[1, column], basis[0, row]
    else:
        return 0
    size = 0
    for i in range(rows):
        if basis[0, i] >= 0:
            used[1, size] = basis[0, i]
            size += 1
    size = 0
    for j in range(columns):
        if basis[1, j] < 0:
            used[0, size] = -1 - basis[1, j]
            size += 1
    return size


@kernel
def pivot(table: Floats, rows: int, columns: int, row: int, column: int) -> None:
    """Swap the basic variable of a row with the free variable of a column."""
    inverse = 1.0 / table[row, column]
    for j in range(columns + 1):
        table[row, j] *= inverse
    table[row, column] = inverse
    for i in range(rows + 1):
        if i != row:
            factor = table[i, column]
            table[i, column] = 0.0
            for j in range(columns + 1):
                table[i, j] -= factor * table[row, j]


@kernel
def solve_game(game: Floats, rows: int, columns: int, shift: float, guess: int, space: Workspace) -> int:
    """Solve one game: store the support, its mixes and the bounds in the workspace. Return the size of the support.

    `guess` is the size of the support in the workspace that is tried first, or 0. If no support is certified, the
    result is 0 and the bounds are infinite.
    """
    used = space.used
    if (
        guess > 0
        and solve_support(game, shift, used, guess, space)
        and certify(game, rows, columns, used, guess, space) <= TOLERANCE
    ):
        return guess
    size = run_simplex(game, rows, columns, shift, used, space)
    if size > 0 and solve_support(game, shift, used, size, space):
        certify(game, rows, columns, used, size, space)
        return size
    space.bounds[0] = -np.inf
    space.bounds[1] = np.inf
    return 0
