"""Backward induction: compute all values of a game, each layer from the layer below."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.layer_kernel import GameList, LayerRules, list_games, new_results, solve_layer_words
from bot.solver.kernels.matrix import TOLERANCE
from bot.solver.kernels.pot_layout import PotLayout
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.simd_games import new_batch
from bot.solver.kernels.words import Moves

PIECES = 64
"""The number of pieces of a layer. Threads share the pieces, and progress is reported after each."""
DOUBTS = 64
"""The most games of one piece that exact arithmetic may have to solve."""


@dataclass(frozen=True)
class Layer:
    """All values of one layer, before the next prize is turned."""

    values: Floats  # in the order of `PotLayout`
    gap: float  # the widest gap of its games
    games: int
    repaired: int = 0  # games that exact arithmetic solved


@dataclass(frozen=True)
class LayerWork:
    """The inputs from which one layer is computed."""

    moves: Moves
    turns: Turns
    rules: LayerRules
    below: Floats
    layout: PotLayout
    layout_below: PotLayout

    @cached_property
    def games(self) -> GameList:
        return list_games(self.layout, self.layout_below, self.turns, self.rules)


@dataclass(frozen=True)
class Piece:
    """The outcome of solving some words of a layer."""

    gap: float
    repaired: int


Progress = Callable[[int, int], None]
"""Callback after each piece: the number of words done, and the number of all words."""


@dataclass
class Workers:
    """The number of threads that share a layer, and the progress callback."""

    threads: int = 1
    progress: Progress | None = None

    def map(self, work: Callable[[int, int], Piece], pieces: Sequence[tuple[int, int]], total: int) -> list[Piece]:
        """Solve all pieces; an interrupt stops between two pieces."""
        done = 0
        results: list[Piece] = []
        if self.threads <= 1:
            for piece in pieces:
                results.append(work(*piece))
                done = self._report(done + piece[1], total)
            return results
        with ThreadPoolExecutor(self.threads) as pool:
            tasks = [pool.submit(work, *piece) for piece in pieces]
            try:
                for piece, task in zip(pieces, tasks, strict=True):
                    results.append(task.result())
                    done = self._report(done + piece[1], total)
            except BaseException:  # an interrupt too: do not wait for pieces that have not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return results

    def _report(self, done: int, total: int) -> int:
        if self.progress:
            self.progress(done, total)
        return done


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Journal(Protocol):
    """Stores the pieces of a layer, so that an interrupted build can go on."""

    values: Floats

    def find_piece(self, first: int, words: int) -> Piece | None:
        """Return a piece that an earlier run stored; None if there is none."""
        ...

    def save_piece(self, first: int, words: int, piece: Piece) -> None:
        """Store a piece; its values are already in `values`."""
        ...


def solve_layer(work: LayerWork, workers: Workers, journal: Journal | None = None) -> Layer:
    """Compute one layer from the layer below. The result does not depend on threads or pieces."""
    count = len(work.moves.words)
    values = journal.values if journal else np.zeros(work.layout.size)

    def solve_piece(first: int, words: int) -> Piece:
        piece = journal.find_piece(first, words) if journal else None
        if piece is None:
            piece = solve_words(work, first, words, values)
            if journal:
                journal.save_piece(first, words, piece)
        return piece

    is_one_piece = workers.threads <= 1 and workers.progress is None and journal is None
    pieces = workers.map(solve_piece, split_words(count, 1 if is_one_piece else PIECES), count)
    gap = max((piece.gap for piece in pieces), default=0.0)
    if not gap <= TOLERANCE:
        raise ArithmeticError(f"the games of {work.moves.cards} cards could not be certified (gap {gap:.1e})")
    return Layer(values, gap, _count_games(work), sum(piece.repaired for piece in pieces))


def split_words(count: int, pieces: int = PIECES) -> list[tuple[int, int]]:
    """Split the words of a layer into about `pieces` pieces: the first word and the number of words of each."""
    size = max(1, -(-count // pieces))
    return [(first, min(size, count - first)) for first in range(0, count, size)]


def _count_games(work: LayerWork) -> int:
    return work.layout.size * len(work.turns.prize) // len(work.turns.sets)


def slice_words(work: LayerWork, first: int, words: int, values: Floats) -> Floats:
    """Return a view of the values of some words."""
    start = work.layout.start
    return values[int(start[first]) : int(start[first + words])]


def solve_words(work: LayerWork, first: int, words: int, values: Floats) -> Piece:
    """Solve some words by the kernels; solve the few games without a certificate by exact arithmetic."""
    part = slice_words(work, first, words, values)
    part[...] = 0.0
    results = new_results(part, words, DOUBTS)
    doubts = solve_layer_words(
        first,
        words,
        work.moves,
        work.layout,
        work.games,
        work.below,
        work.layout_below,
        work.rules,
        results,
        new_batch(),
    )
    for at, bids, game in zip(
        results.doubt_at[:doubts], results.doubt_bids.tolist(), results.doubt_games, strict=False
    ):
        part[at] += work.turns.weight * integer_games.solve_value(game[: bids[0], : bids[1]].tolist())
    return Piece(float(results.gaps.max(initial=0.0)), doubts)
