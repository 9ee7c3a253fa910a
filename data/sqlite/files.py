"""The files of a database: readable by their owner alone, locked by one bot, and checked for replacement."""

import io
import logging
import os
import sqlite3
import stat
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import DatabaseError

try:
    import fcntl
except ModuleNotFoundError:  # Windows: no lock there
    fcntl = None

log = logging.getLogger(__name__)

OTHERS_RIGHTS = stat.S_IRWXG | stat.S_IRWXO
"""Permission bits of everybody but the owner."""

SUFFIXES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite puts beside a database."""

MAGIC = b"SQLite format 3\0"
COUNT_BYTES = slice(68, 72)
"""Bytes of `application_id` in the header of a database file. This bot counts its commits there."""

COUNT_MODULUS = 2**32


def restrict_permissions(path: Path) -> None:
    """Let only the owner read the files, because they hold nonces and sealed choices.

    SQLite creates files beside a database with the same permissions.
    """
    for file in (path, *(add_suffix(path, ending) for ending in SUFFIXES)):
        try:
            mode = file.stat().st_mode
            if os.name == "nt" or not stat.S_ISREG(mode) or not mode & OTHERS_RIGHTS:
                continue
            file.chmod(stat.S_IMODE(mode) & ~OTHERS_RIGHTS)
        except FileNotFoundError:
            continue
        except OSError:
            log.warning("%s can be read by others, and its permissions cannot be changed: run chmod 600", file)
        else:
            log.warning("%s could be read by others; now only its owner can read it", file)


def delete_files(path: Path) -> None:
    """Delete a database with the files beside it."""
    for file in (path, *(add_suffix(path, ending) for ending in SUFFIXES)):
        file.unlink(missing_ok=True)


def read_last_change(path: Path) -> datetime | None:
    """Return the time at which a database file or its log last changed, was copied or was renamed; None without one."""
    times: list[float] = []
    for file in (path, add_suffix(path, "-wal")):
        with suppress(OSError):
            status = file.stat()
            times.append(max(status.st_mtime, status.st_ctime))
    return datetime.fromtimestamp(max(times), UTC) if times else None


class OpenedFiles:
    """Identity of the open files of a database, to detect that they were renamed, removed or overwritten.

    SQLite keeps using its open files in all these cases. To detect an overwritten file, each commit is counted in the
    header (`count_commit`), and this count must never go back.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        names = (str(path), str(add_suffix(path, "-wal")))  # strings, because they are checked with every commit
        self._files = {name: identity for name in names if (identity := _identify(name)) is not None}
        self._file = _open_file(path)
        self._read_lock = threading.Lock()
        self._overwritten = False
        self._last_count = self._read_count()
        """Last count in the file itself. The count in the log is higher."""

    def close(self) -> None:
        """Close the file. Call this after SQLite has closed it, because closing releases the locks of SQLite."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def find_loss(self, connection: sqlite3.Connection) -> str:
        """Return a sentence that says what happened to the files; an empty string if they are the same."""
        return self._find_rename() or (self._describe_overwrite() if self._check_overwritten(connection) else "")

    def find_exchange(self) -> str:
        """Do the same as `find_loss`, for a database that cannot be read any more."""
        return self._find_rename() or (self._describe_overwrite() if self.is_overwritten() else "")

    def _describe_overwrite(self) -> str:
        return f"{self.path} was written over with another one"

    def _find_rename(self) -> str:
        for file, identity in self._files.items():
            now = _identify(file)
            if now is None:
                return f"{file} is gone"
            if now != identity:
                return f"{file} is another file than the one that was opened"
        return ""

    def is_overwritten(self) -> bool:
        """Return True if the file was emptied, or overwritten with an older database."""
        return self._overwritten or self._check_count(self._read_count())

    def _check_count(self, count: int | None) -> bool:
        if self._last_count is not None:
            self._overwritten = count is None or (count - self._last_count) % COUNT_MODULUS > COUNT_MODULUS // 2
        return self._overwritten

    def _check_overwritten(self, connection: sqlite3.Connection) -> bool:
        """Return True if the file was overwritten, also with a database that has a higher count than this one."""
        if self._overwritten:
            return True
        count = self._read_count()
        if count == self._last_count:  # most of the time: no checkpoint happened
            return False
        if self._check_count(count):
            return True
        if count is None or self._last_count is None:  # a new file may be empty for a while
            self._last_count = count
            return False
        try:
            latest = read_commit_count(connection)  # read after `count`: another process can only add to it
        except sqlite3.Error:
            return False  # the next statement fails with the same error
        self._overwritten = (count - self._last_count) % COUNT_MODULUS > (latest - self._last_count) % COUNT_MODULUS
        self._last_count = count
        return self._overwritten

    def _read_count(self) -> int | None:
        """Read the count in the file itself; None if it is no database."""
        if self._file is None:
            return None
        with self._read_lock:
            self._file.seek(0)
            head = self._file.read(COUNT_BYTES.stop)
        if len(head) < COUNT_BYTES.stop or not head.startswith(MAGIC):
            return None
        return int.from_bytes(head[COUNT_BYTES], "big")


def read_commit_count(connection: sqlite3.Connection) -> int:
    """Return the number of commits of this bot, modulo 2**32."""
    return int(connection.execute("PRAGMA application_id").fetchone()[0]) % COUNT_MODULUS


def count_commit(connection: sqlite3.Connection) -> None:
    """Add one to the number of commits, in the open transaction."""
    after = (read_commit_count(connection) + 1) % COUNT_MODULUS
    connection.execute(f"PRAGMA application_id = {after - COUNT_MODULUS if after >= COUNT_MODULUS // 2 else after}")


def put_log_aside(path: Path) -> None:
    """Move the contents of the log of an overwritten database to another file.

    Otherwise SQLite would write them into the new database when the last connection is closed, and damage it.
    """
    log_file, copy = add_suffix(path, "-wal"), add_suffix(path, "-wal.lost")
    try:
        data = log_file.read_bytes()
        if data:
            copy.unlink(missing_ok=True)
            with os.fdopen(os.open(copy, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
            os.truncate(log_file, 0)
            log.warning("the log of the overwritten database is kept in %s", copy)
    except OSError as error:
        log.critical("%s must be removed before the next start, and cannot be: %s", log_file, error)


def add_suffix(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _open_file(path: Path) -> io.FileIO | None:
    try:
        return io.FileIO(path)
    except OSError:
        return None


def _identify(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class FileLock:
    """Lock of the one bot on a file, because a second bot would make the cache of the first stale.

    The lock ends with `end` or with the process. It does not conflict with SQLite's own locks. Closing the file would
    release those, so call `end` after the database is closed.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock. Raise `DatabaseError` if another bot has it."""
        self._file = -1
        try:
            self._file = os.open(path, os.O_RDONLY)
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise DatabaseError(
                f"Another bot runs on {path}. Only one may run, because each has a cache. Stop it first."
            ) from None
        except OSError:  # the file does not exist yet or cannot be read, or the file system has no such locks
            self.release()

    @property
    def is_held(self) -> bool:
        return self._file >= 0

    def release(self) -> None:
        """Release the lock. A second call does nothing."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)
