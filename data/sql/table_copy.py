"""A table as it is copied from one database to another, and what both ends of such a move can do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Values: TypeAlias = Sequence[Any]

BATCH = 1000
"""rows that are held at a time"""

MOVED = "moved"
"""Key of the note in a database whose contents were moved away; the value names the new database."""


@dataclass(frozen=True, slots=True)
class SqlTable:
    """One table of the schema, which is the same in every database."""

    name: str
    columns: tuple[str, ...]
    numbered: bool
    """whether its ids are given by the database, and never twice"""

    def rows(self) -> str:
        """The question for all of it, with names in quotes: some are words of PostgreSQL's language."""
        return f"SELECT {', '.join(map(quoted, self.columns))} FROM {quoted(self.name)}"


class MoveSource(Protocol):
    """One moment of a store that nobody writes."""

    def rows(self, table: SqlTable) -> AsyncIterator[list[Values]]:
        """All of a table, some at a time."""
        ...

    async def last(self, table: SqlTable) -> int:
        """The highest id that it ever gave."""
        ...


class Retirable(MoveSource, Protocol):
    """A source that no bot leads any more once its contents count elsewhere."""

    async def retire(self, to: str) -> None:
        """Note where the contents went, and end the transaction. Raise `DatabaseError` if nothing can be written."""
        ...


class MoveTarget(MoveSource, Protocol):
    """An open transaction on a store of the newest version; its end in peace commits it."""

    async def put(self, table: SqlTable, rows: Sequence[Values]) -> None: ...

    async def go_on_from(self, table: SqlTable, last: int) -> None:
        """The next id that it gives comes after this one."""
        ...


class Movable(Protocol):
    """Where a store lies, and how it is opened by nobody but us."""

    @property
    def name(self) -> str:
        """How people call it, without a password."""
        ...

    def source(self) -> AbstractAsyncContextManager[Retirable]:
        """Raises `DatabaseError` where it is in use, or not of the newest version."""
        ...

    def target(self) -> AbstractAsyncContextManager[MoveTarget]:
        """Raises `DatabaseError` where it is in use. What came into being with it goes where it fails."""
        ...


def quoted(name: str) -> str:
    return f'"{name}"'
