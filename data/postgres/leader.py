"""The lock of the one bot on a PostgreSQL server, and the leader among several processes.

The leader holds an advisory lock. It alone writes, talks to Discord and fires deadlines; the standbys wait. The server
ends the session of a leader that is silent for longer than `PATIENCE`, and with it the lock. A leader that did not
notice cannot write any more, because each change checks a fencing token, the number of the leadership.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

from bot.errors import DatabaseError, MovedDatabase
from data.postgres.dialect import number_parameters, to_parameter
from data.postgres.driver import (
    ANY_ERROR,
    BUSY,
    DISCONNECTED,
    BulkConnection,
    DedicatedConnection,
    PostgresConnection,
    connect_dedicated,
    translate_errors,
)
from data.postgres.migrate import COUNT_TABLES, check_version
from data.sql.schema import MOVED, load_migrations
from data.sql.statement import Read

BOT = 0x474F5054
"""Key of the advisory lock that a running bot holds."""

CHECK_SECONDS = 1.0
"""Seconds between checks of the lock."""


class HeldLock:
    """Advisory lock of a process, on a connection of its own. `lost` is set when another one has it: the process must
    end."""

    def __init__(self, address: str, lost: asyncio.Event, check_seconds: float) -> None:
        self._address = address
        self._lost = lost
        self._check_seconds = check_seconds
        self._connection: DedicatedConnection | None = None
        self._watch: asyncio.Task[None] | None = None

    async def release(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*DISCONNECTED, TimeoutError):
                async with asyncio.timeout(self._check_seconds):
                    await connection.close()

    async def _try_lock(self, silence: timedelta = timedelta()) -> bool:
        if self._connection is None:
            self._connection = await connect_dedicated(self._address, silence)
        return bool(await self._connection.fetchval("SELECT pg_try_advisory_lock($1)", BOT))

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()


class BotLock(HeldLock):
    """Lock of the only bot: the cache of a process is right only while no other process writes."""

    def __init__(self, address: str, lost: asyncio.Event) -> None:
        super().__init__(address, lost, CHECK_SECONDS)

    async def acquire(self) -> None:
        """Take the lock. Raise `DatabaseError` if another bot runs."""
        if not await self._try_lock():
            raise DatabaseError(
                "Another bot runs on this database. Only one may run, because each has a cache. Stop it first."
            )
        self._watch = asyncio.create_task(self._keep_watch(), name="alone")

    async def _keep_watch(self) -> None:
        """Check the lock until cancelled, and take it again after a restart of the server."""
        while not self._lost.is_set():
            await asyncio.sleep(self._check_seconds)
            try:
                if self._connection is not None:
                    await self._connection.execute("SELECT 1")
                    continue
                if not await self._try_lock():
                    log.critical("another bot has taken over this database: no more changes are accepted")
                    self._lost.set()
            except (*DISCONNECTED, TimeoutError):
                self._disconnect()


log = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=5)
"""Time for which a leader may be silent."""

LEADERSHIP = "leader"
"""Key of the note that counts leaderships."""

FENCE = f"SELECT 1 FROM notes WHERE key = '{LEADERSHIP}' AND value = ? FOR SHARE"
"""Returns a row while no other process leads. The next leader waits for changes that have locked this row."""

NEXT_LEADERSHIP = f"""INSERT INTO notes (key, value) VALUES ('{LEADERSHIP}', '1')
    ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(notes.value AS BIGINT) + 1 AS TEXT) RETURNING value"""


class Leader(HeldLock):
    """Lock of the leader. `lost` is set when its connection breaks: the server may have given the lock away."""

    def __init__(self, address: str, lost: asyncio.Event, patience: timedelta = PATIENCE) -> None:
        super().__init__(address, lost, patience.total_seconds() / 5)
        self._patience = patience

    async def acquire(self) -> None:
        """Wait until no other process leads, and take the lock."""
        is_waiting = False
        while not await self._wait_for_lock():
            if not is_waiting:
                log.info("another process leads; standing by")
            is_waiting = True
            await asyncio.sleep(self._check_seconds)
        self._watch = asyncio.create_task(self._keep_watch(), name="leader")

    async def _wait_for_lock(self) -> bool:
        """Return True if this process has the lock, False if another one has it or the server does not answer."""
        try:
            return await self._try_lock(silence=self._patience)
        except (*DISCONNECTED, *BUSY) as error:
            log.warning("the PostgreSQL server does not answer (%s); retrying", type(error).__name__)
            self._disconnect()
            return False

    async def _keep_watch(self) -> None:
        """Ping the server until cancelled, or until it does not answer."""
        try:
            while self._connection is not None:
                await asyncio.sleep(self._check_seconds)
                async with asyncio.timeout(4 * self._check_seconds):
                    await self._connection.execute("SELECT 1")
        except (*DISCONNECTED, TimeoutError) as error:
            log.error("the lead is lost (%s): another process takes over", type(error).__name__)
        self._lost.set()
        self._disconnect()


async def begin_leadership(connection: PostgresConnection) -> str:
    """Begin a new leadership and return its number. Earlier leaders cannot write from now on."""
    return str(await connection.fetchval(NEXT_LEADERSHIP))


async def refuse_moved(connection: PostgresConnection) -> None:
    """Raise `MovedDatabase` if the contents were moved to another database."""
    if await has_tables(connection) and (
        to := await connection.fetchval(f"SELECT value FROM notes WHERE key = '{MOVED}'")
    ):
        raise MovedDatabase("this PostgreSQL database", to)


async def has_tables(connection: PostgresConnection | BulkConnection) -> bool:
    """Return True if the database has tables."""
    return bool(await connection.fetchval(COUNT_TABLES))


ORIGIN = "origin"
"""Key of the note that names the tables in which it was written."""

TABLES = """SELECT pg_database.oid || ' ' || pg_class.oid FROM pg_database, pg_class
    WHERE datname = current_database() AND pg_class.oid = 'matches'::regclass"""
CLUSTER = "SELECT system_identifier FROM pg_control_system()"
TIMELINE = "SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)"
"""Another one after a standby was promoted, or a base backup was recovered up to some time."""


async def read_origin(connection: PostgresConnection) -> str:
    """Name the tables: server, timeline, database and table. A host may forbid the first two."""
    parts = [str(await connection.fetchval(TABLES))]
    for sql in (CLUSTER, TIMELINE):
        with suppress(*ANY_ERROR):
            parts.append(str(await connection.fetchval(sql)))
    return " ".join(parts)


T = TypeVar("T")


async def read_version(address: str) -> int:
    """Return the version of the schema. Raise `DatabaseError`, `StoreBusy` or `StoreReadOnly`."""
    return await _query(address, lambda connection: check_version(connection, load_migrations()))


COUNT_BOT_LOCKS = """SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND datname = current_database()"""


async def is_led(address: str) -> bool:
    """Return True if a bot runs on the database: the only one, or the leader."""
    return bool(await _query(address, lambda connection: connection.fetchval(COUNT_BOT_LOCKS, BOT)))


async def read_once(address: str, read: Read[T]) -> T | None:
    """Return what a read of one query finds; None if there is no table yet."""
    [query] = read.queries

    async def look(connection: DedicatedConnection) -> T | None:
        if not await check_version(connection, load_migrations()):
            return None
        rows = await connection.fetch(number_parameters(query.sql), *map(to_parameter, query.params))
        return read.combine([query.value(*row) for row in rows])

    return await _query(address, look)


async def _query(address: str, look: Callable[[DedicatedConnection], Awaitable[T]]) -> T:
    with translate_errors():
        connection = await connect_dedicated(address)
        try:
            return await look(connection)
        finally:
            await connection.close()
