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
from data.postgres.dialect import numbered, plain
from data.postgres.driver import ANY, BUSY, CUT, Link, Long, Single, alone, judged
from data.postgres.migrate import THERE, check
from data.sql.schema import MOVED, load
from data.sql.statement import Read

BOT = 0x474F5054
"""Key of the advisory lock that a running bot holds."""

LOOK = 1.0
"""Seconds between checks of the lock."""


class Alone:
    """Lock of the only bot, on a connection of its own. `lost` is set if another bot takes it: the process must end.

    The cache of a process is right only while no other process writes.
    """

    def __init__(self, address: str, lost: asyncio.Event) -> None:
        self._address = address
        self._lost = lost
        self._link: Single | None = None
        self._watch: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Take the lock. Raise `DatabaseError` if another bot runs."""
        if not await self._take():
            raise DatabaseError(
                "Another bot runs on this database. Only one may: what each remembers would be wrong. Stop it first."
            )
        self._watch = asyncio.create_task(self._look(), name="alone")

    async def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._let_go()

    async def _take(self) -> bool:
        self._link = await alone(self._address)
        return bool(await self._link.fetchval("SELECT pg_try_advisory_lock($1)", BOT))

    async def _let_go(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            with suppress(*CUT):
                await link.close()

    async def _look(self) -> None:
        """Check the lock until cancelled, and take it again after a restart of the server."""
        while not self._lost.is_set():
            await asyncio.sleep(LOOK)
            try:
                if self._link is not None:
                    await self._link.execute("SELECT 1")
                    continue
                if not await self._take():
                    log.critical("another bot has taken this database over: nothing is taken in any more")
                    self._lost.set()
            except (*CUT, TimeoutError):
                await self._let_go()


log = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=5)
"""Time for which a leader may be silent."""

KEY = "leader"
"""Key of the note that counts leaderships."""

FENCE = f"SELECT 1 FROM notes WHERE key = '{KEY}' AND value = ? FOR SHARE"
"""Find a row while no other process leads. The next leader waits for changes that have checked this."""

COUNTED = f"""INSERT INTO notes (key, value) VALUES ('{KEY}', '1')
    ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(notes.value AS BIGINT) + 1 AS TEXT) RETURNING value"""


class Leader:
    """Waits for the lock on a connection of its own, and holds it. When the lock is gone, `lost` is set: the process
    must end.
    """

    def __init__(self, address: str, lost: asyncio.Event, patience: timedelta = PATIENCE) -> None:
        self._address = address
        self._lost = lost
        self._patience = patience
        self._look_every = patience.total_seconds() / 5
        self._link: Single | None = None
        self._watch: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Wait until no other process leads, and take the lock."""
        waits = False
        while not await self._tried():
            if not waits:
                log.info("another keeper leads; standing by")
            waits = True
            await asyncio.sleep(self._look_every)
        self._watch = asyncio.create_task(self._look(), name="leader")

    async def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        link, self._link = self._link, None
        if link is not None:
            with suppress(*CUT, TimeoutError):
                async with asyncio.timeout(self._look_every):
                    await link.close()

    async def _tried(self) -> bool:
        try:
            if self._link is None:
                self._link = await alone(self._address, quiet=self._patience)
            return bool(await self._link.fetchval("SELECT pg_try_advisory_lock($1)", BOT))
        except (*CUT, *BUSY) as error:
            log.warning("the PostgreSQL server does not answer (%s); trying again", type(error).__name__)
            self._drop()
            return False

    def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.terminate()

    async def _look(self) -> None:
        """Ping the server until cancelled, or until it does not answer."""
        try:
            while self._link is not None:
                await asyncio.sleep(self._look_every)
                async with asyncio.timeout(4 * self._look_every):
                    await self._link.execute("SELECT 1")
        except (*CUT, TimeoutError) as error:
            log.error("the lead is lost (%s): another keeper goes on", type(error).__name__)
        self._lost.set()
        self._drop()


async def counted(link: Link) -> str:
    """Begin a new leadership and return its number. Earlier leaders cannot write from now on."""
    return str(await link.fetchval(COUNTED))


async def refuse_moved(link: Link) -> None:
    """Raise `MovedDatabase` if the contents were moved to another database."""
    if await is_there(link) and (to := await link.fetchval(f"SELECT value FROM notes WHERE key = '{MOVED}'")):
        raise MovedDatabase("this PostgreSQL database", to)


async def is_there(link: Link | Long) -> bool:
    """Return True if the database has tables."""
    return bool(await link.fetchval(THERE))


ORIGIN = "origin"
"""Key of the note that names the tables in which it was written."""

NOTE_ORIGIN = "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

TABLES = """SELECT pg_database.oid || ' ' || pg_class.oid FROM pg_database, pg_class
    WHERE datname = current_database() AND pg_class.oid = 'matches'::regclass"""
CLUSTER = "SELECT system_identifier FROM pg_control_system()"
TIMELINE = "SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)"
"""Another one after a standby was promoted, or a base backup was recovered up to some time."""


async def origin(link: Link) -> str:
    """Name the tables: server, timeline, database and table. A host may forbid the first two."""
    parts = [str(await link.fetchval(TABLES))]
    for sql in (CLUSTER, TIMELINE):
        with suppress(*ANY):
            parts.append(str(await link.fetchval(sql)))
    return " ".join(parts)


T = TypeVar("T")


async def version(address: str) -> int:
    """Return the version of the schema. Raise `DatabaseError`, `StoreBusy` or `StoreReadOnly`."""
    return await _looked(address, lambda link: check(link, load()))


HELD = """SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND datname = current_database()"""


async def is_led(address: str) -> bool:
    """Return True if a bot runs on the database: the only one, or the leader."""
    return bool(await _looked(address, lambda link: link.fetchval(HELD, BOT)))


async def look(address: str, read: Read[T]) -> T | None:
    """Return what a read of one query finds; None if there is no table yet."""
    [query] = read.queries

    async def found(link: Single) -> T | None:
        if not await check(link, load()):
            return None
        rows = await link.fetch(numbered(query.sql), *map(plain, query.params))
        return read.made([query.value(*row) for row in rows])

    return await _looked(address, found)


async def _looked(address: str, look: Callable[[Single], Awaitable[T]]) -> T:
    try:
        link = await alone(address)
        try:
            return await look(link)
        finally:
            await link.close()
    except Exception as error:
        raise judged(error) from error
