"""Lossless compression of integer matrices, for the layers of shipped tables.

A block is a matrix. It is approximated by a matrix of low rank: each row is a sum of a few common shapes, with factors
(parts) of its own. The residuals are small; an adaptive range coder writes them. Writing and reading run the same
code, so their models always agree.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.jit import Floats, Ints, kernel

Bytes = NDArray[np.uint8]

RANKS = (0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
"""The numbers of shapes to try; the smallest result is kept."""
ROOM = 32
"""An upper bound of the bytes for each number, its share of shapes and parts included."""
FINE = 14
"""Fractional bits of a shape's entries."""
AT_ONCE = 1024
"""The number of rows that are multiplied at once when a block is read."""
COARSE = 3
"""Bits of a part that are rounded away: the entries of a shape are small, so a part need not be exact."""

CoderState = tuple[int, int, int, int, int, int]
"""(1 for reading, start of the range, its span, byte that a carry may still change, number of pending bytes, index)"""
_LEVELS = 16
"""The number of contexts for residuals; the context depends on the neighbouring residuals."""
_SLOTS = 64
_UNARY, _LONG, _BITS = 2, 16, 60
_CONTEXTS = _LEVELS + 80
_HALF = 1 << 14
_ALL = 0xFFFFFFFF
_EDGES = (4, 8, 12, 18, 26, 36, 50, 70, 100, 140, 200, 280, 400, 800, 1600)
_OF = np.searchsorted(np.array(_EDGES), np.arange(_EDGES[-1] + 1), side="right").astype(np.int64)


class Stream:
    """A range coder that writes numbers, or reads them if it is given data."""

    def __init__(self, data: Bytes | None = None, room: int = 0) -> None:
        self._data: Bytes = np.zeros(room + 64, dtype=np.uint8) if data is None else data.copy()
        self._state: CoderState = (0, 0, _ALL, 0, 1, 0)
        self._fast: Ints = np.full(_CONTEXTS * _SLOTS, _HALF, dtype=np.int64)
        self._slow: Ints = self._fast.copy()
        if data is not None:
            self._state = begin_reading(self._data)

    def code_numbers(self, block: Ints, first: int, *, by_row: bool) -> None:
        """Write a matrix, or fill it in when reading; with `by_row` each row has a context of its own."""
        self._state = code_numbers(self._state, self._data, self._fast, self._slow, block, first, by_row)

    def code_residuals(self, block: Ints) -> None:
        """Write a matrix of residuals, or fill it in when reading."""
        self._state = code_rest(self._state, self._data, self._fast, self._slow, block, _OF)

    def finish(self) -> bytes:
        """End writing; return the bytes."""
        return self._data[: end_writing(self._state, self._data)].tobytes()


def pack(blocks: Sequence[Ints]) -> bytes:
    """Compress matrices."""
    stream = Stream(room=ROOM * sum(block.size for block in blocks) + 4096 * len(blocks))
    for block in blocks:
        top = _find_directions(block)
        ranks = [rank for rank in RANKS if rank <= len(top)]
        _write(stream, block, top[: min(ranks, key=lambda rank: len(_pack_alone(block, top[:rank])))])
    return stream.finish()


def unpack(data: Bytes, sizes: Sequence[tuple[int, int]]) -> Iterator[Ints]:
    """Yield the matrices that `pack` compressed; `sizes` are their rows and columns. A matrix may be large."""
    stream = Stream(data)
    for rows, columns in sizes:
        yield _read(stream, rows, columns)


def _pack_alone(block: Ints, top: Floats) -> bytes:
    stream = Stream(room=ROOM * block.size + 4096)
    _write(stream, block, top)
    return stream.finish()


def _write(stream: Stream, block: Ints, top: Floats) -> None:
    parts, shapes = _find_shapes(block, top)
    stream.code_numbers(np.array([[len(top)]], dtype=np.int64), _LEVELS, by_row=False)
    stream.code_numbers(shapes, _LEVELS, by_row=False)
    stream.code_numbers(parts, _LEVELS + 1, by_row=True)
    stream.code_residuals(block - _multiply_parts(parts, shapes, block.shape))


def _read(stream: Stream, rows: int, columns: int) -> Ints:
    rank: Ints = np.zeros((1, 1), dtype=np.int64)
    stream.code_numbers(rank, _LEVELS, by_row=False)
    count = min(max(int(rank[0, 0]), 0), RANKS[-1])
    shapes: Ints = np.zeros((count, columns), dtype=np.int64)
    parts: Ints = np.zeros((count, rows), dtype=np.int64)
    stream.code_numbers(shapes, _LEVELS, by_row=False)
    stream.code_numbers(parts, _LEVELS + 1, by_row=True)
    block: Ints = np.zeros((rows, columns), dtype=np.int64)
    stream.code_residuals(block)
    for first in range(0, rows, AT_ONCE):  # in pieces, to limit memory: a block may be most of a layer
        part = slice(first, first + AT_ONCE)
        block[part] += _multiply_parts(parts[:, part], shapes, block[part].shape)
    return block


def _find_directions(block: Ints) -> Floats:
    """Return the principal directions of the rows of a matrix, the most important first."""
    whole = block.astype(np.float64)
    wide = block.shape[1] > block.shape[0]
    _, vectors = np.linalg.eigh(whole @ whole.T if wide else whole.T @ whole)
    top = vectors[:, ::-1].T[: min(RANKS[-1], min(block.shape) - 1)]
    if wide:
        top = top @ whole
        top /= np.maximum(np.linalg.norm(top, axis=1, keepdims=True), 1e-9)
    return top


