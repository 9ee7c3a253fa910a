"""Processes own partitions. An earlier owner cannot write any more, whether it is gone or only cut off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import DatabaseError
from bot.referee.model.changes import CommitUnknown, SaveNote, SetDeadline, StoreBusy, StoreLost
from data.postgres.database import PostgresDatabase
from data.postgres.inspection import is_in_use
from data.postgres.leases import PROCESS, TAKEN, Leases
from data.sql import deadlines, people
from data.sql.steps import build_statements
from tests import postgres
from tests.data import examples as ex

LEASE = timedelta(seconds=0.5)
STEADY = timedelta(seconds=10)
"""Lease of a process that must keep its partitions on a busy machine."""
SOCKET = ".s.PGSQL.5432"
AT_REST = b"Z\0\0\0\5I"
"""Last bytes of an answer of the server when no transaction is open."""

ENDED = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
    AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')"""

CONNECTED = f"""SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND classid = {PROCESS} AND objid = $1 AND granted"""


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
                    self._last = b""  # cut once: what is sent after the repair passes
                    self.cut()
                    self._gone.set()
        await self._whole.wait()
        target.close()  # the other end was closed
        self._half_done.discard(server)
        self._rested.set()


Joined = Callable[..., Awaitable[tuple[PostgresDatabase, Leases]]]


@pytest.fixture
async def address(server: postgres.Server) -> str:
    return await postgres.emptied(server)


@pytest.fixture
async def undo() -> AsyncIterator[AsyncExitStack]:
    """Clean up at the end, in reverse order."""
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def join(address: str, undo: AsyncExitStack) -> Joined:
    """Start one more process of the same database."""

    async def joined(at: str = address, lease: timedelta = LEASE) -> tuple[PostgresDatabase, Leases]:
        database, leases = await PostgresDatabase.join(at, "127.0.0.1:1", lease=lease)
        undo.push_async_callback(database.close)
        return database, leases

    return joined


async def note(database: PostgresDatabase, value: str) -> None:
    change = (SaveNote("said", value),)
    await database.write((*database.guard(change), *build_statements(change)))


async def set_deadline(database: PostgresDatabase) -> None:
    change = (SetDeadline(ex.deadline()),)
    await database.write((*database.guard(change), *build_statements(change)))


async def take_all(database: PostgresDatabase) -> None:
    """Do what the next owner does first."""
    async with database._pool.acquire() as link:
        await link.execute("DELETE FROM processes")
        await link.execute("UPDATE partitions SET owner = 99, epoch = epoch + 1")


async def test_next_process_owns_partitions_only_after_the_first_is_gone(join: Joined, address: str) -> None:
    first, firsts = await join()
    second, seconds = await join(lease=STEADY)
    assert not await is_in_use(address)
    await firsts.acquire()
    await note(first, "first")
    assert await is_in_use(address)
    waiting = asyncio.ensure_future(seconds.acquire())
    with pytest.raises(DatabaseError, match="A bot runs"):
        await PostgresDatabase.open(address, alone=True)
    assert not waiting.done()
    await first.close()
    async with asyncio.timeout(60):
        await waiting
    assert await second.read(people.note("said")) == "first"
    await note(second, "second")
    async with second._pool.acquire() as link:
        owners = await link.fetch("SELECT DISTINCT owner, epoch FROM partitions")
        assert [tuple(row) for row in owners] == [(seconds.process, 2)]
        assert [row[0] for row in await link.fetch("SELECT id FROM processes")] == [seconds.process]


@pytest.mark.parametrize("saying", [False, True])
async def test_process_without_a_connection_cannot_write_after_the_takeover(
    join: Joined, address: str, tmp_path: Path, undo: AsyncExitStack, saying: bool
) -> None:
    """The network is cut or the machine hangs: the server ends the session, and the process cannot know that.

    With `saying`, the cut comes in the middle of a beat. The server does not count half a statement as silence.
    """
    there, _, name = address.partition("?host=")
    wire = Wire(Path(name) / SOCKET)
    await wire.open(tmp_path / SOCKET)
    undo.push_async_callback(wire.close)
    first, firsts = await join(f"{there}?host={tmp_path}")
    second, seconds = await join(lease=STEADY)
    await firsts.acquire()
    await note(first, "first")
    if saying:
        await wire.cut_after(b"UPDATE processes")
    else:
        wire.cut()
    under_way = asyncio.ensure_future(note(first, "too late"))
    async with asyncio.timeout(60):
        await seconds.acquire()
        wire.mend()
        await first.lost.wait()
    await asyncio.gather(under_way, return_exceptions=True)
    with pytest.raises(StoreLost):
        await note(first, "later still")
    await note(second, "second")
    assert await second.read(people.note("said")) == "second"


