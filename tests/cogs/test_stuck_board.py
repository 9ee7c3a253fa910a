"""A board whose edits were forbidden for a while: it comes up by itself, or with somebody's next press."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.messages import show as shows
from bot.referee.model.model import SurfaceState
from bot.referee.model.participant import Person
from tests.cogs.test_forgetting import Stage, place
from tests.cogs.wire import COUNTED, TOKEN

__all__ = ["place"]

ANA, BEN = Person(1, "Ana"), Person(2, "Ben")


async def stuck(place: Stage, tries: int = 0) -> tuple[str, int]:
    """A match in its second round, whose board may not be edited since its first; and its message."""
    wire = place.wire
    id = await place.challenge(ANA, BEN, cards=4)
    message = wire.sent[0][2]
    await place.referee.challenges.accept(id, BEN.user, 900)
    await wire.until(lambda: "round 1 of 4" in wire.text(message) and len(wire.sent) == 3)
    await place.publisher.idle()
    for route in (TOKEN, COUNTED):
        wire.refuse(route, 403, times=1 if route == TOKEN else tries, code=50001, message=message)
    for person in (ANA, BEN):
        await place.table.seal(id, person.user, person.user)
    if tries:
        await wire.until(lambda: wire.refusals[f"{COUNTED} {message}"] == [])
        return id, message
    consoles = [sent for _, _, sent in wire.sent[1:]]
    await wire.until(lambda: all("I may no longer update" in wire.text(one) for one in consoles))
    return id, message


async def test_stuck_board_is_shown_after_a_while(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shows, "STUCK", 0.05)
    wire = place.wire
    _, message = await stuck(place, tries=3)
    await wire.until(lambda: "round 2 of 4" in wire.text(message))
    await wire.until(lambda: all("round 2 of 4" in wire.text(sent) for _, _, sent in wire.sent))
    await place.publisher.idle()
    assert all("I may no longer update" not in wire.text(sent) for _, _, sent in wire.sent)


@pytest.mark.parametrize("over", [False, True])
async def test_press_shows_a_stuck_board(place: Stage, monkeypatch: pytest.MonkeyPatch, over: bool) -> None:
    monkeypatch.setattr(shows, "STUCK", 1000.0)
    monkeypatch.setattr(shows, "STUCK_PRESSED", 0.0)
    wire = place.wire
    id, message = await stuck(place)
    assert "round 1 of 4" in wire.text(message)
    with place.publisher.left_to_press(id, 0):
        if over:
            await place.referee.matches.resign(id, ANA.user)
    await wire.until(lambda: ("resigned" if over else "round 2 of 4") in wire.text(message))
    await place.publisher.idle()
    board = next(one for one in await place.publisher.marks.surfaces(id) if one.message == message)
    assert board == replace(board, state=SurfaceState.LIVE)
