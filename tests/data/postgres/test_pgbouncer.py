"""A real PgBouncer in transaction mode: changes and reads go through it, whoever holds a lock or listens past it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest
from hypothesis import given, settings

from bot.referee.ports import changes as c
from bot.referee.ports.changes import Conflict, SaveNote, StoreBusy, StoreLost
from data.postgres import driver, routines
from data.postgres.database import PostgresDatabase
from data.postgres.hints import Ear, Herald
from data.sql import reads_people
from data.sql.writes import statements
from data.store import SqliteStore
from tests import pgbouncer, postgres
from tests.data.test_same import CHANGES, everything, outcome
from tests.migrated import migrated
from tests.postgres import PostgresStore

NOTE = statements((SaveNote("said", "x"),))


@pytest.fixture(scope="module")
def bouncer(server: postgres.Server) -> Iterator[pgbouncer.PgBouncer]:
    with pgbouncer.before(server) as running:
        yield running


@pytest.fixture
async def address(server: postgres.Server) -> str:
    return await postgres.emptied(server)


@pytest.fixture
def pooler(address: str, bouncer: pgbouncer.PgBouncer) -> str:
    return bouncer.address(urlsplit(address).path.strip("/"))


@pytest.fixture
async def undo() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@settings(max_examples=6)
@given(CHANGES)
def test_on_a_server_as_on_disk(server: postgres.Server, bouncer: pgbouncer.PgBouncer, changes: list[c.Change]) -> None:
    async def run(path: Path) -> None:
        address = await postgres.emptied(server)
        pooler = bouncer.address(urlsplit(address).path.strip("/"))
        async with (
            await PostgresDatabase.open(address, pooler=pooler) as database,
            await SqliteStore.open(path) as file,
        ):
            there = PostgresStore(database)
            for change in changes:
                assert await outcome(there, change) == await outcome(file, change), change
            assert await everything(there) == await everything(file)

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(routines, "OFTEN", 1)
        asyncio.run(run(migrated(Path(folder) / "gops.sqlite3")))


async def test_each_session_gets_a_function_that_it_lacks(address: str, pooler: str, undo: AsyncExitStack) -> None:
    """More calls than there are sessions, side by side, so that all of them take part."""
    database = await PostgresDatabase.open(address, pooler=pooler)
    undo.push_async_callback(database.close)
    for _ in range(routines.OFTEN):
        await database.write(NOTE)
    await asyncio.gather(*(database.write(NOTE) for _ in range(24)))
    [routine] = database._routines._known.values()
    counted = "SELECT pronamespace, count(*) FROM pg_proc WHERE proname = ? GROUP BY 1"
    name = routine.name.removeprefix("pg_temp.")
    made = await asyncio.to_thread(postgres.rows, address, counted, (name,))
    assert 1 <= len(made) <= 3, "in sessions that PgBouncer keeps"
    assert {count for _, count in made} == {1}


async def test_a_row_is_not_waited_for_for_ever(
    address: str, pooler: str, undo: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings of a session would be lost, or refused: each transaction brings its own."""
    for module in (driver, routines):
        monkeypatch.setattr(module, "LOCK_PATIENCE", 50)
    database = await PostgresDatabase.open(address, pooler=pooler)
    undo.push_async_callback(database.close)
    await database.write(NOTE)
    held = await asyncpg.connect(address)
    undo.push_async_callback(held.close)
    async with held.transaction():
        await held.execute("SELECT 1 FROM notes WHERE key = 'said' FOR UPDATE")
        for _ in range(routines.OFTEN + 1):  # one statement after the other, and as a function
            with pytest.raises(StoreBusy):
                await database.write(NOTE)
    await database.write(NOTE)


async def test_a_keeper_leads_past_it_and_a_worker_writes_through_it(
    address: str, pooler: str, undo: AsyncExitStack
) -> None:
    keeper, leads = await PostgresDatabase.stand_by(address, pooler=pooler)
    undo.push_async_callback(keeper.close)
    await leads()
    worker, fits = await PostgresDatabase.beside(address, pooler=pooler)
    undo.push_async_callback(worker.close)
    assert await fits()
    heard: dict[str, int] = {}
    came = asyncio.Event()

    def hear(told: Mapping[str, int]) -> None:
        heard.update(told)
        came.set()

    ear, herald = Ear(address, hear), Herald(address, pooler)
    ear.open()
    undo.push_async_callback(ear.close)
    undo.push_async_callback(herald.close)
    async with asyncio.timeout(60):
        while not came.is_set():  # until it listens
            await worker.write(NOTE)
            herald.tell("K7Q2", 3)
            await asyncio.sleep(0)
    assert heard == {"K7Q2": 3}
    assert await keeper.read(reads_people.note("said")) == "x"
    other, next_leads = await PostgresDatabase.stand_by(address, pooler=pooler)
    undo.push_async_callback(other.close)
    assert keeper._alone is not None
    await keeper._alone.end()
    await next_leads()
    with pytest.raises(StoreLost, match="another keeper"):
        await keeper.write(NOTE)
    await other.write(NOTE)


async def test_a_change_that_meets_another_is_a_conflict(address: str, pooler: str, undo: AsyncExitStack) -> None:
    database = await PostgresDatabase.open(address, pooler=pooler)
    undo.push_async_callback(database.close)
    for _ in range(routines.OFTEN + 2):
        with pytest.raises(Conflict, match="does not have 1 decisions"):
            await database.write(statements((c.AddDecisions("NONE", 0, 1, ()),)))
