"""Copy a whole store into an empty one. The copy is used only after all of it was compared."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.errors import DatabaseError, NoDriver
from data.sql.codec import without_nul
from data.sql.schema import MOVED, SqlTable, Values
from data.sqlite.migrate import tables
from data.sqlite.moving import File

ROUND = 2**256


class MoveSource(Protocol):
    """Snapshot of a store that nobody writes."""

    def rows(self, table: SqlTable) -> AsyncIterator[list[Values]]:
        """Read all rows of a table in batches."""
        ...

    async def last(self, table: SqlTable) -> int:
        """Return the highest id that the table ever gave."""
        ...


class Retirable(MoveSource, Protocol):
    """Source that can be marked as moved, so that no bot uses it any more."""

    async def retire(self, to: str) -> None:
        """Note where the contents went, and end the transaction. Raise `DatabaseError` if nothing can be written."""
        ...


class MoveTarget(MoveSource, Protocol):
    """Open transaction on a store of the newest version. It commits at its end, unless an error ends it."""

    async def put(self, table: SqlTable, rows: Sequence[Values]) -> None: ...

    async def go_on_from(self, table: SqlTable, last: int) -> None:
        """Set the highest id that the table ever gave."""
        ...


class Movable(Protocol):
    """Location of a store that can be opened exclusively."""

    @property
    def name(self) -> str:
        """Name for messages, without a password."""
        ...

    def source(self) -> AbstractAsyncContextManager[Retirable]:
        """Raise `DatabaseError` if the store is in use, or not of the newest version."""
        ...

    def target(self) -> AbstractAsyncContextManager[MoveTarget]:
        """Raise `DatabaseError` if the store is in use. A failed move removes a store that it created."""
        ...


@dataclass(frozen=True, slots=True)
class Digest:
    """Number of rows, and a hash of their contents that does not depend on their order."""

    rows: int = 0
    held: int = 0

    def and_also(self, rows: Sequence[Values]) -> Digest:
        held = sum(int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest()) for row in rows)
        return Digest(self.rows + len(rows), (self.held + held) % ROUND)


@dataclass(frozen=True, slots=True)
class Moved:
    """Number of rows copied, and why the source could not be marked as moved; empty if it was marked."""

    rows: int
    unmarked: str


async def move(source: Movable, target: Movable, tell: Callable[[SqlTable, int], None]) -> Moved:
    """Copy everything, compare, and mark the source, so that no bot leads it any more. Raise `DatabaseError` if the
    target stays empty; then nothing has changed."""
    async with source.source() as ours:
        async with target.target() as theirs:
            for table in tables():
                if (await _digest(theirs, table)).rows:
                    raise DatabaseError(
                        f"There is something in the target already, in {table.name}: it has to be empty."
                    )
            copied = {table: await _copied(ours, theirs, table) for table in tables()}
            for table, digest in copied.items():
                if await _digest(theirs, table) != digest:
                    raise DatabaseError(f"What came of {table.name} is not what was there: nothing was moved.")
                tell(table, digest.rows)
        unmarked = ""
        try:  # the target counts from here on
            await ours.retire(target.name)
        except DatabaseError as error:
            unmarked = str(error)
    return Moved(sum(digest.rows for digest in copied.values()), unmarked)


async def _copied(source: MoveSource, target: MoveTarget, table: SqlTable) -> Digest:
    digest = Digest()
    async for found in source.rows(table):
        rows = [tuple(without_nul(one) if isinstance(one, str) else one for one in row) for row in found]
        if table.name == "notes":  # the copy has not been moved away
            rows = [row for row in rows if row[0] != MOVED]
        digest = digest.and_also(rows)
        await target.put(table, rows)
    if table.numbered and (last := await source.last(table)):
        await target.go_on_from(table, last)
    return digest


async def _digest(source: MoveSource, table: SqlTable) -> Digest:
    digest = Digest()
    async for rows in source.rows(table):
        digest = digest.and_also(rows)
    return digest


def named(where: Path | str) -> Movable:
    """Make the location of a file, or of a server by its address. Raise `NoDriver`."""
    if isinstance(where, Path):
        return File(where)
    try:
        from data.postgres.moving import Server  # only now: most do without its driver
    except ModuleNotFoundError as error:
        raise NoDriver from error
    return Server(where)
