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

from bot.interactions import answer as answering
from bot.interactions.answer import Answer
from bot.interactions.services import Services
from bot.referee.model.model import Surface, SurfaceKind
from bot.rest import lanes as lanes_of
from bot.rest.call_budget import CallBudget
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.rest.old_message_limit import MAX_REFUSALS, OldMessageLimit
from bot.ui.message import Message
from tests.cogs.wire import ANSWER, COUNTED, TOKEN, Wire

MESSAGE, MATCH = 500, "K7Q2"
ROUTES = (ANSWER, TOKEN, COUNTED)


@dataclass
class Scene:
    """One message, whose newest drawing is a number; who is told that it is free draws it as the publisher does."""

    wire: Wire = field(default_factory=Wire)
    newest: int = 1
    redrawn: list[asyncio.Task[Any]] = field(default_factory=list[asyncio.Task[Any]])

    def __post_init__(self) -> None:
        none: Any = None
        emojis: Any = SimpleNamespace(request_check=list)
        services = Services(referee=none, publisher=none, owner=none, members=none, emojis=emojis)
        self.client = self.wire.client(services)
        self.reach = Delivery(self.client, CallBudget(40), (OSError, TimeoutError))
        self.reach.lanes.freed = self.freed
        services.publisher = SimpleNamespace(reach=self.reach)  # type: ignore[assignment]

    def freed(self, owner: str) -> None:
        assert owner == MATCH
        lane = self.reach.lanes.look(MESSAGE)
        if lane is not None and lane.stale:
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
        return await self.reach.edit(self.surface(route), self.drawing, datetime.now(UTC))

    async def ended(self, *tasks: asyncio.Task[Any]) -> None:
        await asyncio.gather(*tasks)
        while waiting := [task for task in self.redrawn if not task.done()]:
            await asyncio.gather(*waiting)

    @property
    def shown(self) -> str:
        return self.wire.shown[MESSAGE]["content"]


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setattr(answering, "GIVE_WAY", 0.01)
    monkeypatch.setattr(answering, "PAUSES", (0.0,) * 5)
    monkeypatch.setattr(lanes_of, "REST", 0.0)
    scene = Scene()
    yield scene
    assert len(scene.reach.lanes) == 0, "something is kept of a message that is as it should be"


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
    """The next try says only that there was an answer, and what stands there is drawn anew."""
    wire = scene.wire
    wire.refuse(ANSWER, status, landed=landed)

    def drawn() -> Callable[[], Awaitable[Message]]:
        async def draw() -> Message:
            message, scene.newest = Message(f"version {scene.newest}"), scene.newest + 1
            return message

        return draw

    assert await Answer(wire.press(MESSAGE, 10, scene.client)).update(drawn(), of=MATCH)
    assert scene.shown == "version 2"
    assert [(call.route, call.body.get("type")) for call in wire.calls] == [(ANSWER, 7), (ANSWER, 6), (TOKEN, None)]


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


async def test_rate_limit_is_waited_for(scene: Scene) -> None:
    """As long as Discord asks for, and twice as long each time where it does not say."""
    lanes = lanes_of.Lanes(now=lambda: 100.0)
    assert lanes.failed(MESSAGE, 7.5) == 7.5
    assert lanes.rest(MESSAGE) == 7.5
    monotone = [lanes.failed(MESSAGE) for _ in range(8)]
    assert monotone == sorted(monotone)
    assert max(monotone) <= lanes_of.LONGEST_REST
    lanes.forget(MESSAGE)
    assert lanes.rest(MESSAGE) == 0
    assert len(lanes) == 0


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


async def test_an_old_message_is_edited_at_its_pace(scene: Scene) -> None:
    """Discord says that it is too much (30046): it is tried again, more and more slowly, and only then given up."""
    reach, hours = scene.reach, itertools.count(0, 3600)
    reach.old_messages = OldMessageLimit(lambda: next(hours))
    fates: list[CallResult | bool] = []
    for _ in range(MAX_REFUSALS):
        scene.wire.refuse(COUNTED, 429, code=30046)
        rest = reach.old_messages.window
        fates.append(await scene.draw(COUNTED))
        assert fates[-1] is not CallResult.LATER or reach.lanes.rest(MESSAGE) > rest
    assert fates == [CallResult.LATER] * (MAX_REFUSALS - 1) + [CallResult.TOO_OLD]
    assert await scene.draw(COUNTED) is CallResult.DONE
