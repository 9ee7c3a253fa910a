"""A bid and the notes of what it showed write no index of the messages that show it, and notes wait for no disk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.referee.model.changes import Change, NewMatch, PutSurface, SaveMatch, SurfaceShown
from bot.referee.model.surfaces import SurfaceKind
from data.postgres.database import PostgresDatabase, _execute
from data.sql.steps import build_statements
from tests import postgres
from tests.data import examples as ex

UPDATED = """SELECT pg_stat_get_xact_tuples_updated(CAST($1 AS REGCLASS)),
    pg_stat_get_xact_tuples_hot_updated(CAST($1 AS REGCLASS))"""
"""Rows that the open transaction updated, and those of them for which no index was written."""

MATCH = ex.match()
BOARD = ex.surface(shown=1)
CONSOLE = ex.surface(kind=SurfaceKind.CONSOLE_DM, user=ex.ANA, shown=1)


async def test_a_bid_and_its_notes(server: postgres.Server) -> None:
    async with (
        await PostgresDatabase.open(await postgres.emptied(server)) as database,
        database._pool.acquire() as link,
    ):
        before = build_statements((NewMatch(MATCH), PutSurface(BOARD), PutSurface(CONSOLE)))
        board, console = await _execute(link, before)
        bid = SaveMatch(replace(MATCH, version=2), 1, MATCH)
        notes = SurfaceShown(board, BOARD.message, 2, MATCH.id), PutSurface(replace(CONSOLE, id=console, shown=2))
        async with link.transaction():
            await _execute(link, build_statements((bid, *notes)))
            [(rows, without_index)] = await link.fetch(UPDATED, "surfaces")
        assert (rows, without_index) == (2, 2)


async def test_a_match_that_is_over_and_shown_is_looked_for_no_more(server: postgres.Server) -> None:
    async with (
        await PostgresDatabase.open(await postgres.emptied(server)) as database,
        database._pool.acquire() as link,
    ):
        [board] = await _execute(link, build_statements((NewMatch(MATCH), PutSurface(BOARD))))
        over = SaveMatch(replace(MATCH, version=2, live=False), 1, MATCH)
        await _execute(link, build_statements((over, SurfaceShown(board, BOARD.message, 2, MATCH.id))))
        assert await link.fetchval("SELECT count(*) FROM surfaces WHERE pending > 0") == 0


@pytest.mark.parametrize(
    ("change", "waits"),
    [
        ((SurfaceShown(1, 5, 2, MATCH.id), PutSurface(replace(CONSOLE, id=2))), "off"),
        ((SurfaceShown(1, 5, 2, MATCH.id), PutSurface(CONSOLE)), "on"),
        ((SaveMatch(replace(MATCH, version=2), 1, MATCH),), "on"),
        ((), "on"),
    ],
)
async def test_only_notes_of_known_messages_wait_for_no_disk(
    server: postgres.Server, change: Change, waits: str
) -> None:
    async with (
        await PostgresDatabase.open(await postgres.emptied(server)) as database,
        database._pool.acquire() as link,
    ):
        async with link.transaction():
            await _execute(link, database.guard(change))
            assert await link.fetchval("SHOW synchronous_commit") == waits
        assert await link.fetchval("SHOW synchronous_commit") == "on", "the next change of the connection"