@pytest.mark.parametrize("write", [note, lambda database, _: set_deadline(database)])
async def test_process_that_did_not_notice_the_takeover_cannot_write(join: Joined, write: Any) -> None:
    """It was suspended, and resumes in the middle of a change."""
    first, firsts = await join(lease=STEADY)
    second, _ = await join(lease=STEADY)
    await firsts.acquire()
    await take_all(second)
    assert not first.lost.is_set()
    with pytest.raises(StoreLost, match=TAKEN):
        await write(first, "too late")
    assert first.lost.is_set()
    assert await second.read(people.note("said")) is None
    assert await second.read(deadlines.deadlines_of(ex.deadline().owner)) == []


async def test_process_writes_nothing_once_its_lease_may_have_ended(join: Joined) -> None:
    first, firsts = await join(lease=STEADY)
    await firsts.acquire()
    firsts._valid_until = 0.0  # the process stood still for longer than a lease
    with pytest.raises(StoreBusy, match="not renewed"):
        await note(first, "too late")


@pytest.mark.parametrize("write", [note, lambda database, _: set_deadline(database)])
async def test_next_owner_ends_a_change_that_does_not_end(join: Joined, write: Any) -> None:
    """A change that is not committed within a second is rolled back."""
    first, firsts = await join(lease=STEADY)
    second, seconds = await join(lease=STEADY)
    await firsts.acquire()
    async with second._pool.acquire() as blocking:
        transaction = blocking.transaction()
        await transaction.start()
        await blocking.execute("LOCK TABLE notes, deadlines IN EXCLUSIVE MODE")
        stuck = asyncio.ensure_future(write(first, "too late"))
        async with second._pool.acquire() as looking:
            while not await looking.fetchval(f"SELECT count(*) {postgres.WAITING}"):
                assert not stuck.done()
            connection = firsts._session.connection
            assert connection is not None
            connection.terminate()  # the process is dead, and its changes hang
            async with asyncio.timeout(60):
                await seconds.acquire()
        await transaction.rollback()
    with suppress(StoreLost, StoreBusy, CommitUnknown):
        await stuck
    assert await second.read(people.note("said")) is None
    assert await second.read(deadlines.deadlines_of(ex.deadline().owner)) == []


async def test_process_goes_on_when_the_server_ended_its_session_and_nobody_took_over(join: Joined) -> None:
    first, firsts = await join(lease=STEADY)
    second, seconds = await join(lease=STEADY)
    await firsts.acquire()
    async with second._pool.acquire() as link:
        await link.fetch(ENDED)
        while not await link.fetchval(CONNECTED, firsts.process):
            pass
    await note(first, "later")
    await first.close()
    async with asyncio.timeout(60):
        await seconds.acquire()
    assert await second.read(people.note("said")) == "later"


async def test_process_waits_while_a_command_works(
    join: Joined, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    database, leases = await join(lease=STEADY)
    async with await PostgresDatabase.open(address, alone=True):
        waiting = asyncio.ensure_future(leases.acquire())
        while "a command works on the database; standing by" not in caplog.text:
            await database.read(people.note("said"))
        assert not waiting.done()
    await waiting
    await note(database, "later")


async def test_command_leaves_nothing_to_a_process_that_was_cut_off(join: Joined, address: str) -> None:
    """It has lost its connection, so the command may begin; its changes are refused from then on."""
    first, firsts = await join(lease=STEADY)
    await firsts.acquire()
    async with firsts._session._turn:  # no beat connects it again
        firsts._session.disconnect()
        async with await PostgresDatabase.open(address, alone=True):
            with pytest.raises(StoreLost, match=TAKEN):
                await note(first, "too late")


async def test_server_probes_silent_connections(join: Joined) -> None:
    """A row stays locked until the server notices that a connection is lost."""
    first, _ = await join()
    async with first._pool.acquire() as link:
        found = await link.fetch("SELECT name, reset_val FROM pg_settings WHERE name LIKE 'tcp_keepalives%' ORDER BY 1")
    assert [tuple(row) for row in found] == [
        ("tcp_keepalives_count", "3"),
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
    ]


async def test_restart_of_the_server_ends_no_process(join: Joined, undo: AsyncExitStack) -> None:
    """The first process that is connected again finds the locks of no other."""
    server = postgres.started()
    undo.callback(server.end)
    (_, firsts), (_, seconds) = [await join(server.address(), STEADY) for _ in range(2)]
    for leases in (firsts, seconds):
        await leases.join()
        assert leases._beating is not None
        leases._beating.cancel()
    postgres.crash(server)
    for leases in (firsts, seconds):
        leases._session.disconnect()
    await firsts._look()
    assert {*firsts.peers} == {firsts.process, seconds.process}
    await firsts._beat()
    await firsts._look()
    assert {*firsts.peers} == {firsts.process, seconds.process}
    await seconds._beat()
    await seconds._look()
    assert not firsts._lost.is_set()
