"""Bring a PostgreSQL database up to the newest version: the same numbered files as for SQLite, each in one transaction.

Several processes may start at once: one does it, and the others wait.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from data.postgres.dialect import migration as translated
from data.postgres.driver import Link, Long, Single
from data.sql.codec import micros
from data.sql.schema import RECORD, Migration, check_applied

log = logging.getLogger(__name__)

ONE_AT_A_TIME = 0x474F5053
"""of the advisory lock under which a database is migrated"""


THERE = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'"
"""asked of the catalogue itself: `to_regclass` may still know of no table that another process has just made"""


async def check(link: Link | Long | Single, migrations: Sequence[Migration]) -> int:
    """The version of a database, refused if these migrations did not make it."""
    if not await link.fetchval(THERE):
        return 0
    made: dict[int, str] = {row[0]: row[1] for row in await link.fetch("SELECT number, checksum FROM migrations")}
    reached = max(made, default=0)
    check_applied(made, reached, migrations)
    return reached


async def migrate(link: Link | Long, migrations: Sequence[Migration], upto: int | None = None) -> int:
    """Carry out what is missing, up to a version if one is named."""
    wanted = len(migrations) if upto is None else upto
    if await check(link, migrations) >= wanted:
        return await check(link, migrations)
    for number in range(1, wanted + 1):
        async with link.transaction():
            await link.execute("SELECT pg_advisory_xact_lock($1)", ONE_AT_A_TIME)
            if await check(link, migrations) >= number:
                continue  # it was there, or another process was faster
            await _carry_out(link, migrations[number - 1])
        log.info("the database has version %d now (%s)", number, migrations[number - 1].name)
    return await check(link, migrations)


async def _carry_out(link: Link | Long, migration: Migration) -> None:
    for statement in translated(migration.sql):
        await link.execute(statement)
    for statement in translated(RECORD):
        await link.execute(statement)
    await link.execute(
        "INSERT INTO migrations (number, name, checksum, at) VALUES ($1, $2, $3, $4)",
        *(migration.number, migration.name, migration.checksum, micros(datetime.now(UTC))),
    )
