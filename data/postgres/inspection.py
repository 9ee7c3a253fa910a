"""What a PostgreSQL database is: its version, its identity, and whether a bot uses it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from bot.errors import MovedDatabase
from data.postgres.dialect import number_parameters, to_parameter
from data.postgres.driver import (
    ANY_ERROR,
    BulkConnection,
    DedicatedConnection,
    PostgresConnection,
    connect_dedicated,
    translate_errors,
)
from data.postgres.migrate import COUNT_TABLES, check_version
from data.sql.schema import MOVED, load_migrations
from data.sql.statement import Read

BOT = 0x474F5054
"""Key of the advisory lock that running processes share, and that a command takes which needs the database alone."""


async def refuse_moved(connection: PostgresConnection) -> None:
    """Raise `MovedDatabase` if the contents were moved to another database."""
    if await has_tables(connection) and (
        to := await connection.fetchval(f"SELECT value FROM notes WHERE key = '{MOVED}'")
    ):
        raise MovedDatabase("this PostgreSQL database", to)


async def has_tables(connection: PostgresConnection | BulkConnection) -> bool:
    """Return True if the database has tables."""
    return bool(await connection.fetchval(COUNT_TABLES))


ORIGIN = "origin"
"""Key of the note that names the tables in which it was written."""

TABLES = """SELECT pg_database.oid || ' ' || pg_class.oid FROM pg_database, pg_class
    WHERE datname = current_database() AND pg_class.oid = 'matches'::regclass"""
CLUSTER = "SELECT system_identifier FROM pg_control_system()"
TIMELINE = "SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)"
"""Another one after a standby was promoted, or a base backup was recovered up to some time."""


async def read_origin(connection: PostgresConnection) -> str:
    """Name the tables: server, timeline, database and table. A host may forbid the first two."""
    parts = [str(await connection.fetchval(TABLES))]
    for sql in (CLUSTER, TIMELINE):
        with suppress(*ANY_ERROR):
            parts.append(str(await connection.fetchval(sql)))
    return " ".join(parts)


T = TypeVar("T")


async def read_version(address: str) -> int:
    """Return the version of the schema. Raise `DatabaseError`, `StoreBusy` or `StoreReadOnly`."""
    return await _query(address, lambda connection: check_version(connection, load_migrations()))


COUNT_BOT_LOCKS = """SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND datname = current_database()"""


async def is_in_use(address: str) -> bool:
    """Return True if a bot runs on the database."""
    return bool(await _query(address, lambda connection: connection.fetchval(COUNT_BOT_LOCKS, BOT)))


async def read_once(address: str, read: Read[T]) -> T | None:
    """Return what a read of one query finds; None if there is no table yet."""
    [query] = read.queries

    async def look(connection: DedicatedConnection) -> T | None:
        if not await check_version(connection, load_migrations()):
            return None
        rows = await connection.fetch(number_parameters(query.sql), *map(to_parameter, query.params))
        return read.combine([query.value(*row) for row in rows])

    return await _query(address, look)


async def _query(address: str, look: Callable[[DedicatedConnection], Awaitable[T]]) -> T:
    with translate_errors():
        connection = await connect_dedicated(address)
        try:
            return await look(connection)
        finally:
            await connection.close()
