"""A press on *Random card* that is late, and one on what is no console."""

from __future__ import annotations

from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.show.test_dm_reminders import Nudged


async def test_press_of_an_earlier_round_bids_nothing() -> None:
    async with staged() as place:
        table = TableMode(place)
        await table.start(place="own", clock=900, cards=4)
        await place.publisher.idle()
        nudged = Nudged(table)
        console = await nudged.console()
        prompt = (await place.referee.views.view(table.id, ANA.user)).prompt
        for person, card in ((ANA, 1), (BEN, 2)):
            await place.table.seal(table.id, person.user, card)
        await table.press(ANA, f"g1:rc:{table.id}:{prompt}", message=console, by_dm=True)
        await place.publisher.idle()
        view = await place.referee.views.view(table.id, ANA.user)
        assert view.prompt > prompt
        assert view.mine is None
        assert "🎲" not in nudged.text(console)
        await table.press(ANA, f"g1:rc:{table.id}:{view.prompt}", message=console, by_dm=True)
        await place.publisher.idle()
        assert (await place.referee.views.view(table.id, ANA.user)).mine in (2, 3, 4)
        assert "🎲 Random card of round " in nudged.text(console)
