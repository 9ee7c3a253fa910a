"""Tables: values of a whole game in a file, each layer under its own hash, mapped and not read.

A file is `MAGIC`, the length of the head in 8 digits, the head (JSON), the head's SHA-256 in hex, and the layers,
each from a multiple of 64 on. A layer is, for each of its words in ascending order, an offset and a step (32-bit
floats), and then all its values as 16-bit numbers: value = offset + step * number. Words and sets of prizes are in the
order of `Frame`.

A layer may be packed instead (`packing`): then all its values are multiples of one step, and what is kept is which. It
is unpacked when it is first asked for.
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
    gap: float  # the widest certificate of the games behind it
    games: int
    repaired: int  # games that needed exact arithmetic
    error: float  # the most that a value lost by rounding
    sha256: str
    step: float = 0.0  # where it is packed: what all its values are multiples of
    packed: int = 0  # into so many bytes

    @property
    def bytes(self) -> int:
        return self.packed or 8 * self.words + 2 * self.values


@dataclass(frozen=True)
class TableHead:
    """What a table says of itself."""

    cards: int
    ties: str
    layers: tuple[TableLayer, ...]  # fewest cards first

    def may_know(self, position: Position) -> bool:
        """Whether it is worth while to look for a position, before a prize is turned."""
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
    """A layer as bytes, in parts, and the most that a value lost."""
    flat = values.reshape(-1)
    low: Floats = np.minimum.reduceat(flat, starts[:-1])
    high: Floats = np.maximum.reduceat(flat, starts[:-1])
    offset: NDArray[np.float32] = ((low + high) / 2).astype(np.float32)
    # A little wider, so that rounding the offset and the step pushes nothing over the edge.
    step: NDArray[np.float32] = ((high - low) / (_STEPS - 2) + 1e-30).astype(np.float32)
    lengths = np.diff(starts)
    numbers: NDArray[np.int16] = np.empty(len(flat), dtype=np.int16)
    worst = 0.0
    for first in range(0, len(lengths), 4096):  # in pieces: a layer may be most of the memory there is
        rows = slice(first, first + 4096)
        part = slice(int(starts[first]), int(starts[min(first + 4096, len(lengths))]))
        at = np.repeat(offset[rows].astype(np.float64), lengths[rows])
        unit = np.repeat(step[rows].astype(np.float64), lengths[rows])
        found = np.clip(np.rint((flat[part] - at) / unit), -_HALF, _HALF)
        worst = max(worst, float(np.abs(at + unit * found - flat[part]).max()))
        numbers[part] = found.astype(np.int16)
    little = offset.astype("<f4", copy=False), step.astype("<f4", copy=False), numbers.astype("<i2", copy=False)
    return [array.data.cast("B") for array in little], worst


def pack_layer(values: Floats, shape: Frame, cards: int, step: float) -> tuple[bytes, float]:
    """A layer packed as multiples of a step, and the most that a value lost."""
    flat = values.reshape(-1)
    numbers: Ints = np.rint(flat / step).astype(np.int64)
    data = pack([numbers[first[:, None] + np.arange(length)] for first, length in _list_blocks(shape, cards)])
    return data, float(np.abs(step * numbers - flat).max(initial=0.0))


def _list_blocks(shape: Frame, cards: int) -> list[tuple[Ints, int]]:
    """The values of a layer as matrices of a row for each word: words with the same pots together. Where each row lies,
    and its length."""
    starts, own = list_row_starts(shape, cards), shape.layout(cards)
    kinds = np.zeros(len(starts) - 1, dtype=np.int32) if own is None else own.kind
    found: list[tuple[Ints, int]] = []
    for kind in np.unique(kinds).tolist():
        first: Ints = starts[:-1][kinds == kind]
        length = int(np.diff(starts)[kinds == kind][0])
        if length:
            found.append((first, length))
    return found


def _narrow(numbers: NDArray[np.int32]) -> NDArray[np.signedinteger[Any]]:
    small = numbers.astype(np.int16)
    return small if np.array_equal(small, numbers) else numbers


def list_row_starts(shape: Frame, cards: int) -> NDArray[np.int64]:
    """Where the values of each word of a layer begin."""
    own = shape.layout(cards)
    if own:
        return own.start
    words, values = shape.size(cards)
    return np.arange(words + 1, dtype=np.int64) * (values // words)


def write_table(path: Path, head: TableHead, sections: Iterable[bytes]) -> None:
    """A whole table, which appears under its name only when it is complete."""
    text = head.text()
    half = path.with_suffix(".writing")
    with half.open("wb") as file:
        file.write(MAGIC + b"%08d" % len(text) + text + hashlib.sha256(text).hexdigest().encode())
        for section in sections:
            file.write(bytes(-file.tell() % 64))
            file.write(section)
        file.flush()
    half.replace(path)


@dataclass(frozen=True)
class _OpenLayer:
    """The values of a layer: offset + step * number, of each word."""

    offset: NDArray[np.floating[Any]]
    step: NDArray[np.floating[Any]]
    numbers: NDArray[np.signedinteger[Any]]


class ValueTable:
    """A table that was opened, and found whole."""

    exact = False

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
        self._starts = {cards: list_row_starts(self.shape, cards) for cards in self._sections}

    def value(self, position: Position) -> float | None:
        """The value before the next prize is turned; None: not in this table."""
        if not position.mine or not set(position.prizes) <= set(self.shape.prizes):
            return None
        found = self.shape.place(position)
        if not isinstance(found, tuple):
            return found
        cards, at, facing = found
        if cards not in self._sections:
            return None  # the whole hands of the first move: nothing leads to them
        layer = self._layer(cards)
        word = int(np.searchsorted(self._starts[cards], at, side="right")) - 1
        return facing * (float(layer.offset[word]) + float(layer.step[word]) * int(layer.numbers[at]))

    def decoded(self, cards: int) -> Floats:
        """A whole layer as a solve would hold it."""
        layer = self._layer(cards)
        lengths = np.diff(self._starts[cards])
        values = np.repeat(layer.offset.astype(np.float64), lengths)
        values += np.repeat(layer.step.astype(np.float64), lengths) * layer.numbers
        return values.reshape(self.shape.size(cards)[0], -1) if self.shape.places is None else values

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
        for (first, length), found in zip(
            blocks, unpack(packed, [(len(first), length) for first, length in blocks]), strict=True
        ):
            for place, row in zip(first.tolist(), found, strict=True):
                numbers[place : place + length] = row
        return _OpenLayer(np.zeros(section.words), np.full(section.words, section.step), _narrow(numbers))


def open_table(path: Path) -> ValueTable:
    """Map a table after checking every byte of it."""
    data = _map_file(path)
    head = _read_head(path, data)
    view = memoryview(data)
    end = 0
    for section, at in _list_places(head):
        end = at + section.bytes
        if hashlib.sha256(view[at:end]).hexdigest() != section.sha256:
            raise TableError(f"{path}: the layer of {section.cards} cards is damaged; build the table anew")
    if end != len(data) or any(view[a:b].tobytes().strip(b"\0") for a, b in _list_paddings(head)):
        raise TableError(f"{path}: there is more in it than its head says; build the table anew")
    return ValueTable(path, head, data)


def read_head(path: Path) -> TableHead:
    """What a table says of itself; whether the rest is whole is not looked at."""
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
            raise TableError(f"{path}: its head is damaged; build the table anew")
        found: dict[str, Any] = json.loads(text)
        head = TableHead(found["cards"], found["ties"], tuple(TableLayer(**each) for each in found["layers"]))
    except (ValueError, KeyError, TypeError):
        raise TableError(f"{path}: its head cannot be read; build the table anew") from None
    if head.text() != text or not head.layers:
        raise TableError(f"{path}: its head cannot be read; build the table anew")
    return head


def _list_places(head: TableHead) -> list[tuple[TableLayer, int]]:
    """Where each layer begins."""
    at = _find_head_end(head)
    found: list[tuple[TableLayer, int]] = []
    for section in head.layers:
        at += -at % 64
        found.append((section, at))
        at += section.bytes
    return found


def _list_paddings(head: TableHead) -> list[tuple[int, int]]:
    ends = [_find_head_end(head), *(at + section.bytes for section, at in _list_places(head))]
    return [(end, at) for end, (_, at) in zip(ends, _list_places(head), strict=False)]


def _find_head_end(head: TableHead) -> int:
    return len(MAGIC) + 8 + len(head.text()) + 64
