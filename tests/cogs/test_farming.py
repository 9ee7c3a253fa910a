"""The farming guard, in the words of a result: which match of the day it was, and the sixth that does not count."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.show.draw import board_message
from data.store import SqliteStore
from tests.cogs.ui.reading import plain, read
from tests.referee.stage import Table


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with await SqliteStore.open(tmp_path / "gops.sqlite3") as store:
        yield Table(store)


async def test_the_matches_of_three_days(table: Table) -> None:
    """From the eighth rated match on a rating is told as a change, and with it the match of the day."""

    async def winner() -> str:
        view = await table.round(await table.start(cards=2), 1, 2)
        lines = plain(read(board_message(view))).splitlines()
        return next(line for line in lines if line.startswith("1st "))

    for _ in range(2):
        for _ in range(4):
            await winner()
        table.clock.forward(24 * 3600 + 1)
    lines = [await winner() for _ in range(6)]
    assert "match of the day" not in lines[0]
    words = ("second", "third", "fourth", "fifth")
    assert [f"{word} match of the day between you)" in line for word, line in zip(words, lines[1:5], strict=True)] == [
        True
    ] * 4
    assert "rating" not in lines[5]
    last = plain(read(board_message(await table.round(await table.start(cards=2), 1, 2))))
    assert "Unrated: of the matches between the same people, the first five within a day count" in last
