"""Plans carried out: who waits for whom, and what is there for how long."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.messages import writer
from bot.messages.plan import plan
from bot.referee.model.participant import Person
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.rest.call_result import CallResult
from tests.cogs.test_memory_leaks import Stage, place
from tests.cogs.wire import COUNTED, TOKEN
from tests.referee.stage import HERE

__all__ = ["place"]

ANA, BEN = Person(1, "Ana"), Person(2, "Ben")


async def begun(place: Stage) -> tuple[str, int]:
    """A match in its first round, with a board that a token edits and two consoles by DM; and the board's message."""
    id = await place.challenge(ANA, BEN, cards=4)
    await place.referee.challenges.accept(id, BEN.user)
    await place.publisher.idle()
    return id, place.wire.sent[0][2]


async def consoles(place: Stage, id: str) -> list[Surface]:
    return [one for one in await place.publisher.notes.surfaces(id) if one.kind is SurfaceKind.CONSOLE_DM]


async def reveal(place: Stage, id: str) -> None:
    for person in (ANA, BEN):
        await place.table.seal(id, person.user, person.user)


async def test_a_call_that_is_kept_waiting_is_waited_for_alone(place: Stage) -> None:
    wire = place.wire
    id, board = await begun(place)
    for one in await consoles(place, id):
        token, until = f"c{one.user}", place.table.clock.now() + timedelta(minutes=9)
        wire.tokens[token] = one.message
        await place.publisher.notes.put(replace(one, token=token, token_until=until, token_app=7))
    answered = wire.hold(TOKEN)
    await reveal(place, id)
    drawn = [one.message for one in await consoles(place, id)]
    await wire.until(lambda: all("round 2 of 4" in wire.text(message) for message in drawn))
    assert "round 1 of 4" in wire.text(board)
    answered.set()
    await wire.until(lambda: "round 2 of 4" in wire.text(board))
    calls = wire.count(TOKEN)
    await place.publisher.idle()
    assert wire.count(TOKEN) == calls
    assert len(place.publisher.writers) == 0


