"""Whatever is written, a server answers as a file does, also where each transaction has another connection, as behind
PgBouncer in transaction mode: nothing of a store is kept in a session."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from bot.referee.ports import changes as c
from data.postgres import routines
from data.postgres.database import PostgresDatabase
from data.postgres.driver import HALF_DONE, Link, Pool, Prepared, Transaction, waits
from data.store import SqliteStore
from tests import postgres
from tests.data.test_same import CHANGES, everything, outcome
from tests.migrated import migrated
from tests.postgres import PostgresStore

CONNECTIONS = 3


class Switching:
    """A pool in which each statement, and each transaction, has the next connection."""

    def __init__(self, pool: Pool, links: Sequence[Link]) -> None:
        self._pool = pool
        self._links = cycle(links)

    @asynccontextmanager
    async def acquire(self) -> AsyncGenerator[Link]:
        yield Passed(self._links)

    async def close(self) -> None:
        await self._pool.close()

    def terminate(self) -> None:
        self._pool.terminate()


class Passed:
    """What is taken for one connection."""

    def __init__(self, links: Any) -> None:
        self._links = links
        self._mine: Link | None = None
        self.routines = set[str]()

    def _next(self) -> Link:
        return self._mine if self._mine is not None else next(self._links)

    async def execute(self, sql: str, *params: object) -> str:
        return await self._next().execute(sql, *params)

    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]:
        return await self._next().fetch(sql, *params)

    async def fetchval(self, sql: str, *params: object) -> Any:
        return await self._next().fetchval(sql, *params)

    async def prepare(self, sql: str) -> Prepared:
        return await self._next().prepare(sql)

    def transaction(self, **params: object) -> Transaction:
        self._mine = next(self._links)
        return Held(self, self._mine.transaction(**params))

    def let_go(self) -> None:
        self._mine = None


class Held:
    """One transaction, and its connection until its end."""

    def __init__(self, passed: Passed, transaction: Transaction) -> None:
        self._passed = passed
        self._transaction = transaction

    async def start(self) -> None:
        await self._transaction.start()

    async def commit(self) -> None:
        await self._transaction.commit()
        self._passed.let_go()

    async def rollback(self) -> None:
        await self._transaction.rollback()
        self._passed.let_go()

    async def __aenter__(self) -> object:
        await self.start()
        return self

    async def __aexit__(self, kind: object, *_: object) -> object:
        await (self.commit() if kind is None else self.rollback())
        return None


@asynccontextmanager
async def behind_a_pooler(address: str) -> AsyncGenerator[PostgresStore]:
    async with await PostgresDatabase.open(address) as database, AsyncExitStack() as stack:
        whole = database._pool
        links = [await stack.enter_async_context(whole.acquire()) for _ in range(CONNECTIONS)]
        database._pool, database._local = Switching(whole, links), waits(HALF_DONE)
        try:
            yield PostgresStore(database)
        finally:
            database._pool = whole


@pytest.mark.parametrize("often", [1, 2, 999])
@settings(max_examples=4)
@given(changes=CHANGES)
def test_on_a_server_as_on_disk(server: postgres.Server, often: int, changes: list[c.Change]) -> None:
    """Each change as a function that is made for it, those that come again, or none."""

    async def run(path: Path) -> None:
        address = await postgres.emptied(server)
        async with behind_a_pooler(address) as there, await SqliteStore.open(path) as sqlite:
            for change in changes:
                assert await outcome(there, change) == await outcome(sqlite, change), change
            assert await everything(there) == await everything(sqlite)

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(routines, "OFTEN", often)
        asyncio.run(run(migrated(Path(folder) / "gops.sqlite3")))
