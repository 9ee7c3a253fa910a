"""A board whose edits were forbidden for a while: it comes up by itself, or with somebody's next press."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.messages import display as displays
from bot.messages import writer
from bot.referee.model.participant import Person
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState
from bot.rest.call_result import CallResult, Refusals, call_result
from bot.ui.message import Message
from tests.cogs.test_memory_leaks import Stage, place
from tests.cogs.wire import COUNTED, TOKEN
from tests.referee.stage import HERE, START

__all__ = ["place"]

ANA, BEN = Person(1, "Ana"), Person(2, "Ben")


def elsewhere(id: str) -> Surface:
    """A message of this match that is not the board."""
    return Surface(id, SurfaceKind.CONSOLE_EPHEMERAL, ANA.user, 5, 0, 0, START)


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
    await wire.until(lambda: all("I can't update" in wire.text(one) for one in consoles))
    return id, message


async def test_stuck_board_is_shown_after_a_while(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(displays, "STUCK", 0.05)
    wire = place.wire
    _, message = await stuck(place, tries=3)
    await wire.until(lambda: "round 2 of 4" in wire.text(message))
    await wire.until(lambda: all("round 2 of 4" in wire.text(sent) for _, _, sent in wire.sent))
    await place.publisher.idle()
    assert all("I can't update" not in wire.text(sent) for _, _, sent in wire.sent)


@pytest.mark.parametrize("over", [False, True])
async def test_press_shows_a_stuck_board(place: Stage, monkeypatch: pytest.MonkeyPatch, over: bool) -> None:
    monkeypatch.setattr(displays, "STUCK", 1000.0)
    monkeypatch.setattr(displays, "STUCK_PRESSED", 0.0)
    wire = place.wire
    id, message = await stuck(place)
    assert "round 1 of 4" in wire.text(message)
    with place.publisher.press(elsewhere(id)):
        if over:
            await place.referee.matches.resign(id, ANA.user)
    await wire.until(lambda: ("resigned" if over else "round 2 of 4") in wire.text(message))
    await place.publisher.idle()
    board = next(one for one in await place.publisher.notes.surfaces(id) if one.message == message)
    assert board == replace(board, state=SurfaceState.LIVE)


async def test_a_board_that_discord_never_takes_is_given_up(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """After four equal answers; consoles say so, and the server reads it once in its log."""
    monkeypatch.setattr(writer, "REST", 0.01)
    wire, referee = place.wire, place.table.referee
    await referee.deciding.change(HERE.guild, ANA, 0, log=77)
    id = await place.challenge(ANA, BEN, cards=4)
    message = wire.sent[0][2]
    await referee.challenges.accept(id, BEN.user, 900)
    await wire.until(lambda: "round 1 of 4" in wire.text(message) and len(wire.sent) == 3)
    await place.publisher.idle()
    wire.refuse(TOKEN, 404, times=99, code=50027, message=message)
    wire.refuse(COUNTED, 400, times=99, code=200000, message=message)
    for person in (ANA, BEN):
        await place.table.seal(id, person.user, person.user)
    consoles = [sent for _, _, sent in wire.sent[1:3]]
    await wire.until(lambda: all("I can't update" in wire.text(one) for one in consoles))
    await wire.until(lambda: len(wire.sent) == 4)
    channel, said, _ = wire.sent[3]
    assert channel == 77
    assert said == (
        f"Discord refuses my message in <#{HERE.channel}> (error 200000), so I stopped trying. Check AutoMod, and"
        " whether the channel is locked."
    )
    for person in (ANA, BEN):
        await place.table.seal(id, person.user, 3 - person.user)
    await wire.until(lambda: all("round 3 of 4" in wire.text(one) for one in consoles))
    tries = [call for call in wire.calls if (call.route, call.message) == (COUNTED, message) and not call.landed]
    assert len(tries) in (4, 5)  # the next round may try it once more
    assert len([one for one in wire.sent if one[0] == 77]) == 1


@pytest.mark.parametrize("code", [40058, 50008, 50024, 50035, 50068, 160005, 200000])
def test_a_lasting_answer_is_final_the_fourth_time_in_a_row(code: int) -> None:
    refusals, told = Refusals(), list[tuple[int, int]]()
    refusals.report = lambda *refused: told.append(refused)
    assert [refusals.is_final(("post", "a"), 5, one) for one in (code, code, 1, code, code, code, code)] == (
        [False, False, False, False, False, False, True]
    )
    refusals.forget(("post", "a"))
    assert not refusals.is_final(("post", "a"), 5, code)
    assert [refusals.is_final(("post", "b"), 5, code) for _ in range(4)] == [False, False, False, True]
    assert told == [(5, code)]
    response: Any = SimpleNamespace(status=400, reason="no")
    assert call_result(discord.HTTPException(response, {"code": code, "message": "no"})) is CallResult.REFUSED


async def test_champions_in_a_forum_are_given_up(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline that posts them is tried again three times: what the fourth call gives is not *later*."""
    response: Any = SimpleNamespace(status=400, reason="no")

    async def refuse(*_: object, **__: object) -> None:
        raise discord.HTTPException(response, {"code": 50008, "message": "no"})

    monkeypatch.setattr(place.wire, "send", refuse)
    delivery, posts = place.publisher.delivery, [Message("The champions")] * 4
    fates = [(await delivery.post(5, one, "s1n1"))[0] for one in posts]
    assert fates == [*[CallResult.LATER] * 3, CallResult.REFUSED]
