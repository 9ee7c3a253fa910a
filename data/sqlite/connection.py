"""Connections to a database file: for writing, for reading, and for a file that cannot be written."""

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from bot.errors import DamagedDatabase, ForeignDatabase
from data.sql.schema import Migration
from data.sqlite.files import MAGIC, add_suffix, restrict_permissions
from data.sqlite.migrate import check_version, migrate
from data.sqlite.transaction import is_broken

log = logging.getLogger(__name__)


def check_files(path: Path) -> None:
    """Raise `DamagedDatabase` for a file that is shorter than its header says, if its log does not have the rest.

    SQLite would treat an empty file as new, and delete its log. This process must not have the file open, because
    closing it here releases the locks of SQLite.
    """
    if not _is_new(path):
        _check_whole(path)


def connect_writer(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> sqlite3.Connection:
    """Open the connection that writes. Create the file or migrate it to the newest version first."""
    if _is_new(path):
        _create(path, busy, migrations)
    _check_schema(path, busy, migrations)
    restrict_permissions(path)
    connection = _connect(path, busy)
    try:
        check_sound(connection)
        connection.execute("PRAGMA shrink_memory")  # the check has read every page, and few are written soon
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            log.warning(
                "%s does not support a write-ahead log (its mode is %s): reads will wait for writes", path, mode
            )
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # many builds of SQLite leave deleted rows in the file
        migrate(connection, migrations)
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:  # also when interrupted: the caller gets no connection to close
        connection.close()
        raise
    return connection


def connect_reader(
    path: Path, busy: timedelta, migrations: Sequence[Migration], query: str = "mode=rw"
) -> sqlite3.Connection:
    """Open a connection that only reads."""
    connection = _connect(path, busy, query)
    try:
        connection.execute("PRAGMA query_only = ON")
        check_version(connection, migrations)
    except BaseException:  # also when interrupted: the caller gets no connection to close
        connection.close()
        raise
    return connection


def connect_frozen(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> sqlite3.Connection:
    """Open a connection that only reads, even on a file system where SQLite cannot write its locks."""
    try:
        return connect_reader(path, busy, migrations)
    except sqlite3.Error as error:
        log_file = add_suffix(path, "-wal")
        if not is_broken(error) or (log_file.exists() and log_file.stat().st_size):
            raise  # an immutable connection ignores the log and later writes
        return connect_reader(path, busy, migrations, "mode=ro&immutable=1")


def check_writable(connection: sqlite3.Connection) -> None:
    """Raise SQLite's error if the file cannot be written at all."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def check_sound(connection: sqlite3.Connection) -> None:
    """Raise SQLite's error for a damaged file if a quick check finds damage."""
    result = connection.execute("PRAGMA quick_check(1)").fetchone()
    if result is not None and result[0] != "ok":
        damaged = sqlite3.DatabaseError(f"quick_check: {' '.join(str(result[0]).split())}")
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damaged


def _check_schema(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> None:
    """Refuse a database of another program or version, before anything is changed."""
    with closing(_connect(path, busy, "mode=ro")) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if names and "migrations" not in names:
            raise ForeignDatabase(path)
        check_version(connection, migrations)


def _connect(path: Path, busy: timedelta, query: str = "mode=rw") -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?{query}",
        uri=True,
        timeout=busy.total_seconds(),
        isolation_level=None,  # transactions are opened explicitly
        cached_statements=256,
    )


def _is_new(path: Path) -> bool:
    """Return True if there is neither a database nor a log of one."""
    return not path.exists() and not add_suffix(path, "-wal").exists()


def _create(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> None:
    """Create a database that only its owner can read. It gets its name when it is complete."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
        with closing(_connect(temporary, busy)) as connection:
            migrate(connection, migrations)
        with suppress(FileExistsError):  # another process was faster
            os.link(temporary, path)
    except OSError as error:
        failure = sqlite3.OperationalError(f"unable to create database file: {error.strerror}")
        failure.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise failure from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _check_whole(path: Path) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        raise DamagedDatabase(f"{path} is gone, but its log {path.name}-wal is there") from None
    except OSError:
        return  # SQLite reports the error
    if len(head) < 100:
        raise DamagedDatabase(f"{path} has {size} bytes, which is no database")
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    pages = int.from_bytes(head[28:32], "big")
    if head.startswith(MAGIC) and head[24:28] == head[92:96] and size < pages * page:
        missing = set(range(size // page + 1, pages + 1))
        if not missing <= _read_logged_pages(add_suffix(path, "-wal")):
            raise DamagedDatabase(f"{path} is damaged: its end is missing")


def _read_logged_pages(log: Path) -> set[int]:
    """Return the numbers of the pages in a log. A checkpoint that was killed has not copied all of them."""
    try:
        content = log.read_bytes()
    except OSError:
        return set()
    salt, frame = content[16:24], 24 + int.from_bytes(content[8:12], "big")
    heads = (content[at : at + 24] for at in range(32, len(content) - frame + 1, frame))
    return {int.from_bytes(head[:4], "big") for head in heads if head[8:16] == salt}
