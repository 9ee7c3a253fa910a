"""Build a table layer by layer. Each piece is stored as soon as it is ready, so a kill costs at most one piece."""

import hashlib
import json
import os
import random
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bot.solver.exact.induction import Layer, LayerWork, Piece, Workers, slice_words, solve_layer
from bot.solver.exact.position import Position
from bot.solver.exact.solve import Frame, answer_position, build_frame, solve_position, start_whole_game
from bot.solver.kernels.jit import Floats
from bot.solver.tables import table_name
from bot.solver.tables.table import (
    TableHead,
    TableLayer,
    ValueTable,
    encode_layer,
    pack_layer,
    write_table,
)

LayerProgress = Callable[[int, int, int], None]
"""Callback: the layer, the number of its words that are done, and the number of all its words."""


@dataclass(frozen=True)
class TablePlan:
    """The table to build, and its folder."""

    cards: int
    ties: str
    lowest: int  # the fewest cards of a layer in the table
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / table_name(self.cards, self.ties)

    @property
    def workshop(self) -> Path:
        """The folder of intermediate files, deleted when the table is complete."""
        return self.path.with_suffix(".building")


class _LayerJournal:
    """One layer on disk: a file of its values, and a file with a line for each complete piece."""

    def __init__(self, workshop: Path, work: LayerWork, size: int) -> None:
        cards = work.moves.cards
        work = replace(work, below=np.zeros(0))  # else the journal would keep the layer below in memory
        self.file = workshop / f"layer-{cards:02}.values"
        self._lines = workshop / f"layer-{cards:02}.pieces"
        self._work = work
        self._lock = threading.Lock()
        self._map = np.memmap(self.file, np.float64, "r+" if _has_size(self.file, size) else "w+", shape=(size,))
        self.values: Floats = self._map
        self._known: dict[tuple[int, int], dict[str, Any]] = {}
        for line in self._lines.read_text(encoding="utf-8").splitlines() if self._lines.exists() else []:
            try:
                entry: dict[str, Any] = json.loads(line)
            except ValueError:
                continue  # the process was killed while it wrote this line
            self._known[entry["first"], entry["words"]] = entry

    def find_piece(self, first: int, words: int) -> Piece | None:
        entry = self._known.get((first, words))
        if entry is None or entry["sha256"] != self._hash(first, words):
            return None
        return Piece(entry["gap"], entry["repaired"])

    def save_piece(self, first: int, words: int, piece: Piece) -> None:
        entry: dict[str, Any] = {"first": first, "words": words, "gap": piece.gap, "repaired": piece.repaired}
        entry["sha256"] = self._hash(first, words)
        with self._lock, self._lines.open("a", encoding="utf-8") as file:
            self._map.flush()
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _hash(self, first: int, words: int) -> str:
        return hashlib.sha256(np.ascontiguousarray(slice_words(self._work, first, words, self.values)).data).hexdigest()


def build_table(plan: TablePlan, threads: int, progress: LayerProgress | None = None, tidy: bool = True) -> Path:
    """Build a table, or resume an interrupted build; the bytes are the same in both cases.

    With `tidy` False the intermediate files stay, with the values of the table's layers before rounding.
    """
    plan.workshop.mkdir(parents=True, exist_ok=True)
    shape = build_frame(start_whole_game(plan.cards, plan.ties))
    top = plan.cards - 1
    sections: dict[int, TableLayer] = {}
    first = _find_first_layer(plan, shape)
    below: Floats = shape.ground
    for cards in range(1, top + 1):
        if cards < first:
            if cards >= plan.lowest:
                sections[cards] = _read_section(plan, cards)
            continue
        if cards == first and first > 1:
            below = _LayerJournal(plan.workshop, shape.work(below, first - 1), shape.size(first - 1)[1]).values
        work = shape.work(below, cards)
        notes = _LayerJournal(plan.workshop, work, shape.size(cards)[1])
        report = partial(progress, cards) if progress else None
        layer = solve_layer(work, Workers(threads, report), notes)
        below, work = notes.values, None  # releases the memory of the layer below
        if cards >= plan.lowest:
            sections[cards] = _save_section(plan, shape, cards, layer)
        (plan.workshop / f"layer-{cards:02}.ready").touch()
        if cards < top and (tidy or cards - 1 < plan.lowest):
            for file in plan.workshop.glob(f"layer-{cards - 1:02}.[vp]*"):
                file.unlink()
    layers = sorted(sections)
    head = TableHead(plan.cards, plan.ties, tuple(sections[k] for k in layers))
    write_table(plan.path, head, (_section_path(plan, k).read_bytes() for k in layers))
    if tidy:
        shutil.rmtree(plan.workshop)
    return plan.path


