"""The bot is killed in the middle of a round of every game at once, and every match goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from bot.engine.text.presets import find_offer
from tests.e2e.games.player import keys
from tests.e2e.games.table import Table, agrees, begin, pressed_is_recorded, smallest
from tests.e2e.house import House, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG = 60
"""so many prompts of a deal are too many to play all of them here"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def mortal(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    async with opened(tmp_path_factory.mktemp("mortal")) as house:
        await house.stage.settings(dm_opens=None)
        yield house
        assert house.bot.trouble() == []


async def test_a_kill_in_the_middle_of_a_round(mortal: House) -> None:
    """One seat of each table has sealed. What was sealed is there afterwards, and nobody else has noticed a thing."""
    tables: list[Table] = []
    for key, seats in smallest():
        game, _ = find_offer(key)
        cards: dict[str, Any] = {"cards": 6} if any(option.key == "cards" for option in game.options) else {}
        tables.append(await begin(mortal, seats, f"kill {key}", game=key, by_dm=None, series="one", **cards))
    await asyncio.gather(*(table.play(1) for table in tables))
    for table in tables:
        asked = await table.host.turn(2)
        assert asked is not None
        await table.host.answer(asked)
    await mortal.bot.kill()
    await mortal.bot.start()
    for table in tables:
        console = table.host.console()
        assert console is not None, table.code
        assert any(key.label.startswith("✔ ") for key in keys(console)), console.text
    short = [table for table in tables if not is_long(table)]
    await asyncio.gather(*(table.play() for table in short))
    await asyncio.gather(*(table.play(3) for table in tables if table not in short))
    for table in short:
        record = await table.record()
        assert (await agrees(table, record, table.result()))["termination"] == "completed"
        pressed_is_recorded(table, record)


def is_long(table: Table) -> bool:
    board = table.result().text
    return " trick " in board and len(table.players) > 2
