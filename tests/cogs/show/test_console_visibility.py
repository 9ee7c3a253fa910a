"""A console that came beside the board stays beside it: what one person reads is never seen by all."""

from __future__ import annotations

from typing import Any

import pytest

from bot.interactions.answer import Answer
from tests.cogs.show import table as tables
from tests.cogs.show.table import ANA, BEN, TableMode, staged


async def test_a_bid_that_was_put_off_before_it_was_known_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The press on the board was acknowledged while the match was still being read, so that its token's own message is
    the board: the console with a sealed card stood there, for everybody to see."""
    async with staged() as place:
        table = TableMode(place)
        await table.start(place="own", clock=900, cards=4)
        await place.publisher.idle()
        answers: list[Answer] = []

        def answer(interaction: Any) -> Answer:
            answers.append(Answer(interaction))
            return answers[-1]

        read = place.referee.views.view

        async def slowly(id: str, user: int = 0, **how: Any) -> Any:
            await answers[-1].defer()
            return await read(id, user, **how)

        monkeypatch.setattr(tables, "Answer", answer)
        with monkeypatch.context() as slow:
            slow.setattr(place.referee.views, "view", slowly)
            await table.press(ANA, f"g1:bd:{table.id}:bid")
        await place.table.seal(table.id, ANA.user, 3)
        await place.publisher.idle()
        await place.table.seal(table.id, BEN.user, 2)
        await place.publisher.idle()
        on_board = [str(call.body) for call in place.wire.calls if call.message == table.message]
        assert [body for body in on_board if "g1:co" in body or "is sealed" in body] == []
        assert "round 2 of 4" in table.shown
