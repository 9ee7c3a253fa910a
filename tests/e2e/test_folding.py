"""A match that is over for a month, over sockets: the bot folds it by itself, and nobody who looks back sees that."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.playground.driver import Seen
from tests.e2e.house import House, behind_more, code_of, has, opened, plain, told
from tests.e2e.test_match import bid, rounds

MONTH = 30 * 24 * 3600


async def looked_back(house: House, result: Seen) -> list[str | bytes]:
    """What somebody finds by the commands and buttons of a result."""
    code, cem = code_of(result), await house.stage.person("Cem")
    found: list[str | bytes] = [told(await cem.slash("/gops replay", match=code))]
    exported = (await behind_more(cem, "Export", result)).shown
    found += [await house.stage.link.read(file["url"]) for file in exported.files]
    assert len(found) == 3
    found.append(told(await behind_more(cem, "Sheet", result)))
    found.append(told(await behind_more(cem, "Verify", result)))
    return [plain(one) if isinstance(one, str) else one for one in found]


def folded(house: House) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(house.bot.database)) as connection:
        asked = "SELECT folded IS NOT NULL, (SELECT count(*) FROM decisions WHERE match_id = id) FROM matches"
        return connection.execute(asked).fetchall()


async def test_a_month_later(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        board = await house.match(cards=3)
        await rounds(house, 1, 1)
        await bid(house.ana, 2, 3)
        await bid(house.ben, 2, 1)
        result = await house.ana.sees(has("1st"), in_=board)
        before = await looked_back(house, result)
        assert folded(house) == [(0, 6)]
        await house.bot.stop()
        await house.stage.forward(MONTH + 60)
        await house.bot.start()
        await house.bot.logs("matches that are over for more than 30 days: 1 folded")
        assert folded(house) == [(1, 0)]
        assert await looked_back(house, result) == before
        question = (await house.ana.slash("/gops privacy delete")).shown
        assert told(await house.ana.press("Erase my data", in_=question)).startswith("Done. Your data is erased")
        assert "a former player" in told(await house.ben.slash("/gops history"))
        assert folded(house) == [(1, 0)]
        assert house.bot.trouble() == []
