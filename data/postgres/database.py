"""A PostgreSQL database: changes and reads as data, on a few connections that are kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from bot.referee.model.changes import CommitUnknown, Conflict, StoreBusy, StoreLost, StoreReadOnly
from data.postgres.dialect import numbered, plain, together
from data.postgres.driver import AGAIN, ANY, BUSY, CUT, FORBIDDEN, HALF_DONE, Link, Pool, Transaction, connected, judged
from data.postgres.leader import (
    FENCE,
    NOTE_ORIGIN,
    ORIGIN,
    PATIENCE,
    Alone,
    Leader,
    counted,
    is_there,
    origin,
    refuse_moved,
)
from data.postgres.migrate import migrate
from data.postgres.routines import UNMET, Routine, Routines
from data.sql.schema import Migration, load
from data.sql.statement import Query, Read, Statement

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES = 4
"""how often a change is carried out that met others in another order than theirs"""

TOGETHER = 8
"""queries that are asked as one; those of more are rare, and find much"""


class Unmet(Exception):
    """A statement met another number of rows than it must: the so-and-so-many-th of its change."""

    def __init__(self, place: int) -> None:
        self.place = place


class PostgresDatabase:
    """Use `open`; close it, or use it as a context."""

    takes_rows = True

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._alone: Alone | Leader | None = None
        self._fence: tuple[Statement, ...] = ()
        """the condition of every write: this process still leads"""
        self._routines = Routines()
        self._under_way: set[asyncio.Task[Sequence[int]]] = set()
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
            database = await cls._connected(address)
            try:
                async with database._pool.acquire() as link:
                    await migrate(link, load() if migrations is None else migrations)
                if alone:
                    database._alone = Alone(address, database.lost)
                    await database._alone.begin()
                    async with database._pool.acquire() as link:
                        await refuse_moved(link)
            except BaseException:  # cancelled too: nobody gets this database to close it
                await database.close()
                raise
        except Exception as error:
            raise judged(error) from error
        return database

    @classmethod
    async def stand_by(
        cls, address: str, migrations: Sequence[Migration] | None = None, patience: timedelta = PATIENCE
    ) -> tuple[PostgresDatabase, Callable[[], Awaitable[None]]]:
        """Connect as one of several keepers, changing nothing; and what waits until this one leads, before which
        nothing may be written. Raises what `open` raises."""
        try:
            database = await cls._connected(address, patience / 2)
        except Exception as error:
            raise judged(error) from error
        leader = database._alone = Leader(address, database.lost, patience)

        async def lead() -> None:
            await leader.begin()
            try:
                async with database._pool.acquire() as link:
                    known = load() if migrations is None else migrations
                    await refuse_moved(link)
                    if await is_there(link):
                        await counted(link)  # from here on the last one writes no more
                    await migrate(link, known)
                    fence = Statement(FENCE, (await counted(link),), 1, "another keeper leads by now")
                    database._fence = (fence,)
            except Exception as error:
                raise judged(error) from error

        return database, lead

    @classmethod
    async def _connected(cls, address: str, half_done: timedelta = HALF_DONE) -> PostgresDatabase:
        return cls(await connected(address, half_done))

    async def __aenter__(self) -> PostgresDatabase:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish what was begun and let go. Closing twice is no mistake."""
        self._closed = True
        if self.lost.is_set():
            self._pool.terminate()  # whatever is under way has nothing to wait for
        while self._under_way:
            await asyncio.wait(self._under_way)
        if self._alone is not None:
            await self._alone.end()
        await self._pool.close()

    # --- writing ------------------------------------------------------------------------------------------

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Carry a change out, whole or not at all. Whoever gives up waiting does not break it off half-way."""
        if self._closed:
            raise StoreReadOnly("the store is closed")
        if self.lost.is_set():
            raise StoreLost("another bot has taken the database over")
        task = asyncio.create_task(self._write(change), name="store writer")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_forgotten)
            raise

    async def _write(self, change: Sequence[Statement]) -> Sequence[int]:
        for _ in range(TRIES - 1):
            try:
                return await self._once(change)
            except AGAIN as error:
                log.debug("a change met another one (%s); once more", type(error).__name__)
        try:
            return await self._once(change)
        except AGAIN as error:
            raise StoreBusy("too many changes of the same rows at once") from error

    async def _once(self, change: Sequence[Statement]) -> Sequence[int]:
        whole = (*self._fence, *change)
        try:
            async with self._pool.acquire() as link:
                routine = self._routines.of(whole)
                if routine is not None and routine.name in link.routines:
                    try:
                        return await _called(link, routine, whole)
                    except (*CUT, TimeoutError) as error:
                        raise CommitUnknown("the connection was lost while a change was carried out") from error
                return await self._in_steps(link, whole)
        except AGAIN:
            raise
        except Unmet as unmet:
            failure = whole[unmet.place].failure
            if unmet.place >= len(self._fence):
                raise Conflict(failure) from None
            self.lost.set()
            raise StoreLost(failure) from None
        except Exception as error:
            raise judged(error) from error

    async def _in_steps(self, link: Link, change: Sequence[Statement]) -> Sequence[int]:
        """A round trip for each statement, or a function made and called."""
        while True:
            transaction = link.transaction()
            await transaction.start()
            try:
                routine = await self._routines.made(link, change)
                ids = await (_called(link, routine, change) if routine else _carry_out(link, change))
            except BaseException as error:  # cancelled too: no connection goes back with half a change open
                await _undone(transaction)
                if isinstance(error, FORBIDDEN) and not self._routines.off:
                    log.info("no functions may be made in this database: changes are carried out without them")
                    self._routines.off = True
                    continue
                raise
            await _committed(transaction)
            if routine is not None:
                link.routines.add(routine.name)
            return ids

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if these tables are others than those in which the last bot noted that they were its own."""
        try:
            async with self._pool.acquire() as link:
                noted = await link.fetchval("SELECT value FROM notes WHERE key = $1", ORIGIN)
                return noted is not None and noted != await origin(link)
        except Exception as error:
            raise judged(error) from error

    async def settle(self) -> None:
        """Note which tables these are. A copy made from now on says so, too, and gives itself away once restored."""
        try:
            async with self._pool.acquire() as link:
                own = await origin(link)
        except Exception as error:
            raise judged(error) from error
        await self.write((Statement(NOTE_ORIGIN, (ORIGIN, own)),))

    async def scrub(self) -> None:
        """Rows that are gone are vacuumed by the server itself."""

    # --- reading ------------------------------------------------------------------------------------------

    async def read(self, read: Read[T]) -> T:
        """What is found at one moment of the database."""
        if self._closed:
            raise StoreBusy("the store is closed")
        try:
            async with self._pool.acquire() as link:
                if len(read.queries) == 1:
                    return read.made(await _found(link, read.queries[0]))
                if 1 < len(read.queries) <= TOGETHER:
                    return read.made(*await _found_at_once(link, read.queries))
                async with link.transaction(isolation="repeatable_read", readonly=True):
                    return read.made(*[await _found(link, query) for query in read.queries])
        except Exception as error:
            raise judged(error) from error


