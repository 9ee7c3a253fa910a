"""A PostgreSQL database: changes and reads as data, on a few connections that are kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from bot.referee.ports.changes import CommitUnknown, Conflict, StoreBusy, StoreLost, StoreReadOnly
from data.postgres.alone import Alone
from data.postgres.dialect import numbered
from data.postgres.driver import AGAIN, BUSY, CUT, Link, Pool, Transaction, connected
from data.postgres.leader import FENCE, MAKING, NOW_MADE, PATIENCE, SAME, Leader, counted, is_there
from data.postgres.migrate import check, migrate
from data.postgres.trouble import judged
from data.sql.codec import without_nul
from data.sql.schema import Migration, load
from data.sql.statement import Query, Read, Statement

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES = 4
"""how often a change is carried out that met others in another order than theirs"""


class PostgresDatabase:
    """Use `open`; close it, or use it as a context."""

    takes_rows = True

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._alone: Alone | Leader | None = None
        self._term = ""
        """the number of this keeper's leadership; empty where nobody else could lead"""
        self._tables = ""
        """of a worker: the version that the tables must have"""
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
            database = cls(await connected(address))
            try:
                async with database._pool.acquire() as link:
                    await migrate(link, load() if migrations is None else migrations)
                if alone:
                    database._alone = Alone(address, database.lost)
                    await database._alone.begin()
                    async with database._pool.acquire() as link:
                        await link.execute(MAKING)  # workers need a keeper, who hears of what they write
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
            database = cls(await connected(address, half_done=patience / 2))
        except Exception as error:
            raise judged(error) from error
        leader = database._alone = Leader(address, database.lost, patience)

        async def lead() -> None:
            await leader.begin()
            try:
                async with database._pool.acquire() as link:
                    known = load() if migrations is None else migrations
                    if await is_there(link):
                        await counted(link)  # from here on the last one writes no more
                        if await check(link, known) < len(known):
                            await link.execute(MAKING)  # nor does any worker
                    made = await migrate(link, known)
                    await link.execute(NOW_MADE, str(made))
                    database._term = await counted(link)
            except Exception as error:
                raise judged(error) from error

        return database, lead

    @classmethod
    async def beside(
        cls, address: str, migrations: Sequence[Migration] | None = None
    ) -> tuple[PostgresDatabase, Callable[[], Awaitable[bool]]]:
        """Connect as a worker beside the keepers, changing nothing; and what tells whether the tables are those that
        this one knows, before which nothing may be written. Raises what `open` raises."""
        known = len(load() if migrations is None else migrations)
        try:
            database = cls(await connected(address))
        except Exception as error:
            raise judged(error) from error
        database._tables = str(known)

        async def fits() -> bool:
            try:
                async with database._pool.acquire() as link:
                    return await is_there(link) and bool(await link.fetch(SAME, str(known)))
            except Exception as error:
                raise judged(error) from error

        return database, fits

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
        return await asyncio.shield(task)

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
        try:
            async with self._pool.acquire() as link:
                transaction = link.transaction()
                await transaction.start()
                try:
                    if self._term and not await link.fetch(FENCE, self._term):
                        self.lost.set()
                        raise StoreLost("another keeper leads by now")
                    if self._tables and not await link.fetch(SAME, self._tables):
                        self.lost.set()
                        raise StoreLost("the tables are of another version by now")
                    ids = await _carry_out(link, change)
                except BaseException:  # cancelled too: no connection goes back with half a change open
                    await _undone(transaction)
                    raise
                await _committed(transaction)
                return ids
        except AGAIN:
            raise
        except Exception as error:
            raise judged(error) from error

    # --- reading ------------------------------------------------------------------------------------------

    async def read(self, read: Read[T]) -> T:
        """What is found at one moment of the database."""
        if self._closed:
            raise StoreBusy("the store is closed")
        try:
            async with self._pool.acquire() as link:
                if len(read.queries) == 1:
                    return read.made(await _found(link, read.queries[0]))
                async with link.transaction(isolation="repeatable_read", readonly=True):
                    return read.made(*[await _found(link, query) for query in read.queries])
        except Exception as error:
            raise judged(error) from error


async def _carry_out(link: Link, change: Sequence[Statement]) -> list[int]:
    """The statements of one change, in the open transaction."""
    ids: list[int] = []
    for statement in change:
        rows: Sequence[Sequence[Any]] = ()
        sql = numbered(statement.sql)
        if statement.sql.lstrip().startswith("SELECT") or "RETURNING" in statement.sql:
            rows = await link.fetch(sql, *map(_plain, statement.params))
            count = len(rows)
        else:
            count = int((await link.execute(sql, *map(_plain, statement.params))).rpartition(" ")[2])
        if statement.rows is not None and count != statement.rows:
            raise Conflict(statement.failure)
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
    rows = await link.fetch(numbered(query.sql), *map(_plain, query.params))
    return [query.value(*row) for row in rows]


def _plain(value: Any) -> Any:
    """As PostgreSQL takes it: flags are numbers."""
    if isinstance(value, str):
        return without_nul(value)
    return int(value) if isinstance(value, bool) else value
