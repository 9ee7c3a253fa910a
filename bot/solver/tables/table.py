"""Tables: files with the values of a whole game. A file is memory-mapped; each layer has its own hash.

A file is `MAGIC`, the length of the head in 8 digits, the head (JSON), the head's SHA-256 in hex, and the layers. Each
layer begins at a multiple of 64 bytes. A layer has an offset and a step (32-bit floats) for each of its words in
ascending order, then all its values as 16-bit numbers: value = offset + step * number. Words and sets of prizes have
the order of `Frame`.

A layer may be packed instead (`packing`): then all its values are multiples of one step, and the multiples are stored.
A packed layer is unpacked at first use.
"""

import hashlib
import json
import mmap
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.solver.exact.position import Position
from bot.solver.exact.solve import Frame, build_frame, start_whole_game
from bot.solver.kernels.jit import Floats, Ints
from bot.solver.tables.packing import pack, unpack

MAGIC = b"GOPS table 1\n"
_STEPS = 65534
_HALF = 32767


class TableError(Exception):
    """A table cannot be used; the message says why."""


@dataclass(frozen=True)
class TableLayer:
    """One layer of a table."""

    cards: int
    words: int
    values: int
    gap: float  # the widest gap of its games
    games: int
    repaired: int  # games that exact arithmetic solved
    error: float  # the largest rounding error of a value
    sha256: str
    step: float = 0.0  # of a packed layer: its values are multiples of the step
    packed: int = 0  # of a packed layer: its size in bytes

    @property
    def bytes(self) -> int:
        return self.packed or 8 * self.words + 2 * self.values


@dataclass(frozen=True)
class TableHead:
    """The head of a table file."""

    cards: int
    ties: str
    layers: tuple[TableLayer, ...]  # fewest cards first

    def may_know(self, position: Position) -> bool:
        """Return True if the table may have a position before a prize is turned; only the head is checked."""
        aim, prizes = position.aim, position.prizes
        return (
            (aim.win, aim.swap, position.ordered) == (False, False, False)
            and aim.carry == (self.ties == "carry")
            and any(len(position.mine) == layer.cards for layer in self.layers)
            and 0 < min(prizes) <= max(prizes) <= self.cards
        )

    def text(self) -> bytes:
        layers = [
            {key: each for key, each in asdict(layer).items() if layer.packed or key not in ("step", "packed")}
            for layer in self.layers
        ]
        return json.dumps({"cards": self.cards, "ties": self.ties, "layers": layers}, sort_keys=True).encode()


def encode_layer(values: Floats, starts: NDArray[np.int64]) -> tuple[list[memoryview], float]:
    """Return a layer as bytes, in parts, and the largest rounding error."""
    low: Floats = np.minimum.reduceat(values, starts[:-1])
    high: Floats = np.maximum.reduceat(values, starts[:-1])
    offset: NDArray[np.float32] = ((low + high) / 2).astype(np.float32)
    # A little wider, so that rounding the offset and the step does not push a number out of the range.
    step: NDArray[np.float32] = ((high - low) / (_STEPS - 2) + 1e-30).astype(np.float32)
    lengths = np.diff(starts)
    numbers: NDArray[np.int16] = np.empty(len(values), dtype=np.int16)
    worst = 0.0
    for first in range(0, len(lengths), 4096):  # in pieces, to limit memory: a layer may be very large
        rows = slice(first, first + 4096)
        part = slice(int(starts[first]), int(starts[min(first + 4096, len(lengths))]))
        at = np.repeat(offset[rows].astype(np.float64), lengths[rows])
        unit = np.repeat(step[rows].astype(np.float64), lengths[rows])
        rounded = np.clip(np.rint((values[part] - at) / unit), -_HALF, _HALF)
        worst = max(worst, float(np.abs(at + unit * rounded - values[part]).max()))
        numbers[part] = rounded.astype(np.int16)
    little = offset.astype("<f4", copy=False), step.astype("<f4", copy=False), numbers.astype("<i2", copy=False)
    return [array.data.cast("B") for array in little], worst


def pack_layer(values: Floats, shape: Frame, cards: int, step: float) -> tuple[bytes, float]:
    """Return a layer packed as multiples of a step, and the largest rounding error."""
    numbers: Ints = np.rint(values / step).astype(np.int64)
    data = pack([numbers[first[:, None] + np.arange(length)] for first, length in _list_blocks(shape, cards)])
    return data, float(np.abs(step * numbers - values).max(initial=0.0))


def _list_blocks(shape: Frame, cards: int) -> list[tuple[Ints, int]]:
    """Group the words of a layer with equal pots into matrices: the start of each row (word), and the row length."""
    starts, kinds = shape.layout(cards).start, shape.layout(cards).kind
    blocks: list[tuple[Ints, int]] = []
    for kind in np.unique(kinds).tolist():
        first: Ints = starts[:-1][kinds == kind]
        length = int(np.diff(starts)[kinds == kind][0])
        if length:
            blocks.append((first, length))
    return blocks


def _narrow(numbers: NDArray[np.int32]) -> NDArray[np.signedinteger[Any]]:
    small = numbers.astype(np.int16)
    return small if np.array_equal(small, numbers) else numbers


def write_table(path: Path, head: TableHead, sections: Iterable[bytes]) -> None:
    """Write a table; the file gets its name only when it is complete."""
    text = head.text()
    partial = path.with_suffix(".writing")
    with partial.open("wb") as file:
        file.write(MAGIC + b"%08d" % len(text) + text + hashlib.sha256(text).hexdigest().encode())
        for section in sections:
            file.write(bytes(-file.tell() % 64))
            file.write(section)
        file.flush()
    partial.replace(path)


