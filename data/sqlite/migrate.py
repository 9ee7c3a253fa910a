"""Bring a database up to the newest version: numbered files, forward only, each in one transaction with its record.

The version is SQLite's own `user_version`; the table `migrations` says which file made it, and when.
"""

import logging
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache

from data.sql.codec import to_micros
from data.sql.schema import MIGRATIONS_TABLE, Migration, SqlTable, check_applied, load_migrations

__all__ = ["Migration", "check_version", "load_migrations", "migrate", "read_version", "split_statements"]

log = logging.getLogger(__name__)


def read_version(connection: sqlite3.Connection) -> int:
    """How many migrations a database has behind it."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_version(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> int:
    """The version of a database, refused if these migrations did not make it."""
    reached = read_version(connection)
    if reached:
        check_applied(dict(connection.execute("SELECT number, checksum FROM migrations")), reached, migrations)
    return reached


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration], upto: int | None = None) -> int:
    """Carry out what is missing, up to a version if one is named. The connection is in no transaction."""
    wanted = len(migrations) if upto is None else upto
    reached = check_version(connection, migrations)
    for migration in migrations[reached:wanted]:
        with _exclusive_transaction(connection):
            if check_version(connection, migrations) >= migration.number:
                continue  # another process was faster
            _apply(connection, migration)
        log.info("the database has version %d now (%s)", migration.number, migration.name)
    return read_version(connection)


@contextmanager
def _exclusive_transaction(connection: sqlite3.Connection) -> Generator[None]:
    """A transaction without foreign keys in the way; they are checked at its end."""
    enforced = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        if orphan := connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError(f"a row of {orphan[0]} lost what it refers to")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA foreign_keys = {enforced}")


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    for statement in split_statements(migration.sql):
        connection.execute(statement)
        if not connection.in_transaction:  # the file has a COMMIT of its own
            raise ValueError(f"migration {migration.number} leaves its transaction")
    connection.execute(MIGRATIONS_TABLE)
    connection.execute(
        "INSERT INTO migrations (number, name, checksum, at) VALUES (?, ?, ?, ?)",
        (migration.number, migration.name, migration.checksum, to_micros(datetime.now(UTC))),
    )
    connection.execute(f"PRAGMA user_version = {migration.number}")


def split_statements(sql: str) -> Iterator[str]:
    """The statements of a file, one by one: `executescript` would commit what is open."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        if not statement and (not line.strip() or line.lstrip().startswith("--")):
            continue
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement:
        raise ValueError(f"a statement does not end: {statement.strip()[:60]}")


@cache
def list_tables() -> tuple[SqlTable, ...]:
    """Every table that the migrations make, each after those that it refers to."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, load_migrations())
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        sources = {name: sql for name, sql in rows if name != "migrations" and not name.startswith("sqlite_")}
        needs = {
            name: {row[2] for row in connection.execute(f"PRAGMA foreign_key_list({name})")} - {name}
            for name in sources
        }
        columns = {name: tuple(row[1] for row in connection.execute(f"PRAGMA table_info({name})")) for name in sources}
    ordered: list[str] = []
    while len(ordered) < len(sources):
        ordered += [name for name in sources if name not in ordered and needs[name] <= set(ordered)]
    return tuple(SqlTable(name, columns[name], "AUTOINCREMENT" in sources[name]) for name in ordered)