def _find_shapes(block: Ints, top: Floats) -> tuple[Ints, Ints]:
    """Round the directions to shapes; return the parts of each row, parts[shape, row], and the shapes."""
    if not len(top):
        return np.zeros((0, block.shape[0]), dtype=np.int64), np.zeros((0, block.shape[1]), dtype=np.int64)
    shapes = _round_numbers(np.ldexp(top, FINE))
    parts, *_ = np.linalg.lstsq(np.ldexp(shapes.astype(np.float64), COARSE - FINE).T, block.T.astype(np.float64))
    return _round_numbers(parts), shapes


def _round_numbers(numbers: NDArray[np.floating[Any]]) -> Ints:
    """Round to integers in C order: for another order numba would compile the coder again."""
    return np.ascontiguousarray(np.rint(numbers).astype(np.int64))


def _multiply_parts(parts: Ints, shapes: Ints, size: tuple[int, ...]) -> Ints:
    """Return the sums of parts times shapes. All sums are integers below 2^53, so their order does not matter."""
    if not len(shapes):
        return np.zeros(size, dtype=np.int64)
    product = parts.T.astype(np.float64) @ shapes.astype(np.float64)
    return np.rint(np.ldexp(product, COARSE - FINE)).astype(np.int64)


@kernel
def begin_reading(data: Bytes) -> CoderState:
    """Return the coder's state after the first bytes of the data."""
    low = 0
    for at in range(5):
        low = pull_byte(low, data, at)
    return 1, low, _ALL, 0, 0, 5


@kernel
def pull_byte(low: int, data: Bytes, at: int) -> int:
    low = low << 8 & _ALL
    if at < data.shape[0]:
        low |= int(data[at])
    return low


@kernel
def push_byte(low: int, held: int, pending: int, data: Bytes, at: int) -> tuple[int, int, int, int]:
    """Move the highest byte of the range out; write the bytes that no carry can change any more."""
    if low < 0xFF000000 or low > _ALL:
        carry = low >> 32
        while pending > 0:
            data[at] = np.uint8((held + carry) & 0xFF)
            held = 0xFF
            at += 1
            pending -= 1
        held = low >> 24 & 0xFF
    return (low & 0xFFFFFF) << 8, held, pending + 1, at


@kernel
def end_writing(state: CoderState, data: Bytes) -> int:
    """Write the last bytes; return the number of all bytes."""
    _, low, _, held, pending, at = state
    for _ in range(5):
        low, held, pending, at = push_byte(low, held, pending, data, at)
    return at


@kernel
def code_bit(state: CoderState, data: Bytes, fast: Ints, slow: Ints, slot: int, bit: int) -> tuple[int, CoderState]:
    """Write or read one bit, and adapt its probability."""
    reading, low, span, held, pending, at = state
    bound = (span >> 15) * ((fast[slot] + slow[slot]) >> 1)
    if reading:
        bit = 1 if low >= bound else 0
    if bit:
        low += -bound if reading else bound
        span -= bound
        fast[slot] -= fast[slot] >> 4
        slow[slot] -= slow[slot] >> 7
    else:
        span = bound
        fast[slot] += (2 * _HALF - fast[slot]) >> 4
        slow[slot] += (2 * _HALF - slow[slot]) >> 7
    while span < 1 << 24:
        span <<= 8
        if reading:
            low = pull_byte(low, data, at)
            at += 1
        else:
            low, held, pending, at = push_byte(low, held, pending, data, at)
    return bit, (reading, low, span, held, pending, at)


@kernel
def code_number(
    state: CoderState, data: Bytes, fast: Ints, slow: Ints, context: int, given: int
) -> tuple[int, CoderState]:
    """Write or read a whole number: whether it is zero, its sign, then its distance. Small numbers take few bits."""
    first = context * _SLOTS
    some, state = code_bit(state, data, fast, slow, first, 1 if given else 0)
    if not some:
        return 0, state
    below, state = code_bit(state, data, fast, slow, first + 1, 1 if given < 0 else 0)
    more = abs(given) - 1
    size = 0
    while size < _LONG - _UNARY:
        some, state = code_bit(state, data, fast, slow, first + _UNARY + size, 1 if more > size else 0)
        if not some:
            break
        size += 1
    if size == _LONG - _UNARY:
        more -= size - 1  # at least 1
        length = 0
        while length < _BITS - _LONG - 1:
            some, state = code_bit(state, data, fast, slow, first + _LONG + length, 1 if more >> (length + 1) else 0)
            if not some:
                break
            length += 1
        found = 1
        for place in range(length - 1, -1, -1):
            some, state = code_bit(state, data, fast, slow, first + _BITS, more >> place & 1)
            found = found << 1 | some
        size += found - 1
    return (-size - 1 if below else size + 1), state


@kernel
def code_numbers(
    state: CoderState, data: Bytes, fast: Ints, slow: Ints, block: Ints, first: int, by_row: bool
) -> CoderState:
    for row in range(block.shape[0]):
        for column in range(block.shape[1]):
            context = first + row if by_row else first
            block[row, column], state = code_number(state, data, fast, slow, context, block[row, column])
    return state


@kernel
def code_rest(state: CoderState, data: Bytes, fast: Ints, slow: Ints, block: Ints, levels: Ints) -> CoderState:
    """Write or read residuals; the context of each depends on the residuals before it in its row and its column."""
    above = np.zeros(block.shape[1], np.int64)  # of each column, in sixteenths
    for row in range(block.shape[0]):
        before = 16
        for column in range(block.shape[1]):
            level = int(levels[min(before + above[column], levels.shape[0] - 1)])
            found, state = code_number(state, data, fast, slow, level, block[row, column])
            block[row, column] = found
            before += (16 * abs(found) - before) >> 3
            above[column] += (16 * abs(found) - above[column]) >> 4
    return state