@dataclass(frozen=True)
class _OpenLayer:
    """The values of a layer: offset + step * number, with an offset and a step for each word."""

    offset: NDArray[np.floating[Any]]
    step: NDArray[np.floating[Any]]
    numbers: NDArray[np.signedinteger[Any]]


class ValueTable:
    """An opened table; `open_table` has checked its bytes."""

    is_exact = False

    def __init__(self, path: Path, head: TableHead, data: mmap.mmap) -> None:
        self.path = path
        self.head = head
        self.shape = build_frame(start_whole_game(head.cards, head.ties), head.layers[0].cards)
        self._data = data
        self._sections = {section.cards: (section, at) for section, at in _list_places(head)}
        self._opened: dict[int, _OpenLayer] = {}
        for section in head.layers:
            if self.shape.size(section.cards) != (section.words, section.values):
                raise TableError(f"{path}: the layer of {section.cards} cards has not the size that it should have")
        self._starts = {cards: self.shape.layout(cards).start for cards in self._sections}

    def value(self, position: Position) -> float | None:
        """Return the value before the next prize is turned; None if the table does not have the position."""
        if not position.mine or not set(position.prizes) <= set(self.shape.prizes):
            return None
        place = self.shape.find_place(position)
        if not isinstance(place, tuple):
            return place
        cards, at, facing = place
        if cards not in self._sections:
            return None  # the whole hands of the first move: no move leads to them
        layer = self._layer(cards)
        word = int(np.searchsorted(self._starts[cards], at, side="right")) - 1
        return facing * (float(layer.offset[word]) + float(layer.step[word]) * int(layer.numbers[at]))

    def decode_layer(self, cards: int) -> Floats:
        """Return all values of a layer."""
        layer = self._layer(cards)
        lengths = np.diff(self._starts[cards])
        values = np.repeat(layer.offset.astype(np.float64), lengths)
        values += np.repeat(layer.step.astype(np.float64), lengths) * layer.numbers
        return values

    def _layer(self, cards: int) -> _OpenLayer:
        if cards not in self._opened:
            self._opened[cards] = self._open(*self._sections[cards])
        return self._opened[cards]

    def _open(self, section: TableLayer, at: int) -> _OpenLayer:
        if not section.packed:
            return _OpenLayer(
                np.frombuffer(self._data, "<f4", section.words, at),
                np.frombuffer(self._data, "<f4", section.words, at + 4 * section.words),
                np.frombuffer(self._data, "<i2", section.values, at + 8 * section.words),
            )
        blocks = _list_blocks(self.shape, section.cards)
        packed = np.frombuffer(self._data, np.uint8, section.packed, at)
        numbers: NDArray[np.int32] = np.zeros(section.values, dtype=np.int32)
        for (first, length), block in zip(
            blocks, unpack(packed, [(len(first), length) for first, length in blocks]), strict=True
        ):
            for place, row in zip(first.tolist(), block, strict=True):
                numbers[place : place + length] = row
        return _OpenLayer(np.zeros(section.words), np.full(section.words, section.step), _narrow(numbers))


def open_table(path: Path) -> ValueTable:
    """Map a table into memory and check all its bytes; raise TableError if it is damaged."""
    data = _map_file(path)
    head = _read_head(path, data)
    view = memoryview(data)
    end = 0
    for section, at in _list_places(head):
        end = at + section.bytes
        if hashlib.sha256(view[at:end]).hexdigest() != section.sha256:
            raise TableError(f"{path}: the layer of {section.cards} cards is damaged; build the table again")
    if end != len(data) or any(view[a:b].tobytes().strip(b"\0") for a, b in _list_paddings(head)):
        raise TableError(f"{path}: there is more in it than its head says; build the table again")
    return ValueTable(path, head, data)


def read_head(path: Path) -> TableHead:
    """Read the head of a table; the layers are not checked."""
    return _read_head(path, _map_file(path))


def _map_file(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise TableError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _read_head(path: Path, data: mmap.mmap) -> TableHead:
    start = len(MAGIC) + 8
    try:
        if data[: len(MAGIC)] != MAGIC:
            raise TableError(f"{path}: this is not a table of values")
        end = start + int(data[len(MAGIC) : start])
        text = data[start:end]
        if hashlib.sha256(text).hexdigest().encode() != data[end : end + 64]:
            raise TableError(f"{path}: its head is damaged; build the table again")
        found: dict[str, Any] = json.loads(text)
        head = TableHead(found["cards"], found["ties"], tuple(TableLayer(**each) for each in found["layers"]))
    except (ValueError, KeyError, TypeError):
        raise TableError(f"{path}: its head cannot be read; build the table again") from None
    if head.text() != text or not head.layers:
        raise TableError(f"{path}: its head cannot be read; build the table again")
    return head


def _list_places(head: TableHead) -> list[tuple[TableLayer, int]]:
    """Return each layer and the byte at which it begins."""
    at = _find_head_end(head)
    places: list[tuple[TableLayer, int]] = []
    for section in head.layers:
        at += -at % 64
        places.append((section, at))
        at += section.bytes
    return places


def _list_paddings(head: TableHead) -> list[tuple[int, int]]:
    ends = [_find_head_end(head), *(at + section.bytes for section, at in _list_places(head))]
    return [(end, at) for end, (_, at) in zip(ends, _list_places(head), strict=False)]


def _find_head_end(head: TableHead) -> int:
    return len(MAGIC) + 8 + len(head.text()) + 64
