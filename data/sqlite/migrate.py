"""Migration of an SQLite database to the newest version. Each migration runs in one transaction with its record.

The version is `user_version` of SQLite. The table `migrations` has the file and the time of each migration.
"""

import logging
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache

from data.sql.codec import to_micros
from data.sql.schema import MIGRATIONS_TABLE, Migration, SqlTable, check_applied, load_migrations

log = logging.getLogger(__name__)

APART = ("migrations", "partitions", "processes")
"""Tables about one database, which are not moved to another one."""


def read_version(connection: sqlite3.Connection) -> int:
    """Return the number of migrations that were applied."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_version(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> int:
    """Return the version of a database. Raise `ChangedMigration` or `NewerDatabase` for other migrations than these."""
    reached = read_version(connection)
    if reached:
        check_applied(dict(connection.execute("SELECT number, checksum FROM migrations")), reached, migrations)
    return reached


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration], upto: int | None = None) -> int:
    """Apply the missing migrations, up to a version if it is given. The connection must not be in a transaction."""
    target = len(migrations) if upto is None else upto
    reached = check_version(connection, migrations)
    for migration in migrations[reached:target]:
        with _exclusive_transaction(connection):
            if check_version(connection, migrations) >= migration.number:
                continue  # another process was faster
            _apply(connection, migration)
        log.info("the database has version %d now (%s)", migration.number, migration.name)
    return read_version(connection)


@contextmanager
def _exclusive_transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Open a transaction that checks foreign keys only at its end."""
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
        if not connection.in_transaction:  # the migration contains a COMMIT
            raise ValueError(f"migration {migration.number} leaves its transaction")
    connection.execute(MIGRATIONS_TABLE)
    connection.execute(
        "INSERT INTO migrations (number, name, checksum, at) VALUES (?, ?, ?, ?)",
        (migration.number, migration.name, migration.checksum, to_micros(datetime.now(UTC))),
    )
    connection.execute(f"PRAGMA user_version = {migration.number}")


def split_statements(sql: str) -> Iterator[str]:
    """Split a file into statements, because `executescript` would commit the open transaction."""
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
    """Return all tables of the schema but the shares of processes. Each comes after the tables that it references."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, load_migrations())
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        sources = {name: sql for name, sql in rows if name not in APART and not name.startswith("sqlite_")}
        needs = {
            name: {row[2] for row in connection.execute(f"PRAGMA foreign_key_list({name})")} - {name}
            for name in sources
        }
        columns = {name: tuple(row[1] for row in connection.execute(f"PRAGMA table_info({name})")) for name in sources}
    ordered: list[str] = []
    while len(ordered) < len(sources):
        ordered += [name for name in sources if name not in ordered and needs[name] <= set(ordered)]
    return tuple(SqlTable(name, columns[name], "AUTOINCREMENT" in sources[name]) for name in ordered)
