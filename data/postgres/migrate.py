"""Migration of a PostgreSQL database, by the same files as for SQLite. Each migration runs in one transaction.

If several processes start at once, one of them migrates, and the others wait for its lock.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from data.postgres.dialect import translate_migration
from data.postgres.driver import BulkConnection, DedicatedConnection, PostgresConnection
from data.sql.codec import to_micros
from data.sql.schema import MIGRATIONS_TABLE, Migration, check_applied

log = logging.getLogger(__name__)

MIGRATION_LOCK = 0x474F5053
"""Key of the advisory lock for migrations."""


COUNT_TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'"
"""Reads the catalogue, because `to_regclass` may miss a table that another process has just created."""


async def check_version(
    connection: PostgresConnection | BulkConnection | DedicatedConnection, migrations: Sequence[Migration]
) -> int:
    """Return the version of a database. Raise `ChangedMigration` or `NewerDatabase` for other migrations than these."""
    if not await connection.fetchval(COUNT_TABLES):
        return 0
    checksums: dict[int, str] = {
        row[0]: row[1] for row in await connection.fetch("SELECT number, checksum FROM migrations")
    }
    reached = max(checksums, default=0)
    check_applied(checksums, reached, migrations)
    return reached


async def migrate(
    connection: PostgresConnection | BulkConnection, migrations: Sequence[Migration], upto: int | None = None
) -> int:
    """Apply the missing migrations, up to a version if it is given."""
    target = len(migrations) if upto is None else upto
    if await check_version(connection, migrations) >= target:
        return await check_version(connection, migrations)
    for number in range(1, target + 1):
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
            if await check_version(connection, migrations) >= number:
                continue  # it was applied before, or another process was faster
            await _apply(connection, migrations[number - 1])
        log.info("the database has version %d now (%s)", number, migrations[number - 1].name)
    return await check_version(connection, migrations)


async def _apply(connection: PostgresConnection | BulkConnection, migration: Migration) -> None:
    for statement in translate_migration(migration.sql):
        await connection.execute(statement)
    for statement in translate_migration(MIGRATIONS_TABLE):
        await connection.execute(statement)
    await connection.execute(
        "INSERT INTO migrations (number, name, checksum, at) VALUES ($1, $2, $3, $4)",
        *(migration.number, migration.name, migration.checksum, to_micros(datetime.now(UTC))),
    )
