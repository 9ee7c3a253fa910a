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
from data.sqlite.files import SUFFIXES
from data.sqlite.migrate import Migration, load_migrations
from data.sqlite.transaction import run_in_snapshot, run_read

log = logging.getLogger(__name__)
T = TypeVar("T")

LOCK_BYTES = (0x40000000, 512)
"""the bytes on which SQLite's locks lie: whoever has a file with a write-ahead log open holds one of them"""

PATIENCE = timedelta(seconds=10)


def copy_database(source: Path, target: Path) -> None:
    """One moment of a database that others go on writing, as one file without a log, for its owner alone. Raises
    SQLite's errors, OSError, and `NewerDatabase` or `ChangedMigration` for what this bot could not open."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with (
        closing(connect_frozen(source, PATIENCE, load_migrations())) as origin,
        closing(sqlite3.connect(target)) as copy,
    ):
        copy.execute("PRAGMA synchronous = OFF")  # it is flushed as a whole, at its end
        origin.backup(copy)  # in one step: a copy in several would begin anew with every bid
        copy.execute("PRAGMA journal_mode = DELETE")
    flush_to_disk(target)


def read_once(path: Path, read: Read[T]) -> T:
    """Return what a read finds. Raise SQLite's errors, `NewerDatabase` or `ChangedMigration`."""
    with closing(connect_frozen(path, PATIENCE, load_migrations())) as connection:
        return run_read(connection, read)


def flush_to_disk(file: Path) -> None:
    """What was written is on the disk, and so is its name."""
    for path, flags in ((file, os.O_RDWR), (file.parent, os.O_RDONLY)):
        handle = os.open(path, flags)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class FrozenDatabase:
    """A database file that nobody writes, for a store that only reads. Not a byte of it changes, nor appears beside."""

    needs_row_locks = False

    def __init__(self, path: Path, migrations: Sequence[Migration] | None = None) -> None:
        expected = load_migrations() if migrations is None else migrations
        self._connection = connect_reader(path, PATIENCE, expected, "mode=ro&immutable=1")
        self.lost = asyncio.Event()

    async def read(self, read: Read[T]) -> T:
        return run_read(self._connection, read)

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        raise StoreReadOnly("this copy is only looked at")

    async def scrub(self) -> None: ...

    def inspect(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What a function finds."""
        return run_in_snapshot(self._connection, work)

    async def close(self) -> None:
        self._connection.close()


def read_version(path: Path) -> int:
    """How many migrations a file has behind it, refused if these are not ours."""
    with closing(connect_reader(path, PATIENCE, load_migrations(), "mode=ro&immutable=1")) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def find_damage(connection: sqlite3.Connection) -> str:
    """Return what is wrong with a file, checked page by page; an empty string if nothing is."""
    result = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if result != "ok":
        return " ".join(str(result).split())
    row = connection.execute("PRAGMA foreign_key_check").fetchone()
    return "" if row is None else f"a row of {row[0]} lost what it refers to"


def is_in_use(path: Path) -> bool:
    """Whether another process has it open. Not to be asked by one that has it open itself: its locks would go."""
    try:
        with lock_exclusively(path):
            return False
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False


@contextmanager
def lock_exclusively(path: Path) -> Generator[None]:
    """Nobody else has this file open, nor can open it meanwhile. Raises BlockingIOError where somebody has."""
    start, length = LOCK_BYTES
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


def replace_database(fresh: Path, path: Path, aside: Path) -> bool:
    """Let one database take another's place, of which all that was there is kept under another name; whether there was
    anything. Raises BlockingIOError where somebody has it open."""
    is_replacing = path.exists()
    if is_replacing:
        _fold_log(path)
        with lock_exclusively(path):
            _keep_copy(path, aside)
            _swap(fresh, path, aside)
    else:
        _swap(fresh, path, aside)
    flush_to_disk(path)
    return is_replacing


def _swap(fresh: Path, path: Path, aside: Path) -> None:
    if os.geteuid() == 0:  # whoever mends it as root must not take it away from the bot
        owner = (path if path.exists() else path.parent).stat()
        os.chown(fresh, owner.st_uid, owner.st_gid)
    for ending in SUFFIXES:  # a log that is left over would be read into the new file
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    os.replace(fresh, path)


def _fold_log(path: Path) -> None:
    """The log of a sound file is put back into it, so that one renaming is all to be done. What is damaged stays."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        check_sound(connection)
        connection.execute("PRAGMA journal_mode = DELETE")


def _keep_copy(path: Path, aside: Path) -> None:
    """The same file under a second name; a copy where there are no such things."""
    try:
        os.link(path, aside)
    except OSError:
        os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        shutil.copyfile(path, aside)
