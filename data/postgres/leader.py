"""One of several keepers leads: it alone writes, meets Discord and fires deadlines. The others wait until it is gone.

Who holds a lock of the server's leads. A leader that died, hangs or is cut off says nothing any more, so the server
ends its session within `PATIENCE`, and with it the lock. Until it notices it may go on for a while and write nothing:
every change looks whether the number of its leadership is still the newest.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta

from bot.errors import MovedDatabase
from data.postgres.alone import BOT
from data.postgres.driver import ANY, BUSY, CUT, Link, Long, Single, alone
from data.postgres.migrate import THERE
from data.sql.table_copy import MOVED

log = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=5)
"""how long a leader may say nothing"""

KEY = "leader"
"""of the note that counts leaderships"""

FENCE = f"SELECT 1 FROM notes WHERE key = '{KEY}' AND value = ? FOR SHARE"
"""finds a row as long as nobody else leads; the next leader waits for changes that have looked"""

COUNTED = f"""INSERT INTO notes (key, value) VALUES ('{KEY}', '1')
    ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(notes.value AS BIGINT) + 1 AS TEXT) RETURNING value"""


class Leader:
    """Waits for the lock on a connection of its own, and holds it there. Once it is gone `lost` is set for good: this
    process must end."""

    def __init__(self, address: str, lost: asyncio.Event, patience: timedelta = PATIENCE) -> None:
        self._address = address
        self._lost = lost
        self._patience = patience
        self._look_every = patience.total_seconds() / 5
        self._link: Single | None = None
        self._watch: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """As soon as nobody else leads, however long that takes."""
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
        """Say that we are there, until cancelled, or until the server did not hear it."""
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
    """One more leadership; its number. None before it writes anything from here on."""
    return str(await link.fetchval(COUNTED))


async def refuse_moved(link: Link) -> None:
    """Raise `MovedDatabase` if the contents were moved to another database."""
    if await is_there(link) and (to := await link.fetchval(f"SELECT value FROM notes WHERE key = '{MOVED}'")):
        raise MovedDatabase("this PostgreSQL database", to)


async def is_there(link: Link | Long) -> bool:
    """Whether there are tables yet."""
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
