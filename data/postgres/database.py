"""A PostgreSQL database: changes and reads as data, on a few connections that are kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from bot.referee.model.changes import CommitUnknown, Conflict, StoreBusy, StoreLost, StoreReadOnly
from data.postgres.dialect import combine_queries, number_parameters, to_parameter
from data.postgres.driver import (
    ANY_ERROR,
    BUSY,
    DISCONNECTED,
    FORBIDDEN,
    IDLE_PATIENCE,
    RETRYABLE,
    Pool,
    PostgresConnection,
    Transaction,
    connect_pool,
    translate_error,
)
from data.postgres.leader import (
    FENCE,
    NOTE_ORIGIN,
    ORIGIN,
    PATIENCE,
    BotLock,
    Leader,
    begin_leadership,
    has_tables,
    read_origin,
    refuse_moved,
)
from data.postgres.migrate import migrate
from data.postgres.routines import ROW_COUNT_MISMATCH, Routine, Routines
from data.sql.schema import Migration, load_migrations
from data.sql.statement import Query, Read, Statement

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES = 4
"""how often a change is carried out that met others in another order than theirs"""

MAX_COMBINED = 8
"""queries that are asked as one; those of more are rare, and find much"""


class RowCountMismatch(Exception):
    """A statement met another number of rows than it must: the so-and-so-many-th of its change."""

    def __init__(self, index: int) -> None:
        self.index = index


class PostgresDatabase:
    """Use `open`; close it, or use it as a context."""

    needs_row_locks = True

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._lock: BotLock | Leader | None = None
        self._fence: tuple[Statement, ...] = ()
        """the condition of every write: this process still leads"""
        self._routines = Routines()
        self._pending: set[asyncio.Task[Sequence[int]]] = set()
        self._closed = False
        self.lost = asyncio.Event()
        """another bot has the database now: nothing is written any more, and whoever runs this must end"""

    @classmethod
    async def open(
        cls, address: str, migrations: Sequence[Migration] | None = None, *, alone: bool = False
    ) -> PostgresDatabase:
        """Connect, at the newest version; `alone` refuses where a bot runs. Raises `DatabaseError`, `StoreBusy` and
        `StoreReadOnly`."""
        try:
            database = await cls._connect(address)
            try:
                async with database._pool.acquire() as connection:
                    await migrate(connection, load_migrations() if migrations is None else migrations)
                if alone:
                    database._lock = BotLock(address, database.lost)
                    await database._lock.acquire()
                    async with database._pool.acquire() as connection:
                        await refuse_moved(connection)
            except BaseException:  # cancelled too: nobody gets this database to close it
                await database.close()
                raise
        except Exception as error:
            raise translate_error(error) from error
        return database

    @classmethod
    async def stand_by(
        cls, address: str, migrations: Sequence[Migration] | None = None, patience: timedelta = PATIENCE
    ) -> tuple[PostgresDatabase, Callable[[], Awaitable[None]]]:
        """Connect as one of several processes, changing nothing; and what waits until this one leads, before which
        nothing may be written. Raises what `open` raises."""
        try:
            database = await cls._connect(address, patience / 2)
        except Exception as error:
            raise translate_error(error) from error
        leader = database._lock = Leader(address, database.lost, patience)

        async def lead() -> None:
            await leader.acquire()
            try:
                async with database._pool.acquire() as connection:
                    known = load_migrations() if migrations is None else migrations
                    await refuse_moved(connection)
                    if await has_tables(connection):
                        await begin_leadership(connection)  # from here on the last one writes no more
                    await migrate(connection, known)
                    fence = Statement(FENCE, (await begin_leadership(connection),), 1, "another process leads by now")
                    database._fence = (fence,)
            except Exception as error:
                raise translate_error(error) from error

        return database, lead

    @classmethod
    async def _connect(cls, address: str, half_done: timedelta = IDLE_PATIENCE) -> PostgresDatabase:
        return cls(await connect_pool(address, half_done))

    async def __aenter__(self) -> PostgresDatabase:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish what was begun and let go. Closing twice is no mistake."""
        self._closed = True
        if self.lost.is_set():
            self._pool.terminate()  # whatever is under way has nothing to wait for
        while self._pending:
            await asyncio.wait(self._pending)
        if self._lock is not None:
            await self._lock.release()
        await self._pool.close()

    # --- writing ------------------------------------------------------------------------------------------

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Carry a change out, whole or not at all. Whoever gives up waiting does not break it off half-way."""
        if self._closed:
            raise StoreReadOnly("the store is closed")
        if self.lost.is_set():
            raise StoreLost("another bot has taken the database over")
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
                log.debug("a change met another one (%s); once more", type(error).__name__)
        try:
            return await self._try_write(change)
        except RETRYABLE as error:
            raise StoreBusy("too many changes of the same rows at once") from error

    async def _try_write(self, change: Sequence[Statement]) -> Sequence[int]:
        whole = (*self._fence, *change)
        try:
            async with self._pool.acquire() as connection:
                routine = self._routines.find(whole)
                if routine is not None and routine.name in connection.routines:
                    try:
                        return await _call(connection, routine, whole)
                    except (*DISCONNECTED, TimeoutError) as error:
                        raise CommitUnknown("the connection was lost while a change was carried out") from error
                return await self._write_statements(connection, whole)
        except RETRYABLE:
            raise
        except RowCountMismatch as mismatch:
            failure = whole[mismatch.index].failure
            if mismatch.index >= len(self._fence):
                raise Conflict(failure) from None
            self.lost.set()
            raise StoreLost(failure) from None
        except Exception as error:
            raise translate_error(error) from error

    async def _write_statements(self, connection: PostgresConnection, change: Sequence[Statement]) -> Sequence[int]:
        """A round trip for each statement, or a function made and called."""
        while True:
            transaction = connection.transaction()
            await transaction.start()
            try:
                routine = await self._routines.ensure(connection, change)
                ids = await (_call(connection, routine, change) if routine else _execute(connection, change))
            except BaseException as error:  # cancelled too: no connection goes back with half a change open
                await _rollback(transaction)
                if isinstance(error, FORBIDDEN) and not self._routines.is_off:
                    log.info("no functions may be made in this database: changes are carried out without them")
                    self._routines.is_off = True
                    continue
                raise
            await _commit(transaction)
            if routine is not None:
                connection.routines.add(routine.name)
            return ids

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if these tables are others than those in which the last bot noted that they were its own."""
        try:
            async with self._pool.acquire() as connection:
                noted = await connection.fetchval("SELECT value FROM notes WHERE key = $1", ORIGIN)
                return noted is not None and noted != await read_origin(connection)
        except Exception as error:
            raise translate_error(error) from error

    async def settle(self) -> None:
        """Note which tables these are. A copy made from now on says so, too, and gives itself away once restored."""
        try:
            async with self._pool.acquire() as connection:
                own = await read_origin(connection)
        except Exception as error:
            raise translate_error(error) from error
        await self.write((Statement(NOTE_ORIGIN, (ORIGIN, own)),))

    async def scrub(self) -> None:
        """Rows that are gone are vacuumed by the server itself."""

    # --- reading ------------------------------------------------------------------------------------------

    async def read(self, read: Read[T]) -> T:
        """What is found at one moment of the database."""
        if self._closed:
            raise StoreBusy("the store is closed")
        try:
            async with self._pool.acquire() as connection:
                if len(read.queries) == 1:
                    return read.combine(await _fetch(connection, read.queries[0]))
                if 1 < len(read.queries) <= MAX_COMBINED:
                    return read.combine(*await _fetch_combined(connection, read.queries))
                async with connection.transaction(isolation="repeatable_read", readonly=True):
                    return read.combine(*[await _fetch(connection, query) for query in read.queries])
        except Exception as error:
            raise translate_error(error) from error


