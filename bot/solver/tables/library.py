"""What knows a position: an earlier solve, a table, or a solve made now.

One solve answers every later move of a match.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from threading import Lock

from bot.solver.exact.induction import Workers
from bot.solver.exact.position import Position, PositionError
from bot.solver.exact.solve import SolvedGame, ValueSource, answer_position, solve_position
from bot.solver.kernels.matrix_game import Solution
from bot.solver.tables.table import TableError, TableHead, ValueTable, open_table, read_head
from bot.solver.tables.table_paths import SHIPPED

QUICK = {True: 9, False: 10}
"""Up to so many cards (True: with pots or leads) a solve takes a second or two; beyond that a table goes first."""
ROOM = 256 * 1024 * 1024
"""Bytes that solves may take together: seven of the largest that a match needs, or some forty of the usual ones. Those
that were asked last stay, so that matches side by side do not push out what each other goes by."""
_POINTS, _STAKES, _WIN = 12, 11, 10
"""Up to so many cards a solve takes some minutes and little memory; beyond that only a table will do."""


class TooLarge(PositionError):
    """Nothing knows this position, and to solve it now would take an hour."""


@dataclass(frozen=True)
class TableAnswer:
    """An answer, and whether it comes from exact values or from a table of rounded ones."""

    answer: Solution
    exact: bool


class _LazyTable:
    """A table that is opened at the first question that it may be able to answer.

    A damaged one knows nothing here, and `gops tables check` says so.
    """

    exact = False

    def __init__(self, path: Path, head: TableHead) -> None:
        self._path, self._head = path, head
        self._table: list[ValueTable] | None = None
        self._opening = Lock()

    def value(self, position: Position) -> float | None:
        if not position.mine or not self._head.may_know(position):
            return None
        with self._opening:
            if self._table is None:
                self._table = []
                with suppress(TableError):
                    self._table.append(open_table(self._path))
        return self._table[0].value(position) if self._table else None


class _Shelf:
    """The tables of some folders, looked for when they are first asked for."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._tables: list[ValueSource] | None = None
        self._reading = Lock()

    def tables(self) -> list[ValueSource]:
        """Every table with a head that can be read."""
        with self._reading:
            if self._tables is None:
                self._tables = list(self._read())
            return self._tables

    def _read(self) -> Iterator[ValueSource]:
        for folder in self._folders:
            for path in sorted(folder.glob("*.table")):
                with suppress(TableError):
                    yield _LazyTable(path, read_head(path))


class Library:
    """Tables, and the solves that were asked last."""

    def __init__(self, folders: Sequence[Path] = (), threads: int = 1) -> None:
        self._shelf = _Shelf([*folders, SHIPPED])
        self._solved: list[SolvedGame] = []  # the one that was asked last comes first
        self._workers = Workers(threads)

    def beside(self) -> "Library":
        """Another one that begins with all that this one knows, for a thread of its own."""
        other = Library()
        other._shelf = self._shelf
        other._solved += self._solved
        return other

    def judge(self, position: Position, quick: bool = True) -> TableAnswer:
        """The value of a position with its prize up, and how to play it; not `quick`: exactly, at any price."""
        assert position.up is not None
        sources: list[ValueSource] = list(self._solved)
        if quick and len(position.mine) > QUICK[not position.aim.plain]:
            sources += self.tables()
        for source in sources:
            found = answer_position(source, position)
            if found:
                self._asked(source)
                return TableAnswer(found, source.exact)
        found = answer_position(self.learn(position, quick), position)
        assert found is not None
        return TableAnswer(found, True)

    def knows(self, position: Position) -> bool:
        """Whether an answer is a look-up."""
        return any(answer_position(source, position) is not None for source in (*self._solved, *self.tables()))

    def before_reveal(self, position: Position, quick: bool = True) -> float:
        """The value before a prize is turned."""
        sources: list[ValueSource] = list(self._solved)
        if quick and len(position.mine) > QUICK[not position.aim.plain]:
            sources += self.tables()
        if position.even:
            return 0.0
        for source in sources:
            value = source.value(position)
            if value is not None:
                self._asked(source)
                return value
        value = self.learn(position, quick).value(position)
        assert value is not None
        return value

    def learn(self, position: Position, quick: bool = True, workers: Workers | None = None) -> SolvedGame:
        """Solve it now, and keep it for what may follow."""
        most = _WIN if position.aim.win else _POINTS if position.aim.plain else _STAKES
        if quick and not position.ordered and len(position.mine) > most:
            more = "" if position.aim.win or position.swap else ", and no table has them"
            raise TooLarge(
                f"{len(position.mine)} cards are too many to solve at once{more}; --exact does it all the same"
            )
        solved = solve_position(position, workers or self._workers)
        self._asked(solved)
        return solved

    def _asked(self, source: ValueSource) -> None:
        """A solve comes to the front, and those that nobody asked for longest go where there is no room for all."""
        if isinstance(source, SolvedGame):
            self._solved = [source, *(each for each in self._solved if each is not source)]
            sizes = accumulate(each.bytes for each in self._solved)
            self._solved = [
                each for each, size in zip(self._solved, sizes, strict=True) if size <= ROOM or each is source
            ]

    def tables(self) -> list[ValueSource]:
        return self._shelf.tables()
