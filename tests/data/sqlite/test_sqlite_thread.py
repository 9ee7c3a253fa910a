"""What we use of aiosqlite without being promised it, and that nobody is kept from leaving."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import aiosqlite
import pytest

from data.sqlite.database import SqliteThread
from tests.conftest import ROOT


async def test_what_is_private_is_what_it_was() -> None:
    """Fails when aiosqlite changes a name that `SqliteThread` uses, or what it means."""
    connection = aiosqlite.Connection(lambda: sqlite3.connect(":memory:"), iter_chunk_size=64)
    assert isinstance(connection._thread, threading.Thread)
    assert not connection._thread.is_alive()  # so there is time to make it a daemon
    await connection
    try:
        assert connection._thread.is_alive()
        assert isinstance(connection._conn, sqlite3.Connection)
        assert await connection._execute(threading.current_thread) is connection._thread
        assert await connection._execute(lambda value: value + 1, 1) == 2
        with pytest.raises(ZeroDivisionError):
            await connection._execute(lambda: 1 / 0)
    finally:
        await connection.close()
    connection._thread.join(10)
    assert not connection._thread.is_alive()


async def test_calls_follow_one_another_on_one_thread() -> None:
    worker = await SqliteThread.start(lambda: sqlite3.connect(":memory:", isolation_level=None))
    seen: list[tuple[int, str]] = []

    def work(_: sqlite3.Connection, number: int) -> threading.Thread:
        seen.append((number, "begins"))
        seen.append((number, "ends"))
        return threading.current_thread()

    threads = await asyncio.gather(*(worker.call(work, number) for number in range(20)))
    await worker.close()
    assert seen == [(number, what) for number in range(20) for what in ("begins", "ends")]
    assert len(set(threads)) == 1
    assert threads[0].daemon


LEAVES = """
import asyncio, pathlib
from tests.sqlite_store import SqliteStore

LONG = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT max(i) FROM n"

async def main():
    store = await SqliteStore.open(pathlib.Path({path!r}))
    work = [asyncio.create_task(store.database.inspect(lambda at: at.execute(LONG).fetchone())) for _ in range(2)]
    await asyncio.sleep(0)  # the thread is at work
    closing = asyncio.create_task(store.close())
    for _ in range({cancels}):
        if {begins}:
            await asyncio.sleep(0)
        closing.cancel()
    try:
        await closing
    except asyncio.CancelledError:
        print("cancelled")
    await asyncio.gather(*work, return_exceptions=True)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("cancels", "begins"), [(1, False), (1, True), (2, True), (3, True)], ids=["at once", "once", "twice", "thrice"]
)
def test_who_is_cancelled_while_closing_can_leave(tmp_path: Path, cancels: int, begins: bool) -> None:
    """Whatever the thread does just then: the process ends, says nothing, and the file is let go (aiosqlite#371)."""
    path = tmp_path / "folder" / "gops.sqlite3"
    script = LEAVES.format(path=str(path), cancels=cancels, begins=begins)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "cancelled\n", "")
    if begins:
        assert [one.name for one in path.parent.iterdir()] == ["gops.sqlite3"]  # the log went back into the file
