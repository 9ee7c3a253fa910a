"""Every registered game and preset is played from the challenge to the result, by everybody at once.

`tests/screens` plays each of them at its smallest table, one press after the other, and holds it to the same.
"""

from __future__ import annotations

import pytest

from tests.e2e.games.table import begin, holds, named, recorded, tables
from tests.e2e.house import House

pytestmark = pytest.mark.asyncio(loop_scope="module")

LARGER = [one for one in tables() if one not in recorded()]


@pytest.mark.parametrize(("key", "seats"), LARGER, ids=named(LARGER))
async def test_every_game_is_played_from_challenge_to_result(club: House, key: str, seats: int) -> None:
    table = await begin(club, seats, f"{key} {seats}", None, game=key)
    await table.play()
    await holds(table)
