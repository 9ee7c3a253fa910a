"""A database file as a whole: copied while it is written, looked at without a trace, and put into another's place."""

import asyncio
import errno
import fcntl
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from bot.referee.model.changes import StoreReadOnly
from data.sql.statement import Read, Statement
from data.sqlite.connection import check_sound, connect_frozen, connect_reader
from data.sqlite.files import BESIDE
from data.sqlite.migrate import Migration, load
from data.sqlite.transaction import ask, snapshot

log = logging.getLogger(__name__)
T = TypeVar("T")

LOCKS = (0x40000000, 512)
"""the bytes on which SQLite's locks lie: whoever has a file with a write-ahead log open holds one of them"""

PATIENCE = timedelta(seconds=10)


def copy(source: Path, target: Path) -> None:
    """One moment of a database that others go on writing, as one file without a log, for its owner alone. Raises
    SQLite's errors, OSError, and `NewerDatabase` or `ChangedMigration` for what this bot could not open."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(connect_frozen(source, PATIENCE, load())) as ours, closing(sqlite3.connect(target)) as theirs:
        theirs.execute("PRAGMA synchronous = OFF")  # it is flushed as a whole, at its end
        ours.backup(theirs)  # in one step: a copy in several would begin anew with every bid
        theirs.execute("PRAGMA journal_mode = DELETE")
    flush(target)


def look(path: Path, read: Read[T]) -> T:
    """Return what a read finds. Raise SQLite's errors, `NewerDatabase` or `ChangedMigration`."""
    with closing(connect_frozen(path, PATIENCE, load())) as connection:
        return ask(connection, read)


def flush(file: Path) -> None:
    """What was written is on the disk, and so is its name."""
    for one, how in ((file, os.O_RDWR), (file.parent, os.O_RDONLY)):
        handle = os.open(one, how)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Unchanging:
    """A database file that nobody writes, for a store that only reads. Not a byte of it changes, nor appears beside."""

    takes_rows = False

    def __init__(self, path: Path, migrations: Sequence[Migration] | None = None) -> None:
        known = load() if migrations is None else migrations
        self._connection = connect_reader(path, PATIENCE, known, "mode=ro&immutable=1")
        self.lost = asyncio.Event()

    async def read(self, read: Read[T]) -> T:
        return ask(self._connection, read)

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        raise StoreReadOnly("this copy is only looked at")

    async def scrub(self) -> None: ...

    def inspect(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What a function finds."""
        return snapshot(self._connection, work)

    async def close(self) -> None:
        self._connection.close()


def version_of(path: Path) -> int:
    """How many migrations a file has behind it, refused if these are not ours."""
    with closing(connect_reader(path, PATIENCE, load(), "mode=ro&immutable=1")) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def flaw(connection: sqlite3.Connection) -> str:
    """Return what is wrong with a file, checked page by page; an empty string if nothing is."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        return " ".join(str(found).split())
    row = connection.execute("PRAGMA foreign_key_check").fetchone()
    return "" if row is None else f"a row of {row[0]} lost what it refers to"


def in_use(path: Path) -> bool:
    """Whether another process has it open. Not to be asked by one that has it open itself: its locks would go."""
    try:
        with alone_with(path):
            return False
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False


@contextmanager
def alone_with(path: Path) -> Generator[None]:
    """Nobody else has this file open, nor can open it meanwhile. Raises BlockingIOError where somebody has."""
    start, length = LOCKS
    handle = os.open(path, os.O_RDWR)
    try:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise
            raise BlockingIOError(error.errno, "somebody has it open") from error
        yield
    finally:
        os.close(handle)


def put_in_place(fresh: Path, path: Path, aside: Path) -> bool:
    """Let one database take another's place, of which all that was there is kept under another name; whether there was
    anything. Raises BlockingIOError where somebody has it open."""
    there = path.exists()
    if there:
        _without_log(path)
        with alone_with(path):
            _linked(path, aside)
            _swap(fresh, path, aside)
    else:
        _swap(fresh, path, aside)
    flush(path)
    return there


def _swap(fresh: Path, path: Path, aside: Path) -> None:
    if os.geteuid() == 0:  # whoever mends it as root must not take it away from the bot
        owner = (path if path.exists() else path.parent).stat()
        os.chown(fresh, owner.st_uid, owner.st_gid)
    for ending in BESIDE:  # a log that is left over would be read into the new file
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    os.replace(fresh, path)


def _without_log(path: Path) -> None:
    """The log of a sound file is put back into it, so that one renaming is all to be done. What is damaged stays."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        check_sound(connection)
        connection.execute("PRAGMA journal_mode = DELETE")


def _linked(path: Path, aside: Path) -> None:
    """The same file under a second name; a copy where there are no such things."""
    try:
        os.link(path, aside)
    except OSError:
        os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        shutil.copyfile(path, aside)