@pytest.mark.parametrize("arrives", [True, False])
async def test_press_that_shows_what_was_planned_for_brings_no_plan(
    place: Stage, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    id, board = await begun(place)
    console = (await consoles(place, id))[0]
    plans = list[int]()

    def counted(*given: Any) -> Any:
        plans.append(place.wire.count(COUNTED))
        return plan(*given)

    with place.publisher.press(console):
        await reveal(place, id)
        await place.publisher.idle()
        assert "round 2 of 4" in place.wire.text(board)
        monkeypatch.setattr("bot.messages.publisher.plan", counted)
        version = (await place.referee.live(id)).stored.version
        await place.publisher.notes.keep(replace(console, shown=version if arrives else 0))
    await place.publisher.idle()
    assert bool(plans) is not arrives
    assert ("round 2 of 4" in place.wire.text(console.message)) is not arrives
    assert len(place.publisher.writers) == 0


async def test_who_asks_for_a_console_that_is_on_its_way_gets_that_one(place: Stage) -> None:
    id, _ = await begun(place)
    console = (await consoles(place, id))[0]
    sent = len(place.wire.sent)
    asked = [place.publisher.consoles.send_now(console) for _ in range(3)]
    assert await asyncio.gather(*asked) == [CallResult.DONE] * 3
    await place.publisher.idle()
    assert len(place.wire.sent) == sent + 1
    assert console.message not in place.wire.shown  # the old one is gone
    assert len(place.publisher.writers) == 0


async def test_a_console_that_nobody_is_owed_when_it_arrives_goes_again(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, _ = await begun(place)
    console = (await consoles(place, id))[0]
    send, sent = place.publisher.dms.send, len(place.wire.sent)

    async def dropped_meanwhile(*given: Any) -> Any:
        came = await send(*given)
        await place.referee.surfaces.drop(console.id)
        return came

    monkeypatch.setattr(place.publisher.dms, "send", dropped_meanwhile)
    assert await place.publisher.consoles.send_now(console) is not CallResult.DONE
    await place.publisher.idle()
    assert len(place.wire.sent) == sent + 1
    assert place.wire.sent[-1][2] not in place.wire.shown
    assert [one.user for one in await consoles(place, id)] == [BEN.user if console.user == ANA.user else ANA.user]


@pytest.mark.parametrize("kind", [SurfaceKind.CONSOLE_DM, SurfaceKind.CONSOLE_BESIDE])
async def test_a_console_that_can_not_come_any_more_is_dropped(place: Stage, kind: SurfaceKind) -> None:
    """One that is owed at the end; and one that was to follow a message, which its token would edit."""
    id, _ = await begun(place)
    now, until = place.table.clock.now(), place.table.clock.now() + timedelta(minutes=9)
    for one in await consoles(place, id):
        await place.referee.surfaces.drop(one.id)
    sent = len(place.wire.sent)
    owed = Surface(id, kind, ANA.user, 1, 0, 0, now, token="t" if kind.ephemeral else "", token_until=until)
    await place.referee.matches.resign(id, BEN.user)
    await place.publisher.notes.put(owed)
    place.publisher.wake(id)
    await place.publisher.idle()
    assert [one.user for one in await place.referee.surfaces.load(id)] == [0]
    assert place.publisher.displays.get(id) is None
    assert len(place.wire.sent) == sent


async def test_a_display_is_kept_for_as_long_as_something_is_known(place: Stage) -> None:
    id = await place.challenge(ANA, BEN)
    await place.publisher.idle()
    assert place.publisher.displays.get(id) is None
    await place.referee.challenges.accept(id, BEN.user)
    await place.publisher.idle()
    assert place.publisher.displays.get(id) is not None
    with place.publisher.press((await consoles(place, id))[0]):
        await place.referee.matches.resign(id, ANA.user)
        await asyncio.sleep(0)
        assert place.publisher.displays.get(id) is not None
    await place.publisher.idle()
    assert place.publisher.displays.get(id) is None


async def test_unexpected_failure_is_retried_and_keeps_nothing_else_behind(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "REST", 0.0)
    wire = place.wire
    id, board = await begun(place)
    drawn = [one.message for one in await consoles(place, id)]
    with monkeypatch.context() as broken:
        broken.setattr("bot.messages.boards.render_board", lambda *_: 1 / 0)
        await reveal(place, id)
        await wire.until(lambda: all("round 2 of 4" in wire.text(message) for message in drawn))
    assert "round 1 of 4" in wire.text(board)
    await wire.until(lambda: "round 2 of 4" in wire.text(board))


async def test_a_console_that_is_being_shown_while_the_board_is_posted_again_tells_of_it(place: Stage) -> None:
    wire = place.wire
    id, board = await begun(place)
    first, second = await consoles(place, id)
    place.publisher.notes.add_change(first, shown=0)
    answered = wire.hold(COUNTED, first.message)
    place.publisher.wake(id)
    await wire.until(lambda: any(call.message == first.message and not call.landed for call in wire.calls))
    sent = len(wire.sent)
    wire.refuse(COUNTED, 404, code=10008, message=board)
    await place.publisher.check_boards(HERE.guild, HERE.channel)
    await wire.until(lambda: len(wire.sent) > sent)
    posted = wire.sent[-1][2]
    await wire.until(lambda: "I had to post the board again" in wire.text(second.message))
    answered.set()
    await place.publisher.idle()
    for console in (first, second):
        assert "I had to post the board again" in wire.text(console.message)
        assert str(posted) in wire.text(console.message)


async def test_late_failure_of_the_message_before_does_not_post_the_board_again(place: Stage) -> None:
    """What was planned before the board was posted again fails after it."""
    wire = place.wire
    id, board = await begun(place)
    before = await place.referee.surfaces.find_board(id)
    assert before is not None
    wire.refuse(COUNTED, 404, code=10008, message=board)
    await place.publisher.check_boards(HERE.guild, HERE.channel)
    await place.publisher.idle()
    sent = len(wire.sent)
    wire.refuse(COUNTED, 404, code=10008, message=board)
    boards = place.publisher.boards
    boards.show(replace(before, token="", token_until=None), boards.edit)
    await place.publisher.idle()
    assert len(wire.sent) == sent
    now = await place.referee.surfaces.find_board(id)
    assert now is not None
    assert now.message != board
    await reveal(place, id)
    await place.publisher.idle()
    assert "round 2 of 4" in wire.text(now.message)


async def test_board_is_posted_again_only_once_while_its_new_place_is_stored(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, board = await begun(place)
    put = place.referee.surfaces.put

    async def put_late(surface: Surface, *replaced: Any) -> int:
        if surface.message not in (0, board):
            place.publisher.wake(id)
            for _ in range(20):  # a plan is made and carried out meanwhile
                await asyncio.sleep(0)
        return await put(surface, *replaced)

    monkeypatch.setattr(place.referee.surfaces, "put", put_late)
    sent = len(place.wire.sent)
    place.wire.refuse(COUNTED, 404, code=10008, message=board)
    await place.publisher.check_boards(HERE.guild, HERE.channel)
    await place.publisher.idle()
    assert len(place.wire.sent) == sent + 1
