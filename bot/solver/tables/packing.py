"""Whole numbers in few bits, without loss: for layers of tables that come along.

A block is a matrix. Most of it follows from a few common shapes, of which every row is made in parts of its own; what
is left over is small, and goes through a range coder whose chances adapt. Writing and reading are one walk, so they
cannot differ in what they expect.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.jit import Floats, Ints, kernel

Bytes = NDArray[np.uint8]

RANKS = (0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
"""How many shapes are tried; the fewest bytes win."""
ROOM = 32
"""More bytes than a number can take, with its part of everything else."""
FINE = 14
"""Bits behind the point of a shape."""
AT_ONCE = 1024
"""Rows that are put together at once when they are read."""
COARSE = 3
"""Bits of a part that are rounded away: a shape's entries are small, so a part need not be exact."""

CoderState = tuple[int, int, int, int, int, int]
"""Whether it is read; where the range begins, its span; a byte that a carry may change, how many wait; the place."""
_LEVELS = 16
"""Contexts of what is left over: by how much was left over beside it."""
_SLOTS = 64
_UNARY, _LONG, _BITS = 2, 16, 60
_CONTEXTS = _LEVELS + 80
_HALF = 1 << 14
_ALL = 0xFFFFFFFF
_EDGES = (4, 8, 12, 18, 26, 36, 50, 70, 100, 140, 200, 280, 400, 800, 1600)
_OF = np.searchsorted(np.array(_EDGES), np.arange(_EDGES[-1] + 1), side="right").astype(np.int64)


class Stream:
    """Numbers written one after the other, or read."""

    def __init__(self, data: Bytes | None = None, room: int = 0) -> None:
        self._data: Bytes = np.zeros(room + 64, dtype=np.uint8) if data is None else data.copy()
        self._state: CoderState = (0, 0, _ALL, 0, 1, 0)
        self._fast: Ints = np.full(_CONTEXTS * _SLOTS, _HALF, dtype=np.int64)
        self._slow: Ints = self._fast.copy()
        if data is not None:
            self._state = begin_reading(self._data)

    def numbers(self, block: Ints, first: int, *, by_row: bool) -> None:
        """A matrix whose rows, or all of it, have chances of their own; filled in where it is read."""
        self._state = code_numbers(self._state, self._data, self._fast, self._slow, block, first, by_row)

    def left_over(self, block: Ints) -> None:
        """A matrix of small numbers; filled in where it is read."""
        self._state = code_rest(self._state, self._data, self._fast, self._slow, block, _OF)

    def done(self) -> bytes:
        """All that was written."""
        return self._data[: end_writing(self._state, self._data)].tobytes()


def pack(blocks: Sequence[Ints]) -> bytes:
    """Some matrices."""
    stream = Stream(room=ROOM * sum(block.size for block in blocks) + 4096 * len(blocks))
    for block in blocks:
        top = _find_directions(block)
        ranks = [rank for rank in RANKS if rank <= len(top)]
        _write(stream, block, top[: min(ranks, key=lambda rank: len(_pack_alone(block, top[:rank])))])
    return stream.done()


def unpack(data: Bytes, sizes: Sequence[tuple[int, int]]) -> Iterator[Ints]:
    """The same matrices, of these sizes; one after the other, since each may be most of a layer."""
    stream = Stream(data)
    for rows, columns in sizes:
        yield _read(stream, rows, columns)


def _pack_alone(block: Ints, top: Floats) -> bytes:
    stream = Stream(room=ROOM * block.size + 4096)
    _write(stream, block, top)
    return stream.done()


def _write(stream: Stream, block: Ints, top: Floats) -> None:
    parts, shapes = _find_shapes(block, top)
    stream.numbers(np.array([[len(top)]], dtype=np.int64), _LEVELS, by_row=False)
    stream.numbers(shapes, _LEVELS, by_row=False)
    stream.numbers(parts, _LEVELS + 1, by_row=True)
    stream.left_over(block - _multiply_parts(parts, shapes, block.shape))


def _read(stream: Stream, rows: int, columns: int) -> Ints:
    rank: Ints = np.zeros((1, 1), dtype=np.int64)
    stream.numbers(rank, _LEVELS, by_row=False)
    count = min(max(int(rank[0, 0]), 0), RANKS[-1])
    shapes: Ints = np.zeros((count, columns), dtype=np.int64)
    parts: Ints = np.zeros((count, rows), dtype=np.int64)
    stream.numbers(shapes, _LEVELS, by_row=False)
    stream.numbers(parts, _LEVELS + 1, by_row=True)
    block: Ints = np.zeros((rows, columns), dtype=np.int64)
    stream.left_over(block)
    for first in range(0, rows, AT_ONCE):  # in pieces: a block may be most of a layer
        part = slice(first, first + AT_ONCE)
        block[part] += _multiply_parts(parts[:, part], shapes, block[part].shape)
    return block


def _find_directions(block: Ints) -> Floats:
    """The directions in which the rows of a matrix differ most, those first."""
    whole = block.astype(np.float64)
    wide = block.shape[1] > block.shape[0]
    _, vectors = np.linalg.eigh(whole @ whole.T if wide else whole.T @ whole)
    top = vectors[:, ::-1].T[: min(RANKS[-1], min(block.shape) - 1)]
    if wide:
        top = top @ whole
        top /= np.maximum(np.linalg.norm(top, axis=1, keepdims=True), 1e-9)
    return top


def _find_shapes(block: Ints, top: Floats) -> tuple[Ints, Ints]:
    """Shapes that are most of a matrix, and of which parts each row is made: parts[shape, row]."""
    if not len(top):
        return np.zeros((0, block.shape[0]), dtype=np.int64), np.zeros((0, block.shape[1]), dtype=np.int64)
    shapes = _round_numbers(np.ldexp(top, FINE))
    parts, *_ = np.linalg.lstsq(np.ldexp(shapes.astype(np.float64), COARSE - FINE).T, block.T.astype(np.float64))
    return _round_numbers(parts), shapes


def _round_numbers(numbers: NDArray[np.floating[Any]]) -> Ints:
    """As whole numbers, row by row: or the coder would be compiled for another layout."""
    return np.ascontiguousarray(np.rint(numbers).astype(np.int64))


def _multiply_parts(parts: Ints, shapes: Ints, size: tuple[int, ...]) -> Ints:
    """What parts of shapes come to. Sums of whole numbers below 2^53, so they are the same in any order."""
    if not len(shapes):
        return np.zeros(size, dtype=np.int64)
    product = parts.T.astype(np.float64) @ shapes.astype(np.float64)
    return np.rint(np.ldexp(product, COARSE - FINE)).astype(np.int64)


@kernel
def begin_reading(data: Bytes) -> CoderState:
    """The first bytes of what is read."""
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
    """A byte that no carry can change any more, and those that waited for it."""
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
    """The last bytes of what is written; how many there are."""
    _, low, _, held, pending, at = state
    for _ in range(5):
        low, held, pending, at = push_byte(low, held, pending, data, at)
    return at


@kernel
def code_bit(state: CoderState, data: Bytes, fast: Ints, slow: Ints, slot: int, bit: int) -> tuple[int, CoderState]:
    """One bit, written or read; a likely one takes less room."""
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
    """A whole number, small ones in the fewest bits: zero or not, its sign, then how far it is from there."""
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
    """Where much was left over beside a number, in its row and in its column, much is expected of it."""
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
