"""Workers beside keepers: they write only where the tables are those that they know, and are heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack

import pytest

from bot.referee.ports.changes import SaveNote, StoreLost
from data.postgres.alone import Alone
from data.postgres.database import PostgresDatabase
from data.postgres.dialect import numbered
from data.postgres.hints import LONGEST, Ear, Herald, read, written
from data.postgres.leader import SAME
from data.sql.schema import Migration, load
from data.sql.writes import statements
from tests import postgres

NEW = (*load(), Migration(len(load()) + 1, "moods", "ALTER TABLE guilds ADD COLUMN mood TEXT;"))
OLD = NEW[:-1]
NOTE = statements((SaveNote("said", "x"),))

WAITING = """SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"""


@pytest.fixture
async def address(server: postgres.Server) -> str:
    return await postgres.emptied(server, fresh=True)


@pytest.fixture
async def undo() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def test_a_rolling_upgrade(address: str, undo: AsyncExitStack) -> None:
    """A newer worker waits for a keeper that brings the tables up to date; an older one ends with that."""
    old, old_fits = await PostgresDatabase.beside(address, OLD)
    new, new_fits = await PostgresDatabase.beside(address, NEW)
    undo.push_async_callback(old.close)
    undo.push_async_callback(new.close)
    assert not await old_fits(), "there are no tables at all"
    first, leads = await PostgresDatabase.stand_by(address, OLD)
    undo.push_async_callback(first.close)
    await leads()
    assert (await old_fits(), await new_fits()) == (True, False)
    await old.write(NOTE)
    with pytest.raises(StoreLost):
        await new.write(NOTE)
    second, next_leads = await PostgresDatabase.stand_by(address, NEW)
    undo.push_async_callback(second.close)
    async with old._pool.acquire() as writing, new._pool.acquire() as looking:
        transaction = writing.transaction()
        await transaction.start()
        assert await writing.fetch(numbered(SAME), str(len(OLD)))
        await first.close()
        upgrade = asyncio.ensure_future(next_leads())
        while not await looking.fetchval(WAITING):
            assert not upgrade.done(), "it waits for what is being written"
            await asyncio.sleep(0)
        await transaction.commit()
        await upgrade
    assert (await old_fits(), await new_fits()) == (False, True)
    with pytest.raises(StoreLost, match="another version"):
        await old.write(NOTE)
    assert old.lost.is_set()
    again, fits = await PostgresDatabase.beside(address, NEW)
    undo.push_async_callback(again.close)
    assert await fits()
    await again.write(NOTE)


async def test_workers_write_nothing_beside_a_bot_that_hears_of_nobody(address: str, undo: AsyncExitStack) -> None:
    keeper, leads = await PostgresDatabase.stand_by(address)
    await leads()
    worker, fits = await PostgresDatabase.beside(address)
    undo.push_async_callback(worker.close)
    await worker.write(NOTE)
    await keeper.close()
    alone = await PostgresDatabase.open(address, alone=True)
    undo.push_async_callback(alone.close)
    assert isinstance(alone._alone, Alone)
    assert not await fits()
    with pytest.raises(StoreLost):
        await worker.write(NOTE)


async def test_hints_are_heard(address: str, undo: AsyncExitStack) -> None:
    heard: dict[str, int] = {}
    came = asyncio.Event()

    def hear(told: Mapping[str, int]) -> None:
        heard.update(told)
        came.set()

    ear, hints = Ear(address, hear), Herald(address)
    ear.open()
    undo.push_async_callback(ear.close)
    undo.push_async_callback(hints.close)
    async with asyncio.timeout(60):
        while not came.is_set():  # until it listens
            hints.tell("AAAA", 1)
            await asyncio.sleep(0)
        for version in (3, 2, 0):
            hints.tell("K7Q2", version)
        while "K7Q2" not in heard:
            came.clear()
            await came.wait()
    assert heard == {"AAAA": 1, "K7Q2": 3}


def test_hints_are_as_many_as_it_takes() -> None:
    told = {f"M{number:05}": number for number in range(3000)}
    payloads = written(told)
    assert len(payloads) > 1
    assert max(map(len, payloads)) <= LONGEST
    together: dict[str, int] = {}
    for one in payloads:
        together.update(read(one))
    assert together == told
    assert read("what is this :5 A:x B:7") == {"B": 7}
