"""A match that ends before anything was revealed: in its first deal, or at the beginning of a later one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from cogs.match.boards import more
from cogs.records.replays import render_replay
from cogs.records.sheets import sheet
from tests.cogs.test_draws import agree
from tests.cogs.ui.reading import plain, read
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, HERE, Table
from tests.referee.test_moderation import MOD
from tests.sqlite_store import SqliteStore


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as store:
        yield Table(store)


def told(message: Message) -> str:
    return plain(read(message))


async def two_deals(table: Table, clock: int = 60) -> str:
    """A match of three deals whose third deal waits for its first bid."""
    id = await table.start(cards=3, clock=clock, series={"mode": "deals", "deals": 3})
    for _ in range(2):
        await table.play_out(id, (1, 2, 3), (2, 3, 1))
    return id


async def replayed(table: Table, id: str, at: int = 99) -> Message:
    tape = await table.referee.views.tape(await table.referee.live(id))
    return render_replay(tape.moment_at(at))


async def test_a_series_decided_between_two_deals_shows_those_that_were_played(table: Table) -> None:
    id = await two_deals(table)
    await table.seal(id, BEN.user, 2)
    await table.referee.moderating.decide(HERE.guild, id, MOD, ANA.user, "Ben is on holiday")
    view = await table.referee.views.view(id)
    board = told(render_board(view))
    behind = told(more(view))
    assert "Deal 2: " in behind
    assert "Deal 3" not in behind
    assert "2 deals · 6 rounds" in board
    dm = told(render_console(await table.referee.views.view(id, ANA.user)))
    assert "A moderator decided: you win" in dm
    assert "Round 2: " in dm
    assert "back in hand" not in dm
    assert "Deal 3" not in told(sheet(view))
    end = told(await replayed(table, id))
    assert "Round 2: " in end
    assert "Deal 3" not in end


@pytest.mark.parametrize("how", ["stopped", "abandoned"])
async def test_a_series_broken_off_between_two_deals_says_after_which(table: Table, how: str) -> None:
    id = await two_deals(table, clock=60 if how == "stopped" else 0)
    if how == "stopped":
        await table.referee.moderating.stop(HERE.guild, id, MOD, "spam")
    else:
        await table.referee.matches.abandon(id, (await table.referee.views.view(id)).prompt)
    assert f"{how} after deal 2" in told(render_board(await table.referee.views.view(id)))


async def test_a_draw_before_anything_was_revealed_has_nothing_to_replay(table: Table) -> None:
    id = await table.start(cards=3)
    view = await agree(table, id)
    end, page = await replayed(table, id), sheet(view)
    assert "No cards were revealed." in told(end)
    assert "No cards were revealed." in told(page)
    for message in (end, page):
        assert "yet" not in told(message)
    assert "(Turning point)" in told(end)


async def test_the_turning_point_can_be_pressed_from_every_other_moment(table: Table) -> None:
    id = await table.start(cards=3)
    await table.play_out(id, (3, 1, 2), (1, 2, 3))
    tape = await table.referee.views.tape(await table.referee.live(id))
    keys = ["(Turning point)" in told(await replayed(table, id, at)) for at in range(len(tape))]
    assert keys == [at == tape.turning_point for at in range(len(tape))]
