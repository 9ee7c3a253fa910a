"""A practice match gives way to a shorter one, as long as nobody has bid in it."""

from __future__ import annotations

from bot.referee.lobby.setups import Wish
from bot.solver.players.levels import SLY
from tests.referee.stage import ANA, HERE, Table


async def test_practice_without_a_bid_gives_way(table: Table) -> None:
    practice = table.referee.practice
    begun = (await practice.begin(HERE, ANA, SLY, Wish())).live
    await practice.give_way(begun)
    view = await table.referee.views.view(begun.stored.id, ANA.user)
    assert (view.over, view.why) == (True, "newer")
    await practice.give_way(await table.referee.live(begun.stored.id))
    assert await practice.find_private(ANA.user) is None


async def test_practice_with_a_bid_goes_on(table: Table) -> None:
    practice = table.referee.practice
    id = (await practice.begin(HERE, ANA, SLY, Wish())).live.stored.id
    await table.seal(id, ANA.user, 7)
    await practice.give_way(await table.referee.live(id))
    assert not (await table.referee.views.view(id, ANA.user)).over