def _log_abandoned(task: asyncio.Task[Sequence[int]]) -> None:
    """How a change ended that nobody waits for any more."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.info("a change that nobody waited for any more failed: %s", type(error).__name__)


async def _call(connection: PostgresConnection, routine: Routine, change: Sequence[Statement]) -> Sequence[int]:
    """The whole change in one round trip; outside a transaction the server begins and commits one."""
    try:
        return await connection.fetchval(routine.call, *routine.arguments(change))
    except ANY_ERROR as error:
        if getattr(error, "sqlstate", "") == ROW_COUNT_MISMATCH:
            raise RowCountMismatch(int(str(error))) from None
        raise


async def _execute(connection: PostgresConnection, change: Sequence[Statement]) -> list[int]:
    """The statements of one change, in the open transaction."""
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
    except Exception:  # the connection is gone, and the transaction with it
        log.debug("a change could not be undone by name")


async def _fetch(connection: PostgresConnection, query: Query[Any]) -> list[Any]:
    rows = await connection.fetch(number_parameters(query.sql), *map(to_parameter, query.params))
    return [query.value(*row) for row in rows]


async def _fetch_combined(connection: PostgresConnection, queries: Sequence[Query[Any]]) -> list[list[Any]]:
    params = [to_parameter(value) for query in queries for value in query.params]
    (results,) = await connection.fetch(combine_queries(tuple(query.sql for query in queries)), *params)
    return [[query.value(*row) for row in rows] for query, rows in zip(queries, results, strict=True)]
