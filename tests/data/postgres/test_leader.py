"""One of several processes leads. An earlier leader cannot write any more, whether it is gone or only cut off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import DatabaseError
from bot.referee.model.changes import SaveNote, StoreLost
from data.postgres.database import PostgresDatabase
from data.postgres.dialect import number_parameters
from data.postgres.leader import FENCE, begin_leadership, is_led
from data.sql import people
from data.sql.steps import build_statements
from tests import postgres

PATIENCE = timedelta(seconds=0.5)
STEADY = timedelta(seconds=10)
"""for one that must keep the lead on a busy machine"""
SOCKET = ".s.PGSQL.5432"
AT_REST = b"Z\0\0\0\5I"
"""what the server ends an answer with when no transaction is open"""

HERE = "datname = current_database()"
WAITING = f"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND {HERE}"
ENDED = f"""SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE {HERE} AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')"""


class Wire:
    """Between a process and the server; it can be cut, so that nobody hears anything, nor that it was."""

    def __init__(self, there: Path) -> None:
        self._there = there
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._last = b""
        self._gone = asyncio.Event()
        """the last went over it"""
        self._half_done: set[asyncio.StreamWriter] = set()
        """those of the server to which something was said that it has not answered to the end"""
        self._rested = asyncio.Event()

    async def open(self, here: Path) -> None:
        self._server = await asyncio.start_unix_server(self._taken, here)

    def cut(self) -> None:
        self._whole.clear()

    async def cut_after(self, last: bytes) -> None:
        """As soon as this has gone over it, and nothing that follows."""
        self._last = last
        await self._gone.wait()

    async def cut_at_rest(self) -> None:
        """As soon as no change is half done: its locks would keep others waiting until the server has noticed."""
        while self._half_done:
            self._rested.clear()
            await self._rested.wait()
        self.cut()

    def mend(self) -> None:
        self._whole.set()

    async def close(self) -> None:
        self._server.close()
        for one in self._tasks:
            one.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _taken(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs = await asyncio.open_unix_connection(self._there)
        self._writers += [writer, theirs[1]]
        for source, target in ((reader, theirs[1]), (theirs[0], writer)):
            task = asyncio.create_task(self._carry(source, target, theirs[1]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, server: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                await self._whole.wait()
                target.write(data)
                if target is server:
                    self._half_done.add(server)
                elif data.endswith(AT_REST):
                    self._half_done.discard(server)
                    self._rested.set()
                if self._last and self._last in data:
                    self.cut()
                    self._gone.set()
        await self._whole.wait()
        target.close()  # as the other end was
        self._half_done.discard(server)
        self._rested.set()


Opened = Callable[..., Awaitable[tuple[PostgresDatabase, Callable[[], Awaitable[None]]]]]


@pytest.fixture
async def address(server: postgres.Server) -> str:
    return await postgres.emptied(server)


@pytest.fixture
async def undo() -> AsyncIterator[AsyncExitStack]:
    """What is done at the end, the last first."""
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def standby(address: str, undo: AsyncExitStack) -> Opened:
    """Start one more standby of the same database."""

    async def opened(
        at: str = address, patience: timedelta = PATIENCE
    ) -> tuple[PostgresDatabase, Callable[[], Awaitable[None]]]:
        database, lead = await PostgresDatabase.stand_by(at, patience=patience)
        undo.push_async_callback(database.close)
        return database, lead

    return opened


async def note(database: PostgresDatabase, value: str) -> None:
    await database.write(build_statements((SaveNote("said", value),)))


async def test_one_leads_until_it_is_gone(standby: Opened, address: str) -> None:
    first, first_leads = await standby()
    second, second_leads = await standby(patience=STEADY)
    assert not await is_led(address)
    await first_leads()
    await note(first, "first")
    assert await is_led(address)
    waiting = asyncio.ensure_future(second_leads())
    with pytest.raises(DatabaseError, match="Another bot runs"):
        await PostgresDatabase.open(address, alone=True)
    assert not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await first.close()
    async with asyncio.timeout(60):
        await second_leads()
    assert await second.read(people.note("said")) == "first"
    await note(second, "second")


@pytest.mark.parametrize("saying", [False, True])
async def test_one_that_is_cut_off_writes_no_more(
    standby: Opened, address: str, tmp_path: Path, undo: AsyncExitStack, saying: bool
) -> None:
    """A cut network, a machine that hangs: the server ends its session, and it cannot know that. Also where it was cut
    off while it said for the first time that it is there: half a statement is no silence, and nobody had followed."""
    there, _, name = address.partition("?host=")
    wire = Wire(Path(name) / SOCKET)
    await wire.open(tmp_path / SOCKET)
    undo.push_async_callback(wire.close)
    first, first_leads = await standby(f"{there}?host={tmp_path}")
    second, second_leads = await standby(patience=STEADY)
    await first_leads()
    await note(first, "first")
    if saying:
        await wire.cut_after(b"SELECT 1\0")
    else:
        wire.cut()
    under_way = asyncio.ensure_future(note(first, "too late"))
    async with asyncio.timeout(60):
        await second_leads()
        await first.lost.wait()
    wire.mend()
    await asyncio.gather(under_way, return_exceptions=True)
    with pytest.raises(StoreLost):
        await note(first, "later still")
    await note(second, "second")
    assert await second.read(people.note("said")) == "second"


async def test_one_that_has_not_noticed_writes_no_more(standby: Opened) -> None:
    """It stood still for as long as it takes, and goes on in the middle of a change."""
    first, first_leads = await standby()
    second, _ = await standby()
    await first_leads()
    async with second._pool.acquire() as link:
        await begin_leadership(link)
    assert not first.lost.is_set()
    with pytest.raises(StoreLost, match="another process leads"):
        await note(first, "too late")
    assert first.lost.is_set()
    assert await second.read(people.note("said")) is None


async def test_the_next_one_waits_for_what_is_being_written(standby: Opened) -> None:
    first, first_leads = await standby()
    second, _ = await standby()
    await first_leads()
    pool = first._pool
    async with pool.acquire() as writing, pool.acquire() as looking, second._pool.acquire() as leading:
        transaction = writing.transaction()
        await transaction.start()
        assert await writing.fetch(number_parameters(FENCE), *first._fence[0].params)
        next_term = asyncio.ensure_future(begin_leadership(leading))
        while not await looking.fetchval(WAITING):
            assert not next_term.done()
        await transaction.commit()
        assert int(await next_term) > int(first._fence[0].params[0])


async def test_it_leads_no_more_once_the_server_has_ended_its_session(standby: Opened) -> None:
    first, first_leads = await standby()
    second, second_leads = await standby()
    await first_leads()
    async with second._pool.acquire() as link:
        await link.fetch(ENDED)
    async with asyncio.timeout(60):
        await first.lost.wait()
        await second_leads()


async def test_the_server_asks_whoever_is_silent_whether_they_are_there(standby: Opened) -> None:
    """A row stays locked for as long as it does not know."""
    first, _ = await standby()
    async with first._pool.acquire() as link:
        found = await link.fetch("SELECT name, reset_val FROM pg_settings WHERE name LIKE 'tcp_keepalives%' ORDER BY 1")
    assert [tuple(row) for row in found] == [
        ("tcp_keepalives_count", "3"),
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
    ]
