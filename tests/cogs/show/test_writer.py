"""No older drawing stays, whichever way it came and whatever went wrong with it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.interactions.answer import Answer
from bot.interactions.services import Services
from bot.messages import writer as writing
from bot.messages.writer import LONGEST_REST, REST, Writers
from bot.referee.model.changes import PartitionMoved
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.rest import old_message_limit
from bot.rest.call_result import FINAL, Attempt, CallResult
from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget
from bot.rest.old_message_limit import OldMessageLimit
from bot.ui.message import Message
from tests.cogs.wire import ANSWER, COUNTED, TOKEN, Wire

MESSAGE, MATCH = 500, "K7Q2"
ROUTES = (ANSWER, TOKEN, COUNTED)


@dataclass
class Scene:
    """One message, whose newest version is a number. Where it may be older it is shown once more, as the publisher
    does."""

    wire: Wire = field(default_factory=Wire)
    newest: int = 1
    redrawn: list[asyncio.Task[Any]] = field(default_factory=list[asyncio.Task[Any]])

    def __post_init__(self) -> None:
        none: Any = None
        emojis: Any = SimpleNamespace(request_check=list)
        services = Services(referee=none, publisher=none, owner=none, members=none, emojis=emojis)
        self.client = self.wire.client(services)
        self.delivery = Delivery(self.client.rest_client, CallBudget(lambda: 40))
        self.writers = Writers(lambda work, _="": asyncio.create_task(work), self.freed, self.client.rest_client.unsent)
        services.publisher = SimpleNamespace(writers=self.writers)  # type: ignore[assignment]

    def freed(self, match: str) -> None:
        assert match == MATCH
        if MESSAGE in self.writers and self.writers[MESSAGE].is_stale:
            self.redrawn.append(asyncio.create_task(self.draw(TOKEN)))

    async def drawing(self) -> Message:
        return Message(f"version {self.newest}")

    def surface(self, route: str) -> Surface:
        now = datetime.now(UTC)
        token, until = ("live", now + timedelta(minutes=9)) if route == TOKEN else ("", None)
        self.wire.tokens["live"] = MESSAGE
        return Surface(MATCH, SurfaceKind.CONSOLE_DM, 10, 9, MESSAGE, 0, now, token, until, 7, id=1)

    async def draw(self, route: str) -> CallResult | bool:
        if route == ANSWER:
            interaction = self.wire.press(MESSAGE, 10, self.client)
            return await Answer(interaction).update(self.drawing, of=MATCH)
        surface = self.surface(route)
        return await self.writers.of(surface).attempt(lambda: self.edit(surface))

    async def edit(self, surface: Surface) -> Attempt:
        return await self.delivery.edit(surface, self.drawing, datetime.now(UTC))

    async def ended(self, *tasks: asyncio.Task[Any]) -> None:
        await asyncio.gather(*tasks)
        while waiting := [task for task in self.redrawn if not task.done()]:
            await asyncio.gather(*waiting)

    @property
    def shown(self) -> str:
        return self.wire.shown[MESSAGE]["content"]


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setattr(writing, "GIVE_WAY", 0.01)
    monkeypatch.setattr(writing, "PAUSES", (0.0,) * 5)
    monkeypatch.setattr(writing, "REST", 0.0)
    scene = Scene()
    yield scene
    assert len(scene.writers) == 0, "something is kept of a message that is as it should be"


@pytest.mark.parametrize("newer", ROUTES)
@pytest.mark.parametrize("older", ROUTES)
async def test_newest_version_is_shown_when_an_older_edit_lands_last(scene: Scene, older: str, newer: str) -> None:
    """It is on its way when the newer is wanted. A press goes beside it, and what it leaves is drawn once more; others
    wait until it has landed."""
    wire = scene.wire
    land = wire.hold(older)
    first = asyncio.create_task(scene.draw(older))
    await wire.until(lambda: wire.count(older) == 1)
    scene.newest = 2
    second = asyncio.create_task(scene.draw(newer))
    if newer == ANSWER:
        await wire.until(lambda: scene.wire.shown.get(MESSAGE, {}).get("content") == "version 2")
    else:
        await asyncio.sleep(0)
        assert len(wire.calls) == 1
    land.set()
    await scene.ended(first, second)
    assert scene.shown == "version 2"
    assert len(scene.redrawn) == (newer == ANSWER)


@pytest.mark.parametrize("newer", ROUTES)
@pytest.mark.parametrize("older", [TOKEN, COUNTED])
@pytest.mark.parametrize("status", [429, 500, 502])
@pytest.mark.parametrize("landed", [False, True])
async def test_refused_edit_is_not_repeated_and_the_next_shows_the_newest(
    scene: Scene, older: str, newer: str, status: int, landed: bool
) -> None:
    """Nobody repeats it behind our back: who drew it hears of it, and the next one draws the newest."""
    scene.wire.refuse(older, status, landed=landed)
    assert await scene.draw(older) is CallResult.LATER
    scene.newest = 2
    assert await scene.draw(newer) in (CallResult.DONE, True)
    assert scene.shown == "version 2"
    assert len(scene.wire.calls) == 2


@pytest.mark.parametrize("status", [429, 500, 502])
@pytest.mark.parametrize("landed", [False, True])
async def test_refused_answer_is_followed_by_the_newest_message(scene: Scene, status: int, landed: bool) -> None:
    """The next try brings the newest message; where Discord says that there was an answer, an edit does."""
    wire = scene.wire
    wire.refuse(ANSWER, status, landed=landed)

    def drawn() -> Callable[[], Awaitable[Message]]:
        async def draw() -> Message:
            message, scene.newest = Message(f"version {scene.newest}"), scene.newest + 1
            return message

        return draw

    assert await Answer(wire.press(MESSAGE, 10, scene.client)).update(drawn(), of=MATCH)
    assert scene.shown == "version 2"
    tries = [(ANSWER, 7), (ANSWER, 7), *([(TOKEN, None)] if landed else [])]
    assert [(call.route, call.body.get("type")) for call in wire.calls] == tries


async def test_an_answer_drawn_once_and_for_all_does_not_come_back(scene: Scene) -> None:
    """A page that was turned, and turned again while the first try went wrong."""
    wire = scene.wire
    wire.refuse(ANSWER, 502)
    land = wire.hold(ANSWER)
    first = asyncio.create_task(Answer(wire.press(MESSAGE, 10, scene.client)).update(Message("page 2")))
    await wire.until(lambda: wire.count(ANSWER) == 1)
    second = asyncio.create_task(Answer(wire.press(MESSAGE, 10, scene.client)).update(Message("page 3")))
    await asyncio.sleep(0)
    land.set()
    assert not await first
    assert await second
    assert scene.shown == "page 3"


# --- what the publisher wishes for ------------------------------------------------------------------------


async def test_only_the_newest_of_several_wishes_is_carried_out(scene: Scene) -> None:
    surface, land = scene.surface(COUNTED), scene.wire.hold(COUNTED)
    writer = scene.writers.of(surface)
    writer.want(lambda: scene.edit(surface))
    await scene.wire.until(lambda: scene.wire.calls)
    for newest in (2, 3, 4):
        scene.newest = newest
        writer.want(lambda: scene.edit(surface))
    land.set()
    await settled(scene)
    assert (scene.shown, len(scene.wire.calls)) == ("version 4", 2)


def wait_for_turns(scene: Scene, monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[float]:
    """Let each counted edit wait for so long, and return the waits."""
    turns: list[float] = []

    def reserve() -> float:
        turns.append(seconds)
        scene.wire.news.set()
        return seconds

    monkeypatch.setattr(scene.delivery.budget, "reserve", reserve)
    return turns


async def test_a_counted_call_waits_for_its_turn_and_then_shows_the_newest(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    surface, turns = scene.surface(COUNTED), wait_for_turns(scene, monkeypatch, 0.02)
    scene.writers.of(surface).want(lambda: scene.edit(surface))
    await scene.wire.until(lambda: turns)
    scene.newest = 2
    await settled(scene)
    assert (scene.shown, len(scene.wire.calls), turns) == ("version 2", 1, [0.02])


async def test_a_press_makes_a_waiting_edit_needless(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "GIVE_WAY", 60.0)
    surface, turns = scene.surface(COUNTED), wait_for_turns(scene, monkeypatch, 600.0)
    scene.writers.of(surface).want(lambda: scene.edit(surface))
    await scene.wire.until(lambda: turns)
    assert await scene.draw(ANSWER)
    await settled(scene)
    assert [call.route for call in scene.wire.calls] == [ANSWER]


@pytest.mark.parametrize("arrives", [True, False])
async def test_press_goes_before_a_call_that_waits_for_the_limit(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    """It is not sent yet, and not needed any more if the press shows the message."""
    monkeypatch.setattr(writing, "GIVE_WAY", 60.0)
    wire, surface, turns = scene.wire, scene.surface(COUNTED), wait_for_turns(scene, monkeypatch, 0.0)
    wire.room = asyncio.Event()
    scene.writers.of(surface).want(lambda: scene.edit(surface))
    await wire.until(lambda: wire.unsent)
    scene.newest = 2
    if not arrives:
        wire.refuse(ANSWER, 404)
    pressed = await asyncio.gather(scene.draw(ANSWER), *(scene.draw(ANSWER) for _ in range(arrives)))
    assert {*pressed} == {arrives}
    wire.room.set()
    await settled(scene)
    assert (wire.calls[0].route, wire.count(COUNTED)) == (ANSWER, 0 if arrives else 1)
    assert (scene.shown, len(turns)) == ("version 2", 1 if arrives else 2)


async def test_an_edit_that_failed_is_tried_again_with_the_newest(scene: Scene) -> None:
    surface = scene.surface(COUNTED)
    scene.wire.refuse(COUNTED, 502, times=3)
    scene.writers.of(surface).want(lambda: scene.edit(surface))
    await scene.wire.until(lambda: scene.wire.calls)
    scene.newest = 2
    await settled(scene)
    assert (scene.shown, len(scene.wire.calls)) == ("version 2", 4)


async def test_what_is_doubted_during_a_call_is_shown_once_more(scene: Scene) -> None:
    surface, land = scene.surface(TOKEN), scene.wire.hold(TOKEN)
    first = asyncio.create_task(scene.draw(TOKEN))
    await scene.wire.until(lambda: scene.wire.calls)
    scene.newest = 2
    scene.writers.of(surface).doubt()
    land.set()
    await scene.ended(first)
    assert (scene.shown, len(scene.redrawn)) == ("version 2", 1)


@pytest.mark.parametrize("missed", [False, True])
async def test_the_last_call_wakes_the_publisher_only_for_what_it_missed(scene: Scene, missed: bool) -> None:
    surface, land, woken = scene.surface(TOKEN), scene.wire.hold(TOKEN), list[str]()
    scene.writers.freed = woken.append

    async def edit() -> Attempt:
        return Attempt((await scene.edit(surface)).result, is_last=True)

    writer = scene.writers.of(surface)
    writer.want(edit)
    await scene.wire.until(lambda: scene.wire.calls)
    writer.is_missed = missed
    land.set()
    await settled(scene)
    assert (scene.shown, woken) == ("version 1", [MATCH] * missed)


async def test_nothing_is_called_for_a_message_that_is_forgotten(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    surface, turns = scene.surface(COUNTED), wait_for_turns(scene, monkeypatch, 600.0)
    scene.writers.of(surface).want(lambda: scene.edit(surface))
    await scene.wire.until(lambda: turns)
    scene.writers.of(surface).forget()
    await settled(scene)
    assert scene.wire.calls == []


async def test_call_that_fails_after_its_message_was_forgotten_is_not_repeated(scene: Scene) -> None:
    """Another process owns the match by then: each further try failed, for as long as this one ran."""
    surface, started, moved = scene.surface(COUNTED), asyncio.Event(), asyncio.Event()
    tries = itertools.count(1)

    async def edit() -> Attempt:
        assert next(tries) == 1
        started.set()
        await moved.wait()
        raise PartitionMoved("another process owns the partition")

    scene.writers.of(surface).want(edit)
    await started.wait()
    scene.writers.of(surface).forget()
    moved.set()
    await settled(scene)
    assert scene.wire.calls == []


def test_rests_after_failures_grow_to_a_limit_and_are_as_long_as_discord_asks() -> None:
    rests = [writing.rest_after(failures, Attempt(CallResult.LATER)) for failures in range(1, 9)]
    assert rests == sorted(rests)
    assert (rests[0], rests[-1]) == (REST, LONGEST_REST)
    assert writing.rest_after(1, Attempt(CallResult.LATER, 7.5)) == 7.5
    assert writing.rest_after(6, Attempt(CallResult.LATER, 0.25)) == 0.25


async def settled(scene: Scene) -> None:
    """Wait until no writer has anything to do."""
    async with asyncio.timeout(30):
        while len(scene.writers):  # noqa: ASYNC110 - a writer tells nobody that it is done
            await asyncio.sleep(0)


async def test_abandoned_call_may_have_landed(scene: Scene) -> None:
    wire = scene.wire
    wire.hold(TOKEN)
    given_up = asyncio.create_task(scene.draw(TOKEN))
    await wire.until(lambda: wire.calls)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    await scene.ended()
    assert len(scene.redrawn) == 1


async def test_waiting_call_can_be_cancelled(scene: Scene) -> None:
    wire = scene.wire
    land = wire.hold(TOKEN)
    first = asyncio.create_task(scene.draw(TOKEN))
    await wire.until(lambda: wire.calls)
    waiting = [asyncio.create_task(scene.draw(COUNTED)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    land.set()
    scene.newest = 2
    await asyncio.gather(first, *waiting, return_exceptions=True)
    assert scene.shown == "version 2"
    assert wire.count(COUNTED) == 2


async def test_an_old_message_is_edited_at_its_pace(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord says that it is too much (30046): it is tried again, more and more slowly, and only then given up."""
    delivery, hours = scene.delivery, itertools.count(0, 3600)
    monkeypatch.setattr(old_message_limit, "time", SimpleNamespace(monotonic=lambda: next(hours)))
    delivery.old_messages = OldMessageLimit()
    attempts: list[Attempt] = []
    for _ in range(FINAL):
        scene.wire.refuse(COUNTED, 429, code=30046)
        rest = delivery.old_messages.window
        attempts.append(await scene.edit(scene.surface(COUNTED)))
        assert attempts[-1].result is not CallResult.LATER or attempts[-1].retry_after > rest
    expected = [CallResult.LATER] * (FINAL - 1) + [CallResult.TOO_OLD]
    assert [attempt.result for attempt in attempts] == expected
    assert (await scene.edit(scene.surface(COUNTED))).result is CallResult.DONE
