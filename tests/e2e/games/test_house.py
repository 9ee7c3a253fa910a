"""Two people and the house play every game and preset that takes three, from the challenge to the result."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.text.presets import find_offer
from tests.e2e.games.table import begin, holds, smallest
from tests.e2e.house import House, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")

MIXED = [
    (key, max(seats, 3))
    for key, seats in smallest()
    if seats > 2 or (find_offer(key)[1].seats is None and find_offer(key)[0].seats[1] > 2)
]


@pytest.mark.parametrize(("key", "seats"), MIXED, ids=[key for key, _ in MIXED])
async def test_two_people_and_the_house_play_every_game(club: House, key: str, seats: int) -> None:
    few: dict[str, Any] = {"cards": 5} if any(option.key == "cards" for option in find_offer(key)[0].options) else {}
    table = await begin(club, 2, f"house {key}", None, game=key, house=seats - 2, series="one", **few)
    assert "(house)" in plain(table.result().text)
    await table.play()
    assert "Not rated: the house plays too." in table.result().text
    await holds(table)
