"""A PostgreSQL server of the playground's own: one that is installed here, over a folder that is made for it."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.playground.fleet.held import as_user

NONE = (
    "--workers needs a PostgreSQL server, and none is installed here: pg_ctl is neither on the PATH nor under"
    " /usr/lib/postgresql (Debian, Ubuntu: apt install postgresql; macOS: brew install postgresql)"
)

NOBODY = "PostgreSQL does not run as root, and there is nobody else here (a user called postgres or nobody)"

INSTALLED = Path("/usr/lib/postgresql")
"""where Debian puts servers, one folder a version"""

SOCKET, STATE = 4, 7
"""lines of postmaster.pid, from 0: where its socket lies, and how it is"""

PATIENCE = 30.0
"""seconds until it has to answer"""

LOOK = 0.05
"""seconds between two looks"""

NOT_KEPT = ("-c", "fsync=off", "-c", "full_page_writes=off")
"""where everything is gone at the end anyway, a power cut cannot take more"""


class NoServer(Exception):
    """There is none; it says why, and what to do."""


def programs() -> Path:
    """Where the programs of a server are: on the PATH, or where Debian puts them. Raises `NoServer`."""
    on_path = shutil.which("pg_ctl")
    if on_path is not None and (Path(on_path).resolve().parent / "initdb").exists():
        return Path(on_path).resolve().parent
    installed = sorted(INSTALLED.glob("*/bin/pg_ctl"), key=lambda one: int(one.parts[-3]))
    if not installed:
        raise NoServer(NONE)
    return installed[-1].parent


class Database:
    """Its socket lies in a folder that is gone at the end; so does what it holds, unless that is to be kept."""

    def __init__(self, kept: Path | None) -> None:
        """`kept`: where everything stays. Raises `NoServer`."""
        self._programs = programs()
        self._user = _other()
        self.scratch = Path(tempfile.mkdtemp(prefix="gops-pg-", dir=_short()))
        self._folder = kept or self.scratch / "data"
        self._settings = () if kept else NOT_KEPT
        self.address = f"postgresql://gops@/postgres?host={self.scratch}"

    @property
    def command(self) -> Sequence[str]:
        """What runs it, until standard input ends."""
        user = ("--user", self._user) if self._user else ()
        program = (str(self._programs / "postgres"), "-D", str(self._folder), "-k", str(self.scratch))
        settings = ("-c", "listen_addresses=", "-c", "timezone=UTC", *self._settings)
        return (sys.executable, "-m", "bot.playground.fleet.held", *user, *program, *settings)

    async def prepare(self) -> None:
        """Its folder, where it has none yet. Raises `NoServer`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            for one in (self.scratch, self._folder):
                shutil.chown(one, self._user)
        if (self._folder / "PG_VERSION").exists():
            return
        arguments = ("--auth=trust", "--username=gops", "--encoding=UTF8", "--locale=C", "--no-sync")
        code, said = await self._done("initdb", "-D", str(self._folder), *arguments)
        if code:
            raise NoServer(f"PostgreSQL cannot use {self._folder}: {said}")

    async def answers(self) -> bool:
        """Wait until it does; whether it did in time."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self._is_up():  # noqa: ASYNC110 - a file tells nobody that it has grown
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            return False
        return True

    def _is_up(self) -> bool:
        """As it writes into its own file, which may be one that an earlier server left."""
        try:
            lines = (self._folder / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except OSError:
            return False
        return len(lines) > STATE and lines[SOCKET] == str(self.scratch) and lines[STATE].strip() == "ready"

    def forget(self) -> None:
        """Once it has ended."""
        shutil.rmtree(self.scratch, ignore_errors=True)

    async def _done(self, program: str, *arguments: str) -> tuple[int, str]:
        """Run one of its programs to the end; its exit code and the last it said."""
        process = await asyncio.create_subprocess_exec(
            *(str(self._programs / program), *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.scratch,
            **as_user(self._user),
        )
        said, _ = await process.communicate()
        lines = said.decode("utf-8", "replace").strip().splitlines()
        return process.returncode or 0, lines[-1] if lines else ""


def _other() -> str:
    """Who runs it, where we are root, whom it refuses; else nobody but us."""
    if not hasattr(os, "geteuid") or os.geteuid():
        return ""
    import pwd  # only now: some systems have none

    known = {one.pw_name for one in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in known:
            return name
    raise NoServer(NOBODY)


def _short() -> str | None:
    """A folder whose name leaves room for a socket's: its path may have 103 characters."""
    return "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - a folder of a new name is made in it
