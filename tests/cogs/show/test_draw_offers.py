"""Who writes an offer of a draw that is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.wire import COUNTED


@pytest.fixture
async def table() -> AsyncIterator[TableMode]:
    async with staged() as place:
        yield TableMode(place)


async def test_offer_is_written_by_the_press_that_accepts_it_alone(
    table: TableMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match is over as soon as the answer is stored, and the handler goes on later."""
    await table.start(place="own", cards=4)
    place, answer = table.place, table.place.referee.matches.answer_draw
    await place.publisher.notices.offer_draw(await place.referee.matches.offer_draw(table.id, ANA.user))
    offer = next(id for _, text, id in reversed(place.wire.sent) if "offers a draw" in text)

    async def answered(*given: object) -> object:
        view = await answer(*given)  # pyright: ignore[reportArgumentType]
        await place.publisher.idle()
        return view

    monkeypatch.setattr(place.referee.matches, "answer_draw", answered)
    await table.press(BEN, f"g1:dr:{table.id}:{await table.prompt()}:y", offer, by_dm=True, v2=False)
    await place.publisher.idle()
    assert "You agreed to the draw." in place.wire.text(offer)
    assert not [call for call in table.of(COUNTED) if call.message == offer]
