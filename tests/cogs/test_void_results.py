"""What is shown of a match that a moderator unrated."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.referee.model.participant import Person
from bot.ui.custom_ids.records_ids import Listing
from bot.ui.screens.board import render_board
from cogs.records.profile_card import history
from tests.cogs.ui.reading import plain, read
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, HERE, Table
from tests.referee.test_moderation import MOD, played
from tests.sqlite_store import SqliteStore


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as store:
        yield Table(store)


async def shown_board(table: Table, id: str) -> str:
    return plain(read(render_board(await table.referee.views.view(id))))


async def shown_history(table: Table, person: Person) -> list[str]:
    matches = await table.referee.people.history(HERE.guild, person.user, 0)
    return plain(read(history(Listing(person.user), person.name, matches, public=True))).splitlines()[1:]


async def test_a_void_match_shows_no_rating_changes(table: Table) -> None:
    id = await played(table)
    assert "fewer than 8 rated matches." in await shown_board(table, id)
    await table.referee.moderating.unrate(HERE.guild, id, MOD, "bought")
    again = Table(table.store, table.clock, "again")
    for one in (table, again):
        board = await shown_board(one, id)
        assert "Not rated: a moderator took it out of the ratings." in board
        assert "fewer than 8 rated matches." not in board
        for person in (ANA, BEN):
            [line] = await shown_history(one, person)
            assert line.endswith("· unrated")
            assert "rating" not in line.removesuffix("unrated")


async def test_a_match_after_a_void_one_keeps_what_it_said(table: Table) -> None:
    """It says how the ratings stood then; the profile has them as they are now."""
    first = await played(table)
    second = await played(table)
    told = await shown_board(table, second)
    await table.referee.moderating.unrate(HERE.guild, first, MOD, "bought")
    assert await shown_board(table, second) == told
    newest, oldest = await shown_history(table, ANA)
    assert "· rating" in newest
    assert oldest.endswith("· unrated")
