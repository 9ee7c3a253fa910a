"""Matrix games, compiled: a guess from an earlier game's support, else the simplex method, and a certificate for each.

The row player's mix x guarantees the least entry of xM, the column player's mix y guarantees that it is no more than
the greatest of My. The gap between the two bounds the error of the value, however the mixes were found.
"""

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.compiled import kernel

Floats = NDArray[np.float64]
Spots = NDArray[np.int64]

WIDTH = 16
"""Rows and columns of every work array: 13 bids, and room for the simplex method's last row and column."""
TOLERANCE = 1e-12
"""The widest gap that passes without another try."""
_PIVOTS = 200
_TINY = 1e-11


@kernel
def from_support(
    game: Floats, rows: int, columns: int, shift: float, used: Spots, size: int, work: Floats, x: Floats, y: Floats
) -> bool:
    """Mixes that make every bid of the support do equally well: rows used[0], columns used[1]. False: none do."""
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
def certify(
    game: Floats, rows: int, columns: int, used: Spots, size: int, x: Floats, y: Floats, bounds: Floats
) -> float:
    """The gap of two mixes on a support; what they guarantee goes into bounds."""
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
    bounds[0] = low
    bounds[1] = high
    return high - low


@kernel
def simplex(game: Floats, rows: int, columns: int, shift: float, used: Spots, table: Floats, basis: Spots) -> int:
    """The support of an optimal pair, by a condensed tableau. 0: it gave up.

    Most of y's sum with (game + shift) y at most 1.
    """
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
        column = columns  # none yet; a number of ours would have `pivot` compiled for that number as well
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
    """Swap a basic and a free variable."""
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
def solve(
    game: Floats,
    rows: int,
    columns: int,
    shift: float,
    used: Spots,
    guess: int,
    table: Floats,
    basis: Spots,
    x: Floats,
    y: Floats,
    bounds: Floats,
) -> int:
    """Solve one game: the size of the support in used, its mixes in x and y, what they guarantee in bounds."""
    if (
        guess > 0
        and from_support(game, rows, columns, shift, used, guess, table, x, y)
        and certify(game, rows, columns, used, guess, x, y, bounds) <= TOLERANCE
    ):
        return guess
    size = simplex(game, rows, columns, shift, used, table, basis)
    if size > 0 and from_support(game, rows, columns, shift, used, size, table, x, y):
        certify(game, rows, columns, used, size, x, y, bounds)
        return size
    bounds[0] = -np.inf
    bounds[1] = np.inf
    return 0
