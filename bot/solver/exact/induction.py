"""Backward induction: all values of a game, layer by layer, each from the layer below."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from bot.solver.exact.position import Objective
from bot.solver.kernels import integer_games
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Floats, Spots
from bot.solver.kernels.points_kernel import points_layer
from bot.solver.kernels.pot_kernel import Listed, listed, stakes_layer
from bot.solver.kernels.pot_layout import Stakes
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.simd_games import abreast
from bot.solver.kernels.words import Moves

PIECES = 64
"""Into how many pieces a layer is cut, so that threads share it and progress shows."""
DOUBTS = 64
"""How many games of one piece may need exact arithmetic."""


@dataclass(frozen=True)
class Layer:
    """Every value of one layer, before the next prize is turned."""

    values: Floats  # points: [word, set]; otherwise flat, where `stakes` says
    gap: float  # the widest certificate of all its games
    games: int
    repaired: int = 0  # games that needed exact arithmetic


@dataclass(frozen=True)
class LayerWork:
    """What one layer is made from."""

    moves: Moves
    turns: Turns
    objective: Objective
    shift: float
    last: bool
    below: Floats
    stakes: Stakes | None = None
    stakes_below: Stakes | None = None

    @cached_property
    def listed(self) -> Listed:
        """The games of a layer with pots or leads."""
        assert self.stakes is not None
        return listed(self.stakes, self.turns)


@dataclass(frozen=True)
class Piece:
    """Some words of a layer, done."""

    gap: float
    repaired: int


Progress = Callable[[int, int], None]
"""Told after every piece: how many words are done, of how many."""


@dataclass
class Workers:
    """How many threads share a layer, and who wants to know."""

    threads: int = 1
    progress: Progress | None = None

    def map(self, work: Callable[[int, int], Piece], pieces: Sequence[tuple[int, int]], total: int) -> list[Piece]:
        """Do all pieces; stop between two of them when interrupted."""
        done = 0
        results: list[Piece] = []
        if self.threads <= 1:
            for piece in pieces:
                results.append(work(*piece))
                done = self._tell(done + piece[1], total)
            return results
        with ThreadPoolExecutor(self.threads) as pool:
            tasks = [pool.submit(work, *piece) for piece in pieces]
            try:
                for piece, task in zip(pieces, tasks, strict=True):
                    results.append(task.result())
                    done = self._tell(done + piece[1], total)
            except BaseException:  # an interrupt too: what is not begun must not hold up the end
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return results

    def _tell(self, done: int, total: int) -> int:
        if self.progress:
            self.progress(done, total)
        return done


def every_core() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Journal(Protocol):
    """Keeps the pieces of a layer somewhere safe."""

    values: Floats

    def known(self, first: int, words: int) -> Piece | None:
        """What an earlier try left of a piece."""
        ...

    def keep(self, first: int, words: int, piece: Piece) -> None:
        """A piece is ready."""
        ...


def layer(work: LayerWork, workers: Workers, journal: Journal | None = None) -> Layer:
    """One layer from the one below. The result does not depend on threads or pieces."""
    count = len(work.moves.words)
    values = journal.values if journal else empty_layer(work)

    def make(first: int, words: int) -> Piece:
        piece = journal.known(first, words) if journal else None
        if piece is None:
            piece = fill(work, first, words, values)
            if journal:
                journal.keep(first, words, piece)
        return piece

    whole = workers.threads <= 1 and workers.progress is None and journal is None
    pieces = workers.map(make, cut(count, 1 if whole else PIECES), count)
    gap = max((piece.gap for piece in pieces), default=0.0)
    if not gap <= TOLERANCE:
        raise ArithmeticError(f"the games of {work.moves.cards} cards could not be certified (gap {gap:.1e})")
    return Layer(values, gap, _games(work), sum(piece.repaired for piece in pieces))


def cut(count: int, pieces: int = PIECES) -> list[tuple[int, int]]:
    """The words of a layer in about so many pieces: where each begins, and how many words it has."""
    size = max(1, -(-count // pieces))
    return [(first, min(size, count - first)) for first in range(0, count, size)]


def empty_layer(work: LayerWork) -> Floats:
    if work.stakes is None:
        return np.zeros((len(work.moves.words), len(work.turns.sets)))
    return np.zeros(work.stakes.size)


def _games(work: LayerWork) -> int:
    turns = len(work.turns.prize)
    if work.stakes is None:
        return len(work.moves.words) * turns
    return work.stakes.size * turns // max(1, len(work.turns.sets))


def span(work: LayerWork, first: int, words: int, values: Floats) -> Floats:
    """The values of some words."""
    if work.stakes is None:
        return values[first : first + words]
    start = work.stakes.start
    return values[int(start[first]) : int(start[first + words])]


def fill(work: LayerWork, first: int, words: int, values: Floats) -> Piece:
    """The values of some words, compiled; the few games without a certificate exactly."""
    at: Spots = np.zeros(DOUBTS, dtype=np.int64)
    bids: Spots = np.zeros((DOUBTS, 2), dtype=np.int64)
    games: Floats = np.zeros((DOUBTS, WIDTH, WIDTH))
    gaps: Floats = np.zeros(words)
    part = span(work, first, words, values)
    part[...] = 0.0
    if work.stakes is None:
        doubts = _points(work, first, part, gaps, at, bids, games)
    else:
        doubts = _stakes(work, first, words, part, gaps, at, bids, games)
    flat = part.reshape(-1)
    for doubt in range(doubts):
        rows, columns = (int(count) for count in bids[doubt])
        flat[at[doubt]] += work.turns.weight * integer_games.value(games[doubt, :rows, :columns].tolist())
    return Piece(float(gaps.max(initial=0.0)), doubts)


def _points(work: LayerWork, first: int, values: Floats, gaps: Floats, at: Spots, bids: Spots, games: Floats) -> int:
    moves, turns = work.moves, work.turns
    return points_layer(
        first,
        moves.rows,
        moves.columns,
        moves.child,
        moves.facing,
        moves.sign,
        work.below,
        np.repeat(np.arange(len(turns.starts) - 1, dtype=np.int32), np.diff(turns.starts)),
        turns.prize,
        turns.whole,
        np.argsort(turns.prize, kind="stable"),
        turns.weight,
        work.shift,
        values,
        gaps,
        at,
        bids,
        games,
        abreast(),
    )


def _stakes(
    work: LayerWork, first: int, words: int, values: Floats, gaps: Floats, at: Spots, bids: Spots, doubtful: Floats
) -> int:
    moves, turns, own, below, games = work.moves, work.turns, work.stakes, work.stakes_below, work.listed
    assert own is not None
    assert below is not None
    return stakes_layer(
        first,
        words,
        moves.rows,
        moves.columns,
        moves.child,
        moves.facing,
        moves.sign,
        own.kind,
        own.start,
        games.starts,
        games.left,
        games.stake,
        games.lead,
        games.inner,
        games.adds_starts,
        games.to,
        games.game,
        work.below,
        below.kind,
        below.start,
        below.offset,
        below.pot_place,
        below.least,
        below.lead_near,
        below.rest,
        turns.weight,
        work.shift,
        work.objective.carry,
        work.objective.swap,
        work.objective.win,
        work.last,
        values,
        gaps,
        at,
        bids,
        doubtful,
        abreast(),
    )
