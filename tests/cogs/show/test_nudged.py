"""A nudge or warning by DM becomes the console, at once or when there is room for that call."""

from __future__ import annotations

from bot.referee.lobby.setups import Wish
from bot.referee.ports.model import Deadline, DeadlineKind, SurfaceKind
from cogs.wire.budget import Budget
from tests.cogs.show.table import ANA, BEN, staged
from tests.referee.stage import HERE


async def test_a_nudge_on_a_busy_bot_becomes_the_console_a_little_later() -> None:
    """It stayed plain until something changed, where fewer than half of the calls were free just then."""
    async with staged() as place:
        lobby = await place.referee.challenges.open(HERE, ANA, [BEN], Wish(clock=900))
        await place.posted(lobby)
        await place.referee.challenges.accept(lobby.id, BEN.user, 900)
        await place.publisher.idle()
        view = await place.referee.views.of(lobby.id)
        place.table.clock.forward(61)
        busy = place.publisher.reach.budget = Budget(10.0)
        busy.spend(6)
        assert await place.publisher.notices.remind(
            Deadline(lobby.id, DeadlineKind.NUDGE, place.table.clock.now(), view.prompt)
        )
        await place.publisher.idle()
        surfaces = await place.table.store.surfaces(lobby.id)
        consoles = [one for one in surfaces if one.kind is SurfaceKind.CONSOLE_DM]
        assert len(consoles) == 2
        for one in consoles:
            assert f"g1:co:{lobby.id}:" in place.wire.text(one.message)
