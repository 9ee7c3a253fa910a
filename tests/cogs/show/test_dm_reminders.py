"""A nudge or warning by DM becomes the console, at once or when there is room for that call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.referee.model.model import Deadline, DeadlineKind, UserId
from bot.referee.model.participant import Person
from bot.referee.model.surfaces import SurfaceKind
from bot.rest.global_limit import CallBudget
from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.wire import ANSWER, COUNTED, GONE


@dataclass
class Nudged:
    """Two who play by DM, and have thought for a minute."""

    table: TableMode

    async def nudge(self) -> bool | object:
        view = await self.table.place.referee.views.view(self.table.id)
        self.table.place.table.clock.forward(61)
        due = Deadline(self.table.id, DeadlineKind.NUDGE, self.table.place.table.clock.now(), view.prompt)
        return await self.table.place.publisher.notices.remind(due)

    async def tell_pause(self) -> bool | object:
        view = await self.table.place.referee.views.view(self.table.id)
        due = Deadline(self.table.id, DeadlineKind.PAUSED, self.table.place.table.clock.now(), view.prompt)
        return await self.table.place.publisher.notices.remind(due)

    async def remind(self, kind: DeadlineKind) -> None:
        """What is due while Ana thinks."""
        deadlines = await self.table.place.referee.store.deadlines_of(self.table.id)
        [due] = [one for one in deadlines if one.kind is kind]
        assert await self.table.place.publisher.notices.remind(due)

    def pushed(self, person: Person) -> list[str]:
        """What was pushed to this person by DM so far."""
        return [text for channel, text, _ in self.table.place.wire.sent if channel == person.user + 10**6]

    def sent(self, person: Person) -> list[str]:
        """What stands in the DM of this person now."""
        place = self.table.place.wire
        dm = person.user + 10**6
        return [place.text(id) for channel, _, id in place.sent if channel == dm and id in place.shown]

    async def console(self) -> int:
        """Where the cards of Ana are."""
        there = await self.table.place.publisher.notes.surfaces(self.table.id)
        [one] = [one for one in there if one.kind is SurfaceKind.CONSOLE_DM and one.user == ANA.user]
        return one.message

    async def lay(self, card: str, console: int) -> None:
        key = f"g1:co:{self.table.id}:{await self.table.prompt()}:{card}"
        await self.table.press(ANA, key, message=console, by_dm=True)

    def text(self, console: int) -> str:
        return self.table.place.wire.text(console)


@pytest.fixture
async def nudged() -> AsyncIterator[Nudged]:
    async with staged() as place:
        table = TableMode(place)
        await table.start(place="own", clock=900, cards=4)
        await place.publisher.idle()
        yield Nudged(table)


async def test_nudge_on_a_busy_bot_becomes_the_console_later(nudged: Nudged) -> None:
    """It stayed plain until something changed, where fewer than half of the calls were free just then."""
    place = nudged.table.place
    busy = place.publisher.delivery.budget = CallBudget(lambda: 10.0)
    busy.reserve(6)
    assert await nudged.nudge()
    await place.publisher.idle()
    assert f"g1:co:{nudged.table.id}:" in nudged.text(await nudged.console())


@pytest.mark.parametrize(
    "kinds", [(DeadlineKind.NUDGE, DeadlineKind.WARNING), (DeadlineKind.WARNING, DeadlineKind.NUDGE)]
)
async def test_two_reminders_at_once_are_one_message(nudged: Nudged, kinds: tuple[DeadlineKind, ...]) -> None:
    """After a time in which nothing could be sent both are due together. Two messages were pushed within a moment, and
    one of them was deleted, at times the warning."""
    place = nudged.table.place
    place.table.clock.forward(700)
    before = len(nudged.pushed(ANA))
    await asyncio.gather(*map(nudged.remind, kinds))
    await place.publisher.idle()
    [pushed] = nudged.pushed(ANA)[before:]
    assert "or your lowest card is played" in pushed
    [console] = nudged.sent(ANA)
    assert f"g1:co:{nudged.table.id}:" in console
    await place.referee.matches.resign(nudged.table.id, BEN.user)
    await place.publisher.idle()
    [result] = nudged.sent(ANA)
    assert "was stopped" in result
    assert "Open console" not in result


async def test_who_wants_no_warning_is_nudged_when_both_are_due(nudged: Nudged) -> None:
    place = nudged.table.place
    await place.referee.people.set_preferences(ANA.user, warnings=False)
    place.table.clock.forward(700)
    before = len(nudged.pushed(ANA))
    await asyncio.gather(nudged.remind(DeadlineKind.NUDGE), nudged.remind(DeadlineKind.WARNING))
    [pushed] = nudged.pushed(ANA)[before:]
    assert "your turn to bid" in pushed


@pytest.mark.parametrize("kind", [DeadlineKind.NUDGE, DeadlineKind.WARNING])
async def test_reminder_beside_a_console_on_its_way_is_no_second_message(
    nudged: Nudged, kind: DeadlineKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both were pushed within a moment, and the first of them was deleted."""
    place, send, begun, arrives = nudged.table.place, nudged.table.place.wire.send, asyncio.Event(), asyncio.Event()
    consoles, before = place.publisher.consoles, len(nudged.pushed(ANA))

    async def send_late(channel: int, content: str = "", view: Any = None, **more: Any) -> Any:
        if channel == ANA.user + 10**6:
            begun.set()
            await arrives.wait()
        return await send(channel, content, view, **more)

    monkeypatch.setattr(place.wire, "send", send_late)
    console = await consoles.by_dm(nudged.table.id, ANA.user)
    assert console is not None
    del place.wire.shown[console.message]
    await place.publisher.notes.put(replace(console, message=0, shown=0))
    place.publisher.wake(nudged.table.id)
    await begun.wait()
    place.table.clock.forward(700)
    reminder = asyncio.create_task(nudged.remind(kind))
    await asyncio.sleep(0)
    arrives.set()
    await reminder
    await place.publisher.idle()
    assert len(nudged.pushed(ANA)) == before + 1
    assert [f"g1:co:{nudged.table.id}:" in text for text in nudged.sent(ANA)] == [True]


