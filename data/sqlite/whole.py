"""Operations on a whole database file: copy it while it is in use, read it without changing it, and replace it."""

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

from bot.referee.model.changes import Change, StoreReadOnly
from data.sql.schema import Migration, load_migrations
from data.sql.statement import Read, Statement
from data.sqlite.connection import check_sound, connect_frozen, connect_reader
from data.sqlite.files import SUFFIXES, add_suffix
from data.sqlite.transaction import run_in_snapshot, run_read

log = logging.getLogger(__name__)
T = TypeVar("T")

LOCK_BYTES = (0x40000000, 512)
"""Offset and length of the bytes that SQLite locks. Each process with an open write-ahead log locks one of them."""

PATIENCE = timedelta(seconds=10)


def copy_database(source: Path, target: Path) -> None:
    """Copy a snapshot of a database, which may be in use, into one file that only its owner can read.

    Raise SQLite's errors, OSError, `NewerDatabase` or `ChangedMigration`.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with (
        closing(connect_frozen(source, PATIENCE, load_migrations())) as origin,
        closing(sqlite3.connect(target)) as copy,
    ):
        copy.execute("PRAGMA synchronous = OFF")  # the whole file is flushed at the end
        origin.backup(copy)  # in one step: a copy in several steps would restart with every bid
        copy.execute("PRAGMA journal_mode = DELETE")
    flush_to_disk(target)


def read_once(path: Path, read: Read[T]) -> T:
    """Return what a read finds. Raise SQLite's errors, `NewerDatabase` or `ChangedMigration`."""
    with closing(connect_frozen(path, PATIENCE, load_migrations())) as connection:
        return run_read(connection, read)


def flush_to_disk(file: Path) -> None:
    """Flush a file and the directory entry with its name to the disk."""
    for path, flags in ((file, os.O_RDWR), (file.parent, os.O_RDONLY)):
        handle = os.open(path, flags)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class FrozenDatabase:
    """Read-only database on a file that nobody writes. It changes no byte of the file, and adds no file beside it."""

    def __init__(self, path: Path, migrations: Sequence[Migration] | None = None) -> None:
        expected = load_migrations() if migrations is None else migrations
        self._connection = connect_reader(path, PATIENCE, expected, "mode=ro&immutable=1")
        self.lost = asyncio.Event()

    async def read(self, read: Read[T]) -> T:
        return run_read(self._connection, read)

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        raise StoreReadOnly("this copy is read-only")

    def guard(self, _: Change) -> Sequence[Statement]:
        return ()

    async def scrub(self) -> None: ...

    def inspect(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function on one snapshot, and return its result."""
        return run_in_snapshot(self._connection, work)

    async def close(self) -> None:
        self._connection.close()


def read_version(path: Path) -> int:
    """Return the version of a file. Raise `ChangedMigration` or `NewerDatabase`."""
    with closing(connect_reader(path, PATIENCE, load_migrations(), "mode=ro&immutable=1")) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def find_damage(connection: sqlite3.Connection) -> str:
    """Check a file page by page. Return what is wrong with it, or an empty string."""
    result = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if result != "ok":
        return " ".join(str(result).split())
    row = connection.execute("PRAGMA foreign_key_check").fetchone()
    return "" if row is None else f"a row of {row[0]} lost what it refers to"


def is_in_use(path: Path) -> bool:
    """Return True if another process has the file open.

    Do not call this while this process has the file open, because it would release its locks.
    """
    try:
        with lock_exclusively(path):
            return False
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False


@contextmanager
def lock_exclusively(path: Path) -> Generator[None]:
    """Keep other processes from opening a file until left. Raise BlockingIOError if it is open elsewhere."""
    start, length = LOCK_BYTES
    handle = os.open(path, os.O_RDWR)
    try:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise
            raise BlockingIOError(error.errno, "another process has it open") from error
        yield
    finally:
        os.close(handle)


def replace_database(fresh: Path, path: Path, aside: Path) -> bool:
    """Replace a database, and keep the old one as `aside`. Return True if there was an old one.

    Raise BlockingIOError if another process has it open.
    """
    is_replacing = path.exists()
    if is_replacing:
        _fold_log(path)
        with lock_exclusively(path):
            _keep_copy(path, aside)
            _swap_files(fresh, path, aside)
    else:
        _swap_files(fresh, path, aside)
    flush_to_disk(path)
    return is_replacing


def _swap_files(fresh: Path, path: Path, aside: Path) -> None:
    if os.geteuid() == 0:  # a restore by root must not change the owner
        owner = (path if path.exists() else path.parent).stat()
        os.chown(fresh, owner.st_uid, owner.st_gid)
    for ending in SUFFIXES:  # SQLite would apply a remaining log to the new file
        with suppress(FileNotFoundError):
            add_suffix(path, ending).rename(add_suffix(aside, ending))
    os.replace(fresh, path)


def _fold_log(path: Path) -> None:
    """Write the log of a sound file into it, so that one rename moves everything. Leave a damaged file as it is."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        check_sound(connection)
        connection.execute("PRAGMA journal_mode = DELETE")


def _keep_copy(path: Path, aside: Path) -> None:
    """Give the file a second name, or copy it on a file system without hard links."""
    try:
        os.link(path, aside)
    except OSError:
        os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        shutil.copyfile(path, aside)
