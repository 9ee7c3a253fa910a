"""The farming guard, in the words of a result: which match of the day it was, and the sixth that does not count."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.messages.render import lobby_message
from bot.referee.lobby.setups import Wish
from bot.ui.screens.board import render_board
from cogs.match.boards import more
from tests.cogs.ui.reading import plain, read
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, HERE, Table
from tests.sqlite_store import SqliteStore


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as store:
        yield Table(store)


async def test_rated_matches_of_three_days_are_limited(table: Table) -> None:
    """*More* tells which match of the day it was."""

    async def winner() -> str:
        view = await table.round(await table.start(cards=2), 1, 2)
        return plain(read(render_board(view)) + read(more(view)))

    for _ in range(2):
        for _ in range(4):
            await winner()
        table.clock.forward(24 * 3600 + 1)
    lines = [await winner() for _ in range(6)]
    assert "within a day" not in lines[0]
    words = ("Second", "Third", "Fourth", "Fifth")
    assert [
        f"{word} rated match between these players within a day." in line
        for word, line in zip(words, lines[1:5], strict=True)
    ] == [True] * 4
    assert " → " not in lines[5]


async def test_what_cannot_count_is_told_when_it_is_agreed(table: Table) -> None:
    """The sixth match of the day between two says so on challenge and board, even if the day ends meanwhile."""
    referee = table.referee

    async def asked(**wish: Any) -> tuple[str, str]:
        lobby = await referee.challenges.open(HERE, ANA, [BEN], Wish(**wish))
        return lobby.id, plain(read(await lobby_message(referee, lobby)))

    for _ in range(5):
        await table.round(await table.start(cards=2), 1, 2)
        table.clock.forward(600)
    id, text = await asked(cards=3, clock=259200)
    assert text.splitlines()[1].endswith("unrated (of the same people, five a day count)")
    view = (await referee.challenges.accept(id, BEN.user, 900)) and await referee.views.view(id)
    assert "· unrated (of the same people, five a day count)" in plain(read(render_board(view)))
    table.clock.forward(24 * 3600)
    await table.round(id, 1, 2)
    over = plain(read(render_board(await table.round(id, 2, 1))))
    assert "Not rated: only the first five matches between the same players within a day count." in over
    _, later = await asked(cards=3)
    assert later.splitlines()[1].endswith("· rated")


async def test_five_of_one_game_leave_another_rated(table: Table) -> None:
    for _ in range(5):
        await table.round(await table.start(cards=2), 1, 2)
        table.clock.forward(600)
    for game, words in (("sops", "· rated"), ("carry", "five a day count)")):
        lobby = await table.referee.challenges.open(HERE, ANA, [BEN], Wish(game=game))
        assert plain(read(await lobby_message(table.referee, lobby))).splitlines()[1].endswith(words)
        await table.referee.challenges.withdraw(lobby.id, ANA.user)
        table.clock.forward(600)


async def test_a_sixth_that_began_beside_the_fifth(table: Table) -> None:
    ids = [await table.start(cards=2) for _ in range(6)]
    last = [await table.round(id, 1, 2) for id in ids][-1]
    assert "Not rated: only the first five matches between the same players within a day count." in plain(
        read(render_board(last))
    )