async def test_reminder_of_a_round_that_ended_meanwhile_is_not_sent(
    nudged: Nudged, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, people = nudged.table.place, nudged.table.place.referee.people
    is_muted = people.is_muted

    async def when_time_has_run_out(id: str, user: UserId) -> bool:
        monkeypatch.setattr(people, "is_muted", is_muted)
        [bid] = [one for one in await place.referee.store.deadlines_of(id) if one.kind is DeadlineKind.BID]
        assert await place.referee.matches.expire(bid)
        return await is_muted(id, user)

    monkeypatch.setattr(people, "is_muted", when_time_has_run_out)
    place.table.clock.forward(1000)
    before = [*nudged.pushed(ANA), *nudged.pushed(BEN)]
    await nudged.remind(DeadlineKind.WARNING)
    assert [*nudged.pushed(ANA), *nudged.pushed(BEN)] == before


async def test_after_the_end_one_message_by_dm_offers_a_rematch(nudged: Nudged) -> None:
    """A slow match ended while Ana was away: the note and the console above it both offered one."""
    place = nudged.table.place
    for person, card in ((ANA, 1), (BEN, 2)):
        await place.table.seal(nudged.table.id, person.user, card)
    place.table.clock.forward(16 * 60)
    await place.referee.matches.resign(nudged.table.id, BEN.user)
    await place.publisher.idle()
    assert any("is over: you win because" in text for _, text, _ in place.wire.sent), "it is pushed as text"
    [result] = nudged.sent(ANA)
    assert "You win because" in result
    assert result.count("Rematch") == 1


@pytest.mark.parametrize("gone", [False, True])
async def test_a_press_is_answered_where_the_console_went(nudged: Nudged, gone: bool) -> None:
    """A nudge takes the place of what is pressed before it is answered. The answer was noted in place of that, which
    stayed plain; or, as what was pressed was gone, it failed with a traceback."""
    wire, first = nudged.table.place.wire, await nudged.console()
    if gone:
        wire.refuse(ANSWER, 404, code=10008, message=first)
    answered = wire.hold(ANSWER, first)
    press = asyncio.create_task(nudged.lay("9", first))
    await wire.until(lambda: nudged.table.of(ANSWER))
    assert await nudged.nudge()
    second = await nudged.console()
    assert second != first
    answered.set()
    await press
    await nudged.table.place.publisher.idle()
    assert await nudged.console() == second
    assert "You don't have 9." in nudged.text(second)
    assert nudged.table.alone == []
    assert nudged.table.answers == ([7, 6] if gone else [7]), "nobody reads that the interaction failed"


async def test_what_was_drawn_on_the_one_before_says_nothing_of_it(nudged: Nudged) -> None:
    """An edit of the console is on its way when a nudge takes its place: that one gets its keys all the same."""
    wire, first = nudged.table.place.wire, await nudged.console()
    edits = wire.hold(COUNTED, first)
    for person, card in ((ANA, 1), (BEN, 2)):
        await nudged.table.place.table.seal(nudged.table.id, person.user, card)
    await wire.until(lambda: any(call.message == first for call in nudged.table.of(COUNTED)))
    assert await nudged.nudge()
    edits.set()
    await nudged.table.place.publisher.idle()
    second = await nudged.console()
    assert second != first
    assert f"g1:co:{nudged.table.id}:" in nudged.text(second)


async def test_a_console_that_is_about_to_go_does_not_come_back(nudged: Nudged) -> None:
    """Its place is taken, and it is pressed a moment before it is removed."""
    wire, first = nudged.table.place.wire, await nudged.console()
    goes = wire.hold(GONE, first)
    nudge = asyncio.create_task(nudged.nudge())
    await wire.until(lambda: first in wire.removing)
    await nudged.lay("3", first)
    goes.set()
    assert await nudge
    await nudged.table.place.publisher.idle()
    assert await nudged.console() != first
    assert "**3 is sealed.**" in nudged.text(await nudged.console())
    assert nudged.table.alone == []


async def test_reminder_that_cannot_be_removed_is_removed_later(nudged: Nudged) -> None:
    """Its removal was dropped with the first refusal, so that two consoles stayed."""
    place, first = nudged.table.place, await nudged.console()
    place.wire.refuse(GONE, 500, times=2, message=first)
    assert await nudged.nudge()
    assert await nudged.console() != first
    assert first in place.wire.shown
    at = place.table.clock.now() + timedelta(minutes=2)
    [owed] = [one for one in await place.referee.store.due(at) if one.kind is DeadlineKind.OUTDATED]
    assert await place.publisher.notices.remind(owed) is False, "it is asked for again"
    assert await place.publisher.notices.remind(owed) is True
    assert first not in place.wire.shown


async def test_note_of_a_pause_that_ended_while_it_was_sent_becomes_the_console(
    nudged: Nudged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing looked at the note again: it went on saying that no clock runs."""
    place = nudged.table.place
    send = place.wire.send

    async def send_late(channel: int, content: str = "", view: Any = None, **more: Any) -> Any:
        posted = await send(channel, content, view, **more)
        await place.referee.pausing.end(ANA.user)
        await place.publisher.idle()
        return posted

    await place.referee.pausing.begin(ANA.user, timedelta(days=1))
    monkeypatch.setattr(place.wire, "send", send_late)
    assert await nudged.tell_pause()
    await place.publisher.idle()
    [console] = nudged.sent(BEN)
    assert f"g1:co:{nudged.table.id}:" in console
    assert "vacation" not in console


async def test_note_of_a_pause_is_sent_once_although_the_match_goes_on(
    nudged: Nudged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the bot ends before it has noted that it sent the note, it sends it once more. A bid came between."""
    place = nudged.table.place
    nonces = list[str]()
    send = place.wire.send

    async def note_nonce(channel: int, content: str = "", view: Any = None, **more: Any) -> Any:
        nonces.append(more["nonce"])
        return await send(channel, content, view, **more)

    monkeypatch.setattr(place.wire, "send", note_nonce)
    await place.referee.pausing.begin(ANA.user, timedelta(days=1))
    assert await nudged.tell_pause()
    await place.table.seal(nudged.table.id, BEN.user, 2)
    assert await nudged.tell_pause()
    assert len(nonces) == 2
    assert len(set(nonces)) == 1
    await place.referee.pausing.end(ANA.user)
    place.table.clock.forward(1)
    await place.referee.pausing.begin(ANA.user, timedelta(days=1))
    assert await nudged.tell_pause()
    assert len(set(nonces)) == 2
