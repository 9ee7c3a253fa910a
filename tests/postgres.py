"""A PostgreSQL server of this run's own: found where one is installed, else a wheel that has one, and then ended again.

One server for all workers of a run, one database for each store that a test opens.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import asyncpg

from data.postgres.database import PostgresDatabase
from data.postgres.dialect import number_parameters
from data.store import SqlStore
from tests.conftest import ROOT

WHEEL = ROOT / "tests" / "postgres.txt"
"""the pinned wheel that has a server, for machines without one"""

SETTINGS = {
    "fsync": "off",  # what a crash of the machine would lose is not what these tests are about
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "200",
    "listen_addresses": "",
    "timezone": "UTC",
}


INSTALLED = Path("/usr/lib/postgresql")
"""where Debian puts servers, one folder a version"""

ERRORS = asyncpg.PostgresError
"""what the server says that it cannot do"""


class NoServer(Exception):
    """No PostgreSQL server can be run here, for the reason given."""


class PostgresStore(SqlStore[PostgresDatabase]):
    """The store without a memory: nothing stands between a test and the server."""

    @classmethod
    async def open(cls, address: str) -> Self:
        return cls(await PostgresDatabase.open(address))


@dataclass(frozen=True)
class Server:
    """One that runs; it is reached through a socket in its folder."""

    folder: Path
    binaries: Path

    def address(self, database: str) -> str:
        return f"postgresql://gops@/{database}?host={self.folder}"

    def control(self, *arguments: str) -> None:
        """Run `pg_ctl` with these arguments."""
        run(self.binaries / "pg_ctl", "-D", self.folder / "data", *arguments, folder=self.folder)

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in SETTINGS.items())
        self.control("-w", "-l", str(self.folder / "log"), "-o", f"-k {self.folder} {options}", "start")

    def stop(self, how: str = "fast") -> None:
        self.control("-w", "-m", how, "stop")

    def crash(self) -> None:
        """Stop the server at once and start it again."""
        self.stop("immediate")
        self.start()

    def end(self) -> None:
        """For good."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def binaries() -> Path:
    """Where a server's programs are: on the PATH, as Debian puts them, or out of the wheel. Raises `NoServer`."""
    on_path = shutil.which("pg_ctl")
    if on_path is not None and (Path(on_path).resolve().parent / "initdb").exists():
        return Path(on_path).resolve().parent
    installed = sorted(INSTALLED.glob("*/bin/pg_ctl"), key=lambda one: int(one.parts[-3]))
    return installed[-1].parent if installed else _fetched()


def _fetched() -> Path:
    """The wheel's, fetched once beside the environment."""
    target = Path(sys.prefix) / "postgres"
    with _alone(Path(sys.prefix) / "postgres.lock"):
        if not target.exists():
            asked = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps"]
            done = subprocess.run([*asked, "--target", target, "-r", WHEEL], capture_output=True, text=True)
            if done.returncode:
                shutil.rmtree(target, ignore_errors=True)
                raise NoServer(f"no PostgreSQL is installed, and none could be fetched: {done.stderr.strip()[-300:]}")
    found = next(target.rglob("pg_ctl"), None)
    if found is None:
        raise NoServer(f"{WHEEL.name} brought no server")
    return found.parent


def started() -> Server:
    """Start a new server; the caller ends it."""
    folder = Path(tempfile.mkdtemp(prefix="gops-pg-", dir="/tmp"))  # a socket's path may have 107 characters
    try:
        place = _reachable(binaries(), folder)
        if os.geteuid() == 0:
            user = other_user()
            os.chown(folder, user.pw_uid, user.pw_gid)
        arguments = ("--no-sync", "--auth=trust", "--username=gops", "--encoding=UTF8", "--locale=C")
        run(place / "initdb", "-D", folder / "data", *arguments, folder=folder)
        server = Server(folder, place)
        server.start()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return server


def run(*command: object, folder: Path) -> None:
    """Run a command, as another user where we are root, because the server refuses root."""
    user = {"user": other_user().pw_uid, "group": other_user().pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    with open(folder / "said", "a+b") as said:  # a pipe would stay open as long as the server runs
        done = subprocess.run(
            [str(part) for part in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, **user
        )
    if done.returncode:
        raise NoServer((folder / "said").read_text(errors="replace")[-1000:])


def other_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoServer("a server does not run as root, and there is nobody else")


def _reachable(place: Path, folder: Path) -> Path:
    """Where the other user can read them: below root's home they cannot."""
    if os.geteuid() != 0 or all(one.stat().st_mode & 0o005 == 0o005 for one in (place, *place.parents)):
        return place
    copy = folder / "postgres"
    shutil.copytree(place.parent, copy, symlinks=True)
    for one in (folder, copy):
        one.chmod(0o755)
    return copy / place.name


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
            where.write_text(f"{new.folder}\n{new.binaries}")
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
        names = ", ".join(f'"{row[0]}"' for row in tables if row[0] != "migrations")
        if names:
            await link.execute(f"TRUNCATE {names} RESTART IDENTITY")
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
