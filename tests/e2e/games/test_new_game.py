"""A game that is defined here joins by itself: the Discord layer learns prompts, not games."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from bot.engine import variants
from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from tests.e2e.games import odd_game
from tests.e2e.games.table import begin, places, pressed_is_recorded, reads_well, shown_places
from tests.e2e.house import Bot, House, opened, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def market(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    """The bot with one more game in its registry, and the same game known here."""
    variants.GAMES.append(odd_game.GAME)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Bot, "command", ("-m", "tests.e2e.games.odd_game", "run"))
            async with opened(tmp_path_factory.mktemp("market")) as house:
                yield house
                assert house.bot.trouble() == []
    finally:
        variants.GAMES.remove(odd_game.GAME)


@pytest.mark.parametrize("seats", [2, 5])
async def test_it_is_played_like_any_other(market: House, seats: int) -> None:
    table = await begin(market, seats, f"stalls {seats}", game="stalls")
    result = await table.play()
    record = await table.record()
    judged = result_data(replay(read_record(record)).match)
    assert judged["termination"] == "completed"
    more = (await table.host.person.press("More", in_=result)).shown
    assert shown_places(more) == places(table, record, json.loads(json.dumps(judged)))
    pressed_is_recorded(table, record)
    reads_well(table)


async def test_it_is_offered_by_name_with_its_seats(market: House) -> None:
    [row] = await market.ana.complete("/gops challenge", "game", "sneez", opponent=market.ben)
    assert row == "Sneezing Market · 2 to 5 players · The second bid picks a stall, the highest sneezes"
    rules = (await market.ana.slash("/gops rules", game="stalls")).shown
    assert "Two stalls are open" in plain(rules.text)
