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
"""Patience of a process that must keep the lead on a busy machine."""
SOCKET = ".s.PGSQL.5432"
AT_REST = b"Z\0\0\0\5I"
"""Last bytes of an answer of the server when no transaction is open."""

HERE = "datname = current_database()"
WAITING = f"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND {HERE}"
ENDED = f"""SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE {HERE} AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')"""


class Wire:
    """Proxy between a process and the server. A cut stops all data, and neither side sees the connection end."""

    def __init__(self, there: Path) -> None:
        self._there = there
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._last = b""
        self._gone = asyncio.Event()
        """Set when the bytes of `cut_after` passed."""
        self._half_done: set[asyncio.StreamWriter] = set()
        """Connections to the server with an unfinished answer."""
        self._rested = asyncio.Event()

    async def open(self, here: Path) -> None:
        self._server = await asyncio.start_unix_server(self._taken, here)

    def cut(self) -> None:
        self._whole.clear()

    async def cut_after(self, last: bytes) -> None:
        """Cut directly after these bytes."""
        self._last = last
        await self._gone.wait()

    async def cut_at_rest(self) -> None:
        """Cut when no change is unfinished, because its locks would block others until the server notices."""
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
        target.close()  # the other end was closed
        self._half_done.discard(server)
        self._rested.set()


Opened = Callable[..., Awaitable[tuple[PostgresDatabase, Callable[[], Awaitable[None]]]]]


@pytest.fixture
async def address(server: postgres.Server) -> str:
    return await postgres.emptied(server)


@pytest.fixture
async def undo() -> AsyncIterator[AsyncExitStack]:
    """Clean up at the end, in reverse order."""
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


async def test_next_standby_leads_only_after_the_leader_is_gone(standby: Opened, address: str) -> None:
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
async def test_leader_without_a_connection_cannot_write_after_the_takeover(
    standby: Opened, address: str, tmp_path: Path, undo: AsyncExitStack, saying: bool
) -> None:
    """The network is cut or the machine hangs: the server ends the session, and the leader cannot know that.

    With `saying`, the cut comes in the middle of the first ping. The server does not count half a statement as silence.
    """
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


async def test_leader_that_did_not_notice_the_takeover_cannot_write(standby: Opened) -> None:
    """The leader was suspended, and resumes in the middle of a change."""
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


async def test_next_leader_waits_for_changes_that_are_being_written(standby: Opened) -> None:
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


async def test_leader_is_lost_when_the_server_ends_its_session(standby: Opened) -> None:
    first, first_leads = await standby()
    second, second_leads = await standby()
    await first_leads()
    async with second._pool.acquire() as link:
        await link.fetch(ENDED)
    async with asyncio.timeout(60):
        await first.lost.wait()
        await second_leads()


async def test_server_probes_silent_connections(standby: Opened) -> None:
    """A row stays locked until the server notices that a connection is lost."""
    first, _ = await standby()
    async with first._pool.acquire() as link:
        found = await link.fetch("SELECT name, reset_val FROM pg_settings WHERE name LIKE 'tcp_keepalives%' ORDER BY 1")
    assert [tuple(row) for row in found] == [
        ("tcp_keepalives_count", "3"),
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
    ]
