"""Changes that come often are one call of the server's; what they come to is the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from bot.referee.model.changes import CommitUnknown, Conflict, SaveNote, SetDeadline
from data.postgres import routines
from data.postgres.database import PostgresDatabase
from data.sql.statement import Statement
from data.sql.steps import build_statements
from tests import postgres
from tests.data import examples as ex

NOTE = build_statements((SaveNote("said", "x"), SetDeadline(ex.deadline())))
COUNTED = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"


@pytest.fixture
async def address(server: postgres.Server) -> str:
    return await postgres.emptied(server)


@pytest.fixture
async def database(address: str) -> AsyncIterator[PostgresDatabase]:
    async with await PostgresDatabase.open(address) as opened:
        yield opened


async def test_a_change_that_comes_often_is_one_call(database: PostgresDatabase) -> None:
    asked: list[str] = []
    async with database._pool.acquire() as link:

        def heard(query: Any) -> None:
            asked.append(query.query)

        holder: Any = link
        with holder.query_logger(heard):
            for _ in range(routines.CREATE_AFTER):
                await database._write_statements(link, NOTE)
            steps = len(asked)
            routine = database._routines.find(NOTE)
            assert routine is not None
            await asyncio.sleep(0)  # what was asked is told a moment later
            del asked[:]
            async with database._pool.acquire() as other:
                assert routine.name not in other.routines, "each session has its own"
            await link.fetchval(routine.call, *routine.arguments(NOTE))
            await asyncio.sleep(0)
    assert asked == [routine.call]
    assert steps >= routines.CREATE_AFTER * (len(NOTE) + 2)


async def test_where_none_may_be_made_it_is_carried_out_all_the_same(server: postgres.Server, address: str) -> None:
    whole = await asyncpg.connect(address)
    try:
        name = await whole.fetchval("SELECT current_database()")
        await whole.execute("DROP ROLE IF EXISTS gops_narrow")
        await whole.execute("CREATE ROLE gops_narrow LOGIN")
        await whole.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        await whole.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO gops_narrow")
        try:
            async with await PostgresDatabase.open(address.replace("gops@", "gops_narrow@")) as narrow:
                for _ in range(routines.CREATE_AFTER + 1):
                    await narrow.write(NOTE)
                assert narrow._routines.is_off
        finally:
            await whole.execute(f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC")
            await whole.execute("DROP OWNED BY gops_narrow; DROP ROLE gops_narrow")
    finally:
        await whole.close()


async def test_a_call_that_is_cut_may_have_been_committed(address: str, database: PostgresDatabase) -> None:
    """Whoever asked has to look, and nothing is half done."""
    for _ in range(routines.CREATE_AFTER):
        await database.write(NOTE)
    held = await asyncpg.connect(address)
    try:
        async with held.transaction():
            await held.execute("SELECT 1 FROM deadlines FOR UPDATE")
            change = build_statements((SaveNote("said", "y"), SetDeadline(ex.deadline(due=90))))
            write = asyncio.ensure_future(database.write(change))
            while not await held.fetchval(f"SELECT count(*) {postgres.WAITING}"):
                assert not write.done()
            await held.execute(f"SELECT pg_terminate_backend(pid) {postgres.WAITING}")
            with pytest.raises(CommitUnknown):
                await write
        assert await held.fetchval("SELECT value FROM notes WHERE key = 'said'") == "x"
    finally:
        await held.close()
    await database.write(change)


async def test_what_is_not_met_undoes_all_of_it(database: PostgresDatabase) -> None:
    missing = Statement("UPDATE notes SET value = 'z' WHERE key = ?", ("nobody",), 1, "nobody is not there")
    for _ in range(routines.CREATE_AFTER + 2):
        with pytest.raises(Conflict, match="nobody is not there"):
            await database.write((*NOTE, missing))
    async with database._pool.acquire() as link:
        assert not await link.fetchval("SELECT count(*) FROM notes")


async def test_changes_of_any_length_are_one_function(database: PostgresDatabase) -> None:
    """A session would plan every statement of each of them."""
    for count in (2, 3, 5, 8):
        await database.write(build_statements(tuple(SaveNote(f"note {number}", "x") for number in range(count))))
    async with database._pool.acquire() as link:
        assert await link.fetchval("SELECT count(*) FROM pg_proc WHERE proname LIKE 'gops%'") == 1
        assert await link.fetchval("SELECT count(*) FROM notes WHERE value = 'x'") == 8


async def test_what_is_not_met_in_a_row_of_equal_statements(database: PostgresDatabase) -> None:
    def change(*keys: str) -> list[Statement]:
        sql = "UPDATE notes SET value = 'z' WHERE key = ?"
        return [Statement(sql, (key,), 1, f"{key} is not there") for key in keys]

    await database.write(build_statements((SaveNote("a", "x"), SaveNote("b", "x"))))
    for _ in range(routines.CREATE_AFTER):
        await database.write(change("a", "b", "a"))
    assert database._routines.find(change("a", "b")) is not None
    with pytest.raises(Conflict, match="c is not there"):
        await database.write((*NOTE, *change("a", "b", "c", "d")))
    with pytest.raises(Conflict, match="c is not there"):
        await database.write(change("b", "c"))
