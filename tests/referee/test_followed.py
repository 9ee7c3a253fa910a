"""A match that another process played on: what came since is played, and the outcome is that of all of it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.variants import GAMES
from bot.referee.lobby.who import Person
from bot.referee.match.live import Live, followed, revive
from tests.referee.stage import Table
from tests.referee.test_leaving import PEOPLE, finish

CROWD = (*PEOPLE, *(Person(20 + number, f"P{number}") for number in range(3)))


def tables() -> list[Any]:
    """Every game with the fewest seats, one in several deals, and one that somebody leaves."""
    single, two = {"mode": "single"}, {"mode": "deals", "deals": 2}
    found = [(game.key, game.seats[0], single, False) for game in GAMES]
    found += [("classic", 2, two, False), ("classic", 3, single, True)]
    return [pytest.param(*one, id=f"{one[0]}-{one[1]}-{one[2]['mode']}-{one[3]}") for one in found]


@pytest.mark.parametrize(("game", "seats", "series", "leaves"), tables())
async def test_every_game_is_followed(table: Table, game: str, seats: int, series: Any, leaves: bool) -> None:
    versions: list[Live] = []

    def note(id: str) -> None:
        live = table.referee.known(id)
        assert live is not None
        versions.append(live)

    id = await table.start(CROWD[:seats], game=game, series=series)
    note(id)
    table.referee.listeners.append(note)
    if leaves:
        for seat in range(3):
            await table.seal(id, CROWD[seat].user, seat + 1)
        await table.referee.matches.resign(id, CROWD[0].user)
    await finish(table, id)
    whole = [revive(live.stored) for live in versions]
    for before, after in ((-2, -1), (0, -1), (0, len(versions) // 2)):
        assert followed(whole[before], versions[after].stored) == whole[after]
    for before, after in zip(versions, whole[1:], strict=False):
        assert followed(before, after.stored) == after


async def test_a_keeper_reads_what_came_since(table: Table) -> None:
    """As the process that leads does with what workers write."""
    id = await table.start(cards=3)
    other = Table(table.store, table.clock, "other")
    before = await other.referee.live(id)
    await table.round(id, 1, 2)
    await other.referee.reread(id)
    assert other.referee.known(id) == await Table(table.store, table.clock, "fresh").referee.live(id)
    assert other.referee.known(id) != before
    await finish(table, id)
    await other.referee.reread(id)
    known = other.referee.known(id)
    assert known is not None
    assert not known.stored.live
    assert known == revive(known.stored)
