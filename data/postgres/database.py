"""PostgreSQL database: executes changes and reads on a pool of connections."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

from bot.errors import DatabaseError
from bot.referee.model.changes import (
    Change,
    CommitUnknown,
    Conflict,
    PartitionMoved,
    PutSurface,
    Step,
    StoreBusy,
    StoreLost,
    StoreReadOnly,
    SurfaceShown,
)
from data.postgres.dialect import combine_queries, number_parameters, to_parameter
from data.postgres.driver import (
    ANY_ERROR,
    BUSY,
    DISCONNECTED,
    FORBIDDEN,
    NAME,
    RETRYABLE,
    DedicatedConnection,
    Pool,
    PostgresConnection,
    Transaction,
    connect_dedicated,
    connect_pool,
    translate_error,
    translate_errors,
)
from data.postgres.inspection import BOT, ORIGIN, read_origin, refuse_moved
from data.postgres.leases import FENCES, LEASE, OWNED, TAKE_BACK, TAKEN, Leases
from data.postgres.locks import list_partitions, lock_partitions, lock_people, lock_rows
from data.postgres.migrate import migrate
from data.postgres.routines import ROW_COUNT_MISMATCH, Routine, Routines
from data.sql.people import NOTE
from data.sql.schema import Migration, load_migrations
from data.sql.statement import Query, Read, Statement

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES = 4
"""Number of attempts for a change that fails with a deadlock or a serialization error."""

MAX_COMBINED = 8
"""Maximum number of queries that are combined into one. Larger reads are rare, and return much."""


UNFLUSHED = Statement("SELECT set_config('synchronous_commit', 'off', true)", ())
"""Lets the commit of a change wait for no disk. If the machine of the server fails at once, the change is lost."""


class RowCountMismatch(Exception):
    """The statement with this index in its change affected a wrong number of rows."""

    def __init__(self, index: int) -> None:
        self.index = index


class PostgresDatabase:
    """Database on a PostgreSQL server. Use `open` or `join`, and close it or use it as a context."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._alone: DedicatedConnection | None = None
        """Connection that holds the lock of a command which needs the database alone."""
        self._leases: Leases | None = None
        """Leases of a process that plays; None for a command."""
        self._routines = Routines()
        self._pending: set[asyncio.Task[Sequence[int]]] = set()
        self._closed = False
        self.lost = asyncio.Event()
        """Set when another process took over. Nothing is written any more, and the process must end."""

    @classmethod
    async def open(
        cls, address: str, migrations: Sequence[Migration] | None = None, *, alone: bool = False
    ) -> PostgresDatabase:
        """Connect, and migrate to the newest version. With `alone`, no bot can run until this is closed.

        Raise `DatabaseError`, `StoreBusy` or `StoreReadOnly`.
        """
        with translate_errors():
            database = cls(await connect_pool(address))
            try:
                async with database._pool.acquire() as connection:
                    await migrate(connection, load_migrations() if migrations is None else migrations)
                    if alone:
                        database._alone = await connect_dedicated(address)
                        if not await database._alone.fetchval("SELECT pg_try_advisory_lock($1)", BOT):
                            raise DatabaseError("A bot runs on the PostgreSQL database: stop it first.")
                        await refuse_moved(connection)
                        await connection.execute(TAKE_BACK)
            except BaseException:  # also when cancelled: the caller gets no database to close
                await database.close()
                raise
        return database

    @classmethod
    async def join(
        cls, address: str, peer: str = "", migrations: Sequence[Migration] | None = None, lease: timedelta = LEASE
    ) -> tuple[PostgresDatabase, Leases]:
        """Connect as one of the processes of a bot. Return the database, and the leases of this process.

        Nothing may be written before it owns a partition. Raise what `open` raises.
        """
        expected = load_migrations() if migrations is None else migrations
        name = f"{NAME} {secrets.token_hex(4)}"
        with translate_errors():
            database = cls(await connect_pool(address, lease / 2, name))
            try:
                async with database._pool.acquire() as connection:
                    await migrate(connection, expected)
                    await refuse_moved(connection)
            except BaseException:  # also when cancelled: the caller gets no database to close
                await database.close()
                raise
        database._leases = Leases(address, name, database.lost, len(expected), peer, lease)
        return database, database._leases

    async def __aenter__(self) -> PostgresDatabase:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish pending changes and close the connections. A second call does nothing."""
        self._closed = True
        if self.lost.is_set():
            self._pool.terminate()  # pending changes cannot succeed any more
        while self._pending:
            await asyncio.wait(self._pending)
        if self._leases is not None:
            await self._leases.release()
        if self._alone is not None:
            with suppress(*DISCONNECTED, TimeoutError):
                await self._alone.close()
        await self._pool.close()

    # --- writing ------------------------------------------------------------------------------------------

    def guard(self, change: Change) -> Sequence[Statement]:
        """Build the statements before a change: its locks, and proof that its partitions are owned. A note of what is
        shown waits for no disk: if it is lost, the same is shown once more."""
        unflushed = (UNFLUSHED,) if change and all(map(_is_note, change)) else ()
        partitions = list_partitions(change)
        fence = () if self._leases is None else self._leases.fence(partitions)
        locks = *lock_partitions(change, partitions), *fence, *lock_people(change), *lock_rows(change)
        return (*unflushed, *locks)

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Execute a change in one transaction. Cancelling the caller does not cancel the change."""
        if self._closed:
            raise StoreReadOnly("the store is closed")
        if self.lost.is_set():
            raise StoreLost(TAKEN)
        if self._leases is not None and not self._leases.is_valid:
            raise StoreBusy("the lease of this process is not renewed yet")
        task = asyncio.create_task(self._write(change), name="store writer")
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_log_abandoned)
            raise

    async def _write(self, change: Sequence[Statement]) -> Sequence[int]:
        for _ in range(TRIES - 1):
            try:
                return await self._try_write(change)
            except RETRYABLE as error:
                log.debug("a change conflicted with another one (%s); retrying", type(error).__name__)
        try:
            return await self._try_write(change)
        except RETRYABLE as error:
            raise StoreBusy("too many changes of the same rows at once") from error

    async def _try_write(self, change: Sequence[Statement]) -> Sequence[int]:
        try:
            async with self._pool.acquire() as connection:
                routine = self._routines.find(change)
                if routine is not None and routine.name in connection.routines:
                    try:
                        return await _call(connection, routine, change)
                    except (*DISCONNECTED, TimeoutError) as error:
                        raise CommitUnknown("the connection was lost while a change was executed") from error
                return await self._write_statements(connection, change)
        except RETRYABLE:
            raise
        except RowCountMismatch as mismatch:
            statement = change[mismatch.index]
            if statement.sql not in FENCES or self._leases is None:
                raise Conflict(statement.failure) from None
            if statement.sql == OWNED and await self._leases.is_alive():
                raise PartitionMoved(statement.failure) from None
            self.lost.set()
            raise StoreLost(TAKEN) from None
        except Exception as error:
            raise translate_error(error) from error

    async def _write_statements(self, connection: PostgresConnection, change: Sequence[Statement]) -> Sequence[int]:
        """Execute a change by a function that is created now, or by one round trip for each statement."""
        while True:
            transaction = connection.transaction()
            await transaction.start()
            try:
                routine = await self._routines.ensure(connection, change)
                ids = await (_call(connection, routine, change) if routine else _execute(connection, change))
            except (
                BaseException
            ) as error:  # also when cancelled: no connection returns to the pool with an open transaction
                await _rollback(transaction)
                if isinstance(error, FORBIDDEN) and not self._routines.is_off:
                    log.info("functions cannot be created in this database: changes are executed without them")
                    self._routines.is_off = True
                    continue
                raise
            await _commit(transaction)
            if routine is not None:
                connection.routines.add(routine.name)
            return ids

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if the note of the last bot names other tables than these, as after a restore."""
        with translate_errors():
            async with self._pool.acquire() as connection:
                noted = await connection.fetchval("SELECT value FROM notes WHERE key = $1", ORIGIN)
                return noted is not None and noted != await read_origin(connection)

    async def settle(self) -> None:
        """Note the identity of these tables. A copy has the same note, and so is recognised after it was restored."""
        with translate_errors():
            async with self._pool.acquire() as connection:
                own = await read_origin(connection)
        await self.write((*self.guard(()), Statement(NOTE, (ORIGIN, own))))

    async def scrub(self) -> None:
        """Do nothing: the server vacuums deleted rows itself."""

    # --- reading ------------------------------------------------------------------------------------------

    async def read(self, read: Read[T]) -> T:
        """Execute a read on one snapshot."""
        if self._closed:
            raise StoreBusy("the store is closed")
        with translate_errors():
            async with self._pool.acquire() as connection:
                if len(read.queries) == 1:
                    return read.combine(await _fetch(connection, read.queries[0]))
                if 1 < len(read.queries) <= MAX_COMBINED:
                    return read.combine(*await _fetch_combined(connection, read.queries))
                async with connection.transaction(isolation="repeatable_read", readonly=True):
                    return read.combine(*[await _fetch(connection, query) for query in read.queries])

    async def read_apart(self, read: Read[T]) -> T:
        """Execute a read on another connection than other reads, as each one is."""
        return await self.read(read)


def _is_note(step: Step) -> bool:
    """Return True for a step that only notes what a known message shows."""
    return isinstance(step, SurfaceShown) or (isinstance(step, PutSurface) and step.surface.id > 0)


def _log_abandoned(task: asyncio.Task[Sequence[int]]) -> None:
    """Log the error of a change after its caller was cancelled."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.info("a change failed after its caller was cancelled: %s", type(error).__name__)


