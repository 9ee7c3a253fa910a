"""Every registered game and preset is played from the challenge to the result."""

from __future__ import annotations

import pytest

from tests.e2e.games.table import agrees, begin, names_of_tables, pressed_is_recorded, reads_well, tables
from tests.e2e.house import House

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHORTER = {"welsh": {"options": "20 tricks a deal"}, "attrition": {"options": "20 tricks a deal"}}
"""what cuts a game short that would be a third of all presses here"""


@pytest.mark.parametrize(("key", "seats"), tables(), ids=names_of_tables())
async def test_a_whole_match(club: House, key: str, seats: int) -> None:
    table = await begin(club, seats, f"{key} {seats}", None, game=key, **SHORTER.get(key, {}))
    result = await table.play()
    record = await table.record()
    judged = await agrees(table, record, result)
    assert judged["termination"] == "completed"
    pressed_is_recorded(table, record)
    reads_well(table)
