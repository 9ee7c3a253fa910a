"""Bring a database up to the newest version: numbered files, forward only, each in one transaction with its record.

The version is SQLite's own `user_version`; the table `migrations` says which file made it, and when.
"""

import logging
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache

from data.sql.codec import micros
from data.sql.schema import RECORD, Migration, SqlTable, check_applied, load

__all__ = ["Migration", "check", "load", "migrate", "pieces", "version"]

log = logging.getLogger(__name__)


def version(connection: sqlite3.Connection) -> int:
    """How many migrations a database has behind it."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> int:
    """The version of a database, refused if these migrations did not make it."""
    reached = version(connection)
    if reached:
        check_applied(dict(connection.execute("SELECT number, checksum FROM migrations")), reached, migrations)
    return reached


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration], upto: int | None = None) -> int:
    """Carry out what is missing, up to a version if one is named. The connection is in no transaction."""
    wanted = len(migrations) if upto is None else upto
    reached = check(connection, migrations)
    for migration in migrations[reached:wanted]:
        with _alone(connection):
            if check(connection, migrations) >= migration.number:
                continue  # another process was faster
            _carry_out(connection, migration)
        log.info("the database has version %d now (%s)", migration.number, migration.name)
    return version(connection)


@contextmanager
def _alone(connection: sqlite3.Connection) -> Generator[None]:
    """A transaction without foreign keys in the way; they are checked at its end."""
    enforced = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        if wrong := connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError(f"a row of {wrong[0]} lost what it refers to")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA foreign_keys = {enforced}")


def _carry_out(connection: sqlite3.Connection, migration: Migration) -> None:
    for statement in pieces(migration.sql):
        connection.execute(statement)
        if not connection.in_transaction:  # the file has a COMMIT of its own
            raise ValueError(f"migration {migration.number} leaves its transaction")
    connection.execute(RECORD)
    connection.execute(
        "INSERT INTO migrations (number, name, checksum, at) VALUES (?, ?, ?, ?)",
        (migration.number, migration.name, migration.checksum, micros(datetime.now(UTC))),
    )
    connection.execute(f"PRAGMA user_version = {migration.number}")


def pieces(sql: str) -> Iterator[str]:
    """The statements of a file, one by one: `executescript` would commit what is open."""
    waiting = ""
    for line in sql.splitlines(keepends=True):
        if not waiting and (not line.strip() or line.lstrip().startswith("--")):
            continue
        waiting += line
        if sqlite3.complete_statement(waiting):
            yield waiting
            waiting = ""
    if waiting:
        raise ValueError(f"a statement does not end: {waiting.strip()[:60]}")


@cache
def tables() -> tuple[SqlTable, ...]:
    """Every table that the migrations make, each after those that it refers to."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrate(made, load())
        found = made.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        ours = {name: sql for name, sql in found if name != "migrations" and not name.startswith("sqlite_")}
        needs = {name: {row[2] for row in made.execute(f"PRAGMA foreign_key_list({name})")} - {name} for name in ours}
        columns = {name: tuple(row[1] for row in made.execute(f"PRAGMA table_info({name})")) for name in ours}
    ordered: list[str] = []
    while len(ordered) < len(ours):
        ordered += [name for name in ours if name not in ordered and needs[name] <= set(ordered)]
    return tuple(SqlTable(name, columns[name], "AUTOINCREMENT" in ours[name]) for name in ordered)
