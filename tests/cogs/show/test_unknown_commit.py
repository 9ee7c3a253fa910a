"""The connection to the store ends while it is noted where a console is: whether that was stored, nobody knows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.messages import writer
from bot.referee.model.changes import Change, CommitUnknown, PutSurface
from bot.referee.model.surfaces import SurfaceKind
from tests.cogs.show.table import TableMode, staged


@pytest.mark.parametrize("stored", [False, True])
async def test_a_console_of_which_nobody_knows_whether_it_was_noted_stays(
    monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """It was taken for one that nobody is owed any more, and removed; then it was missed, and forgotten."""
    monkeypatch.setattr(writer, "REST", 0.0)
    async with staged() as place:
        store, lost = place.referee.store, list[int]()
        write = store.write

        async def cut(change: Change) -> Sequence[int]:
            sent = [one.surface for one in change if isinstance(one, PutSurface)]
            if lost or not any(one.kind is SurfaceKind.CONSOLE_DM and one.message for one in sent):
                return await write(change)
            lost.extend(one.message for one in sent)
            if stored:
                await write(change)
            raise CommitUnknown("the connection was lost")

        monkeypatch.setattr(store, "write", cut)
        table = TableMode(place)
        await table.start(place="own", clock=900, cards=4)
        await place.publisher.idle()
        consoles = [
            one.message for one in await place.publisher.notes.surfaces(table.id) if one.kind is SurfaceKind.CONSOLE_DM
        ]
        assert len(lost) == 1
        assert place.wire.removing == set()
        assert len(consoles) == 2
        assert all(f"g1:co:{table.id}:" in place.wire.text(one) for one in consoles)
        if stored:
            assert lost[0] in consoles
