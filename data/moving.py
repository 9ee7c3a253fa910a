"""Copy a whole store into an empty one. The copy is used only after all of it was compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from bot.errors import DatabaseError, MovedDatabase, NoDriver
from data.sql.codec import remove_nul
from data.sql.schema import MOVED, SqlTable, Values
from data.sqlite.migrate import list_tables
from data.sqlite.moving import FileLocation, FileTransaction

if TYPE_CHECKING:
    from data.postgres.moving import ServerLocation, ServerTransaction

DIGEST_MODULUS = 2**256


Movable: TypeAlias = "FileLocation | ServerLocation"
"""Location of a store that can be opened exclusively."""
MoveSource: TypeAlias = "FileTransaction | ServerTransaction"
"""Snapshot of a store, or an open transaction on one."""


@dataclass(frozen=True, slots=True)
class Digest:
    """Number of rows, and a hash of their contents that does not depend on their order."""

    rows: int = 0
    total: int = 0

    def add(self, rows: Sequence[Values]) -> Digest:
        added = sum(int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest()) for row in rows)
        return Digest(self.rows + len(rows), (self.total + added) % DIGEST_MODULUS)


@dataclass(frozen=True, slots=True)
class MoveResult:
    """Number of rows copied, and why the source could not be marked as moved; empty if it was marked."""

    rows: int
    unmarked: str


async def move(source: Movable, target: Movable, report: Callable[[SqlTable, int], None]) -> MoveResult:
    """Copy all rows, compare them, and mark the source, so that no bot uses it any more.

    Raise `DatabaseError` if the move failed. Then the target is empty, and the source is unchanged.
    """
    async with source.source() as old:
        async with target.target() as new:
            for table in list_tables():
                if (await _compute_digest(new, table)).rows:
                    if await _read_move(old) == target.name:
                        raise MovedDatabase(source.name, target.name)
                    raise DatabaseError(
                        f"There is something in the target already, in {table.name}: it has to be empty."
                    )
            digests = {table: await _copy_table(old, new, table) for table in list_tables()}
            for table, digest in digests.items():
                if await _compute_digest(new, table) != digest:
                    raise DatabaseError(f"The copy of {table.name} differs from the original: nothing was moved.")
                report(table, digest.rows)
        unmarked = ""
        try:  # the target is valid from here on
            await old.retire(target.name)
        except DatabaseError as error:
            unmarked = str(error)
    return MoveResult(sum(digest.rows for digest in digests.values()), unmarked)


async def _read_move(source: MoveSource) -> str | None:
    """Return the name of the database to which everything was moved; None if nothing was moved."""
    [notes] = [table for table in list_tables() if table.name == "notes"]
    moves = [value async for rows in source.rows(notes) for key, value, *_ in rows if key == MOVED]
    return next(iter(moves), None)


async def _copy_table(source: MoveSource, target: MoveSource, table: SqlTable) -> Digest:
    digest = Digest()
    async for batch in source.rows(table):
        rows = [tuple(remove_nul(value) if isinstance(value, str) else value for value in row) for row in batch]
        if table.name == "notes":  # the copy itself is not marked as moved
            rows = [row for row in rows if row[0] != MOVED]
        digest = digest.add(rows)
        await target.insert(table, rows)
    if table.numbered and (last := await source.last_id(table)):
        await target.set_last_id(table, last)
    return digest


async def _compute_digest(source: MoveSource, table: SqlTable) -> Digest:
    digest = Digest()
    async for rows in source.rows(table):
        digest = digest.add(rows)
    return digest


def locate(where: Path | str) -> Movable:
    """Return the location of a file, or of a server by its address. Raise `NoDriver`."""
    if isinstance(where, Path):
        return FileLocation(where)
    try:
        from data.postgres.moving import ServerLocation  # only if used: most installations lack the driver
    except ModuleNotFoundError as error:
        raise NoDriver from error
    return ServerLocation(where)
