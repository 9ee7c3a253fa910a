"""Opening the database file: to write, to read, and where nothing can be written."""

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from bot.errors import ForeignDatabase
from data.sqlite.files import narrow
from data.sqlite.migrate import Migration, check, migrate
from data.sqlite.transaction import is_broken

log = logging.getLogger(__name__)


def connect_writer(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> sqlite3.Connection:
    """The one connection that writes, on a file of the newest version."""
    if not _create(path):
        _check_own(path, busy, migrations)
    narrow(path)
    connection = _connect(path, busy)
    try:
        check_sound(connection)
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            log.warning("%s does not take a write-ahead log (it has %s): reads will wait for writes", path, mode)
        connection.execute("PRAGMA synchronous = FULL")
        migrate(connection, migrations)
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:  # whatever it was, nobody gets this connection to close it
        connection.close()
        raise
    return connection


def connect_reader(
    path: Path, busy: timedelta, migrations: Sequence[Migration], query: str = "mode=rw"
) -> sqlite3.Connection:
    """A connection that only reads."""
    connection = _connect(path, busy, query)
    try:
        connection.execute("PRAGMA query_only = ON")
        check(connection, migrations)
    except BaseException:  # whatever it was, nobody gets this connection to close it
        connection.close()
        raise
    return connection


def connect_frozen(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> sqlite3.Connection:
    """A connection that only reads, also where not even the locks for reading can be written."""
    try:
        return connect_reader(path, busy, migrations)
    except sqlite3.Error as error:
        waiting = path.with_name(path.name + "-wal")
        if not is_broken(error) or (waiting.exists() and waiting.stat().st_size):
            raise  # a log is not seen this way, nor what anybody writes meanwhile
        return connect_reader(path, busy, migrations, "mode=ro&immutable=1")


def is_writable(connection: sqlite3.Connection) -> None:
    """Raise SQLite's error if the file cannot be written at all."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def check_sound(connection: sqlite3.Connection) -> None:
    """Raise SQLite's error for a damaged file, if this one is."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found is not None and found[0] != "ok":
        damaged = sqlite3.DatabaseError(f"quick_check: {' '.join(str(found[0]).split())}")
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damaged


def _check_own(path: Path, busy: timedelta, migrations: Sequence[Migration]) -> None:
    """Refuse another program's database, and one of another version, before anything of it is changed."""
    with closing(_connect(path, busy, "mode=ro")) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if names and "migrations" not in names:
            raise ForeignDatabase(path)
        check(connection, migrations)


def _connect(path: Path, busy: timedelta, query: str = "mode=rw") -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?{query}",
        uri=True,
        timeout=busy.total_seconds(),
        isolation_level=None,  # transactions are begun by hand
        cached_statements=256,
    )


def _create(path: Path) -> bool:
    """Make an empty file, readable by its owner alone, if there is none. Return True if it was made."""
    try:
        if path.exists():
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        refused = sqlite3.OperationalError(f"unable to create database file: {error.strerror}")
        refused.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise refused from error
    return True
