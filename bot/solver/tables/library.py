"""Answers for positions, from a cached solve, a table, or a new solve.

One solve answers every later move of a match.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from threading import Lock

from bot.solver.exact.induction import Workers
from bot.solver.exact.position import Position, PositionError
from bot.solver.exact.solve import SolvedGame, ValueSource, answer_position, solve_position
from bot.solver.kernels.matrix_game import Solution
from bot.solver.tables import SHIPPED
from bot.solver.tables.table import TableError, TableHead, ValueTable, open_table, read_head

QUICK = {True: 9, False: 10}
"""Up to this many cards (True: with pots or leads) a solve takes a second or two; above it tables are tried first."""
ROOM = 256 * 1024 * 1024
"""The size of the cache of solves in bytes: seven of the largest that a match needs, or about forty usual ones.

The cache drops the least recently used solves. It is large enough that concurrent matches keep their solves."""
_POINTS, _STAKES, _WIN = 12, 11, 10
"""Up to this many cards a solve takes some minutes and little memory; above it only a table can answer."""


class TooLarge(PositionError):
    """No table has this position, and a solve would take an hour."""


@dataclass(frozen=True)
class TableAnswer:
    """An answer, and whether it comes from exact values or from the rounded values of a table."""

    answer: Solution
    exact: bool


class _LazyTable:
    """A table that is opened at the first position that it may have.

    A damaged table has no positions; `gops tables check` reports it.
    """

    is_exact = False

    def __init__(self, path: Path, head: TableHead) -> None:
        self._path, self._head = path, head
        self._opening = Lock()

    def value(self, position: Position) -> float | None:
        if not position.mine or not self._head.may_know(position):
            return None
        with self._opening:
            table = self._table
        return table.value(position) if table else None

    @cached_property
    def _table(self) -> ValueTable | None:
        with suppress(TableError):
            return open_table(self._path)
        return None


def _read_tables(folders: Sequence[Path]) -> Iterator[ValueSource]:
    """Yield the tables with a readable head."""
    for folder in folders:
        for path in sorted(folder.glob("*.table")):
            with suppress(TableError):
                yield _LazyTable(path, read_head(path))


class Library:
    """Tables, and a cache of the most recently used solves."""

    def __init__(self, folders: Sequence[Path] = (), threads: int = 1) -> None:
        self._tables = list(_read_tables([*folders, SHIPPED]))
        self._solved: list[SolvedGame] = []  # most recently used first
        self._workers = Workers(threads)

    def copy_for_thread(self) -> "Library":
        """Return a library with the same tables and solves, for use in another thread."""
        other = copy(self)
        other._solved = list(self._solved)
        other._workers = Workers()
        return other

    def _list_sources(self, position: Position, quick: bool) -> list[ValueSource]:
        """List the sources to try for a position before it is solved."""
        needs_table = quick and len(position.mine) > QUICK[not position.aim.is_plain]
        return [*self._solved, *(self._tables if needs_table else ())]

    def judge(self, position: Position, quick: bool = True) -> TableAnswer:
        """Return the value and the mixes of a position with its prize up.

        With `quick` False the answer is exact, however long the solve takes.
        """
        assert position.up is not None
        for source in self._list_sources(position, quick):
            solution = answer_position(source, position)
            if solution:
                self._mark_used(source)
                return TableAnswer(solution, source.is_exact)
        solution = answer_position(self.learn(position, quick), position)
        assert solution is not None
        return TableAnswer(solution, True)

    def knows(self, position: Position) -> bool:
        """Return True if a cached solve or a table has the answer."""
        return any(answer_position(source, position) is not None for source in (*self._solved, *self._tables))

    def before_reveal(self, position: Position, quick: bool = True) -> float:
        """Return the value before a prize is turned."""
        if position.is_even:
            return 0.0
        for source in self._list_sources(position, quick):
            value = source.value(position)
            if value is not None:
                self._mark_used(source)
                return value
        value = self.learn(position, quick).value(position)
        assert value is not None
        return value

    def learn(self, position: Position, quick: bool = True, workers: Workers | None = None) -> SolvedGame:
        """Solve a position now and cache the solve."""
        most = _WIN if position.aim.win else _POINTS if position.aim.is_plain else _STAKES
        if quick and not position.ordered and len(position.mine) > most:
            more = "" if position.aim.win or position.swap else ", and no table has them"
            raise TooLarge(
                f"{len(position.mine)} cards are too many to solve at once{more}; --exact does it all the same"
            )
        solved = solve_position(position, workers or self._workers)
        self._mark_used(solved)
        return solved

    def _mark_used(self, source: ValueSource) -> None:
        """Move a solve to the front of the cache; drop the least recently used solves that exceed `ROOM`."""
        if isinstance(source, SolvedGame):
            self._solved = [source, *(each for each in self._solved if each is not source)]
            sizes = accumulate(each.bytes for each in self._solved)
            self._solved = [
                each for each, size in zip(self._solved, sizes, strict=True) if size <= ROOM or each is source
            ]
