"""Plans of PostgreSQL: one for each statement, and not compiled, because that takes longer than to execute it."""

from __future__ import annotations

from data.postgres.database import PostgresDatabase
from tests import postgres


async def test_a_plan_is_made_once_and_not_compiled(server: postgres.Server) -> None:
    async with (
        await PostgresDatabase.open(await postgres.emptied(server)) as database,
        database._pool.acquire() as link,
    ):
        assert await link.fetchval("SHOW plan_cache_mode") == "force_generic_plan"
        assert await link.fetchval("SHOW jit") == "off"