def _find_first_layer(plan: TablePlan, shape: Frame) -> int:
    """Return the first layer to solve: the next above the highest complete layer with stored values."""
    for cards in range(plan.cards - 1, 0, -1):
        values = plan.workshop / f"layer-{cards:02}.values"
        ready = (plan.workshop / f"layer-{cards:02}.ready").exists()
        has_sections = all(_section_path(plan, k).exists() for k in range(plan.lowest, cards + 1))
        if ready and has_sections and _has_size(values, shape.size(cards)[1]):
            return cards + 1
    return 1


def _has_size(file: Path, size: int) -> bool:
    return file.exists() and file.stat().st_size == 8 * size


def _section_path(plan: TablePlan, cards: int) -> Path:
    return plan.workshop / f"layer-{cards:02}.section"


def _save_section(plan: TablePlan, shape: Frame, cards: int, layer: Layer) -> TableLayer:
    data, error = encode_layer(layer.values, shape.layout(cards).start)
    words, values = shape.size(cards)
    digest = hashlib.sha256()
    with _section_path(plan, cards).open("wb") as file:
        for part in data:
            file.write(part)
            digest.update(part)
    section = TableLayer(cards, words, values, layer.gap, layer.games, layer.repaired, error, digest.hexdigest())
    _section_path(plan, cards).with_suffix(".json").write_text(json.dumps(section.__dict__), encoding="utf-8")
    return section


def _read_section(plan: TablePlan, cards: int) -> TableLayer:
    text = _section_path(plan, cards).with_suffix(".json").read_text(encoding="utf-8")
    return TableLayer(**json.loads(text))


STEP = {"discard": 0.004, "carry": 0.02}
"""The rounding step of the lowest layer, by tie rule: wide enough that all tables fit in 4 MB."""
FINER = 10
"""The step of a layer, divided by the step of the layer above: higher layers have few values and are used first."""


def ship_table(table: ValueTable, lowest: int, step: float, path: Path) -> Path:
    """Write the layers from `lowest` cards up as a packed table; `step` is the rounding step of the lowest layer."""
    sections, parts = list[TableLayer](), list[bytes]()
    for section in table.head.layers:
        if section.cards < lowest:
            continue
        data, lost = pack_layer(table.decode_layer(section.cards), table.shape, section.cards, step)
        parts.append(data)
        sections.append(
            replace(
                section,
                error=section.error + lost,
                sha256=hashlib.sha256(data).hexdigest(),
                step=step,
                packed=len(data),
            )
        )
        step /= FINER
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(path, TableHead(table.head.cards, table.head.ties, tuple(sections)), parts)
    return path


ON_DEMAND = 9
"""Positions of at most this many cards are solved in about a second."""


@dataclass(frozen=True)
class LayerCheck:
    """The check of one layer: the number of positions computed again, and the largest error."""

    cards: int
    checked: int
    worst: float
    allowed: float

    @property
    def is_fine(self) -> bool:
        return self.worst <= self.allowed


def recheck_table(table: ValueTable, samples: int, seed: int = 1, deep: bool = False) -> list[LayerCheck]:
    """Compute samples of each layer again from the layer below.

    The lowest layer has none below; its samples are solved in full, if that is quick or `deep` is set.
    """
    dice = random.Random(seed)
    errors = {section.cards: section.error for section in table.head.layers}
    checks: list[LayerCheck] = []
    for cards, error in errors.items():
        below = errors.get(cards - 1)
        if below is None and cards > ON_DEMAND and not deep:
            checks.append(LayerCheck(cards, 0, 0.0, 0.0))
            continue
        count = samples if below is not None else 2
        worst = max(
            _measure_error(table, _sample_position(table, cards, dice), below is not None) for _ in range(count)
        )
        checks.append(LayerCheck(cards, count, worst, error + (below or 0.0) + 1e-9))
    return checks


def _measure_error(table: ValueTable, position: Position, from_below: bool) -> float:
    """Return the error of the table for one position."""
    stored = table.value(position)
    assert stored is not None
    if not from_below:
        again = solve_position(position).value(position)
        assert again is not None
        return abs(stored - again)
    total = 0.0
    for prize in position.prizes:
        solved = answer_position(table, position.turned(prize))
        assert solved is not None
        total += solved.value
    return abs(stored - total / len(position.prizes))


def _sample_position(table: ValueTable, cards: int, dice: random.Random) -> Position:
    """Draw a reachable position of one layer."""
    whole = range(1, table.head.cards + 1)
    while True:
        mine, theirs, prizes = (tuple(sorted(dice.sample(whole, cards))) for _ in range(3))
        gone = [prize for prize in whole if prize not in prizes]
        ties = dice.randint(0, len(gone)) if table.head.ties == "carry" else 0
        position = Position(mine, theirs, prizes, ties=table.head.ties, pot=sum(dice.sample(gone, ties)))
        if table.value(position) is not None:
            return position
