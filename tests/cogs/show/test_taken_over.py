"""Another keeper goes on where the one before was killed in the middle of a call."""

from __future__ import annotations

import pytest

from bot.referee.ports.model import SurfaceKind
from cogs.show.bystander import Bystander
from cogs.show.marks import Marks
from cogs.show.publisher import Publisher
from cogs.wire.budget import Budget
from cogs.wire.reach import Reach
from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.wire import COUNTED


@pytest.mark.parametrize("away", [5, 600])
async def test_a_keeper_that_is_killed_over_a_console_leaves_nothing_old_there(away: int) -> None:
    """Its edit came after the answer of a worker, who had noted what that showed: the console stayed old for ever."""
    async with staged() as place:
        table, wire, referee = TableMode(place), place.wire, place.referee
        place.publisher.marks.shared = True
        await table.start(place="own", clock=900, cards=4)
        await place.publisher.idle()
        surfaces = await place.publisher.marks.surfaces(table.id)
        [console] = [one.message for one in surfaces if (one.kind, one.user) == (SurfaceKind.CONSOLE_DM, ANA.user)]
        wire.hold(COUNTED, console)
        await place.table.seal(table.id, ANA.user, 2)
        await place.table.seal(table.id, BEN.user, 3)
        await wire.until(lambda: any(call.message == console for call in table.of(COUNTED)))
        [edit] = [call for call in table.of(COUNTED) if call.message == console]

        worker = Bystander(referee, Reach(wire.client(), Budget(1e9), (OSError,)), lambda *_: None, lambda _: None)
        table.services.publisher, table.services.lanes = worker, worker.lanes
        await table.press(ANA, f"g1:co:{table.id}:{await table.prompt()}:4", message=console, by_dm=True)
        await worker.close()
        assert "**4 is sealed.**" in wire.text(console)
        await place.publisher.close()
        wire.shown[console].update(edit.body)  # it was on its way
        assert "**4 is sealed.**" not in wire.text(console)

        seen = place.table.clock.now()
        place.table.clock.forward(away)
        successor = Publisher(referee, Reach(wire.client(), Budget(1e9), (OSError,)), marks=Marks(referee, shared=True))
        await successor.take_over(seen)
        await successor.catch_up()
        await successor.idle()
        assert "**4 is sealed.**" in wire.text(console)
        await successor.close()