def _forgotten(task: asyncio.Task[Sequence[int]]) -> None:
    """How a change ended that nobody waits for any more."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.info("a change that nobody waited for any more failed: %s", type(error).__name__)


async def _called(link: Link, routine: Routine, change: Sequence[Statement]) -> Sequence[int]:
    """The whole change in one round trip; outside a transaction the server begins and commits one."""
    try:
        return await link.fetchval(routine.called, *routine.arguments(change))
    except ANY as error:
        if getattr(error, "sqlstate", "") == UNMET:
            raise Unmet(int(str(error))) from None
        raise


async def _carry_out(link: Link, change: Sequence[Statement]) -> list[int]:
    """The statements of one change, in the open transaction."""
    ids: list[int] = []
    for place, statement in enumerate(change):
        rows: Sequence[Sequence[Any]] = ()
        sql = numbered(statement.sql)
        if statement.sql.lstrip().startswith("SELECT") or "RETURNING" in statement.sql:
            rows = await link.fetch(sql, *map(plain, statement.params))
            count = len(rows)
        else:
            count = int((await link.execute(sql, *map(plain, statement.params))).rpartition(" ")[2])
        if statement.rows is not None and count != statement.rows:
            raise Unmet(place)
        if statement.gives_id and rows:
            ids.append(rows[0][0])
    return ids


async def _committed(transaction: Transaction) -> None:
    try:
        await transaction.commit()
    except (*CUT, *BUSY) as error:
        raise CommitUnknown("the connection was lost while a change was committed") from error


async def _undone(transaction: Transaction) -> None:
    try:
        await transaction.rollback()
    except Exception:  # the connection is gone, and the transaction with it
        log.debug("a change could not be undone by name")


async def _found(link: Link, query: Query[Any]) -> list[Any]:
    rows = await link.fetch(numbered(query.sql), *map(plain, query.params))
    return [query.value(*row) for row in rows]


async def _found_at_once(link: Link, queries: Sequence[Query[Any]]) -> list[list[Any]]:
    params = [plain(value) for query in queries for value in query.params]
    (found,) = await link.fetch(together(tuple(query.sql for query in queries)), *params)
    return [[query.value(*row) for row in rows] for query, rows in zip(queries, found, strict=True)]
