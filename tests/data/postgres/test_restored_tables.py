"""Tables say which they are: those that a restore makes are others."""

from __future__ import annotations

import asyncpg

from data.postgres.database import PostgresDatabase
from tests import postgres
from tests.data.examples import NOW


async def test_tables_that_were_made_again_are_others(server: postgres.Server) -> None:
    """As by `pg_restore --clean`: the same rows, in the same database, in another table."""
    address = await postgres.emptied(server, fresh=True)
    async with await PostgresDatabase.open(address) as database:
        assert not await database.is_restored(NOW)
        await database.settle()
        assert not await database.is_restored(NOW)
    link = await asyncpg.connect(address)
    try:
        await link.execute("ALTER TABLE matches RENAME TO older")
        await link.execute("CREATE TABLE matches (LIKE older INCLUDING ALL)")
    finally:
        await link.close()
    async with await PostgresDatabase.open(address) as database:
        assert await database.is_restored(NOW)
        await database.settle()
        assert not await database.is_restored(NOW)
