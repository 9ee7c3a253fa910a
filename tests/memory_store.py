"""Store of an SQLite database in memory, for tests that need neither a file nor threads."""

from __future__ import annotations

import asyncio
import sqlite3
import weakref
from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from bot.referee.model.changes import Change, StoreReadOnly
from data.sql.schema import load_migrations
from data.sql.statement import Read, Statement
from data.sqlite.migrate import migrate
from data.sqlite.transaction import execute_batch, run_read
from data.store import SqlStore

T = TypeVar("T")


@cache
def _empty() -> bytes:
    """Make an empty database of the newest version."""
    connection = _connect()
    migrate(connection, load_migrations())
    return connection.serialize()


def _connect() -> sqlite3.Connection:
    # The garbage collector may close it in another thread.
    return sqlite3.connect(":memory:", isolation_level=None, cached_statements=256, check_same_thread=False)


class MemoryDatabase:
    """One connection. Each call is one transaction, and no other task runs meanwhile."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        connection = _connect()
        connection.deserialize(_empty())
        connection.execute("PRAGMA foreign_keys = ON")
        self._connection: sqlite3.Connection | None = connection
        weakref.finalize(self, connection.close)

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        [outcome] = execute_batch(self._open(), [change])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def read(self, read: Read[T]) -> T:
        return run_read(self._open(), read)

    def guard(self, _: Change) -> Sequence[Statement]:
        return ()

    async def scrub(self) -> None: ...

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreReadOnly("the store is closed")
        return self._connection


class MemoryStore(SqlStore[MemoryDatabase]):
    """Store over a new database in memory."""

    def __init__(self) -> None:
        super().__init__(MemoryDatabase())