async def _call(connection: PostgresConnection, routine: Routine, change: Sequence[Statement]) -> Sequence[int]:
    """Execute a change in one round trip. Outside a transaction the server opens and commits one."""
    try:
        return await connection.fetchval(routine.call, *routine.arguments(change))
    except ANY_ERROR as error:
        if getattr(error, "sqlstate", "") == ROW_COUNT_MISMATCH:
            raise RowCountMismatch(int(str(error))) from None
        raise


async def _execute(connection: PostgresConnection, change: Sequence[Statement]) -> list[int]:
    """Execute the statements of a change in the open transaction. Return its ids."""
    ids: list[int] = []
    for index, statement in enumerate(change):
        rows: Sequence[Sequence[Any]] = ()
        sql = number_parameters(statement.sql)
        if statement.sql.lstrip().startswith("SELECT") or "RETURNING" in statement.sql:
            rows = await connection.fetch(sql, *map(to_parameter, statement.params))
            count = len(rows)
        else:
            count = int((await connection.execute(sql, *map(to_parameter, statement.params))).rpartition(" ")[2])
        if statement.rows is not None and count != statement.rows:
            raise RowCountMismatch(index)
        if statement.gives_id and rows:
            ids.append(rows[0][0])
    return ids


async def _commit(transaction: Transaction) -> None:
    try:
        await transaction.commit()
    except (*DISCONNECTED, *BUSY) as error:
        raise CommitUnknown("the connection was lost while a change was committed") from error


async def _rollback(transaction: Transaction) -> None:
    try:
        await transaction.rollback()
    except Exception:  # the connection is lost, and the server rolls the transaction back
        log.debug("a transaction could not be rolled back: its connection is lost")


async def _fetch(connection: PostgresConnection, query: Query[Any]) -> list[Any]:
    rows = await connection.fetch(number_parameters(query.sql), *map(to_parameter, query.params))
    return [query.value(*row) for row in rows]


async def _fetch_combined(connection: PostgresConnection, queries: Sequence[Query[Any]]) -> list[list[Any]]:
    params = [to_parameter(value) for query in queries for value in query.params]
    (results,) = await connection.fetch(combine_queries(tuple(query.sql for query in queries)), *params)
    return [[query.value(*row) for row in rows] for query, rows in zip(queries, results, strict=True)]
