"""Any order of presses, changes, slow calls, failures and kills ends with the newest version on the message."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto
from unittest import mock

from hypothesis import event, example, given
from hypothesis import strategies as st

from bot.messages import writer as writing
from bot.messages.writer import Writers
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.rest.call_result import Attempt, CallResult
from bot.rest.delivery import Render
from bot.ui.message import Message

SURFACE = Surface("K7Q2", SurfaceKind.CONSOLE_DM, 1, 2, 500, 0, datetime(2026, 11, 26, tzinfo=UTC), id=1)
STEPS = 12
"""turns of the loop after which everything that needs no answer of Discord has happened"""


class End(Enum):
    """How a call ends."""

    LANDED = auto()
    """it has its effect, and the bot hears of it"""
    REFUSED = auto()
    UNHEARD = auto()
    """it has its effect, and the bot hears of a failure"""

    @property
    def has_effect(self) -> bool:
        return self is not End.REFUSED


@dataclass
class Call:
    version: int
    end: asyncio.Future[End]


@dataclass
class Scene:
    """One message, the calls on their way to it, and a publisher that knows no more than what was noted."""

    newest: int = 1
    shown: int = 0
    noted: int = 0
    calls: list[Call] = field(default_factory=list[Call])
    tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    crossings: int = 0

    def __post_init__(self) -> None:
        self.writers = Writers(self.start, self.freed)

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def freed(self, _: str) -> None:
        asyncio.get_running_loop().call_soon(self.publish)

    # --- the bot ---

    def publish(self) -> None:
        """Plan for the message, as the publisher does."""
        writer = self.writers.get(SURFACE.message)
        if writer is not None and (writer.presses or writer.under_way):
            writer.is_missed = True
        elif self.noted < self.newest or (writer is not None and writer.is_stale):
            self.writers.of(SURFACE).want(self.edit)

    async def edit(self) -> Attempt:
        writer, version = self.writers.of(SURFACE), self.newest
        if await self.call(version) is not End.LANDED:
            return Attempt(CallResult.LATER)
        if not writer.is_crossed:
            self.noted = max(self.noted, version)
        return Attempt(CallResult.DONE, is_last=True)

    async def press(self, *, shared: bool) -> None:
        """Change the match, and answer with the newest version."""
        press, writer = Press(self), self.writers.of(SURFACE)
        writer.presses += 1
        self.newest += 1

        async def render() -> Message:
            press.version = self.newest
            return Message(str(self.newest))

        try:
            arrived = await writer.answer(press, render, shared=shared)
            is_newest = arrived and not (writer.is_crossed or writer.is_stale)
            self.noted = press.version if is_newest else 0
        finally:
            writer.presses -= 1
            writer.settle()
        self.publish()

    async def call(self, version: int) -> End:
        call = Call(version, asyncio.get_running_loop().create_future())
        self.crossings += bool(self.calls)
        self.calls.append(call)
        return await call.end

    # --- Discord ---

    def finish(self, call: Call, end: End) -> None:
        self.calls.remove(call)
        if end.has_effect:
            self.shown = call.version
        if not call.end.done():
            call.end.set_result(end)

    async def kill(self, *, landed: bool) -> None:
        """End the process; calls on their way land or not. The next one knows that everything may be behind."""
        self.writers.freed = lambda _: None
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for call in list(self.calls):
            self.finish(call, End.UNHEARD if landed else End.REFUSED)
        self.writers, self.noted = Writers(self.start, self.freed), 0
        self.publish()


@dataclass
class Press:
    scene: Scene
    version: int = 0
    begun: float = 0.0

    async def try_update(self, new: Message | Render) -> Attempt:
        message = new if isinstance(new, Message) else await new()
        end = await self.scene.call(int(message.content))
        return Attempt(CallResult.DONE if end is End.LANDED else CallResult.LATER)

    async def acknowledge(self) -> None:
        """Nothing of the message changes."""


PRESS = st.sampled_from(["press", "press", "press on a board with keys"])
FINISH = st.tuples(st.sampled_from([End.LANDED, *End]), st.integers(0, 3))
CHANGES = st.one_of(PRESS, PRESS, FINISH, FINISH, FINISH, st.just("change"), st.booleans())
"""a change of the match; a press; how the call with this number ends; a kill, and whether calls under way land"""


async def play(changes: list[object]) -> Scene:
    scene = Scene()
    scene.publish()
    for change in changes:
        match change:
            case "change":
                scene.newest += 1
                scene.publish()
            case str():
                scene.start(scene.press(shared=change != "press"))
            case (End() as end, int(number)):
                if scene.calls:
                    scene.finish(scene.calls[number % len(scene.calls)], end)
            case _:
                await scene.kill(landed=bool(change))
        await settle()
    while scene.calls or scene.tasks:
        for call in list(scene.calls):
            scene.finish(call, End.LANDED)
        await settle()
    return scene


async def settle() -> None:
    for _ in range(STEPS):
        await asyncio.sleep(0)


@given(st.lists(CHANGES, min_size=3, max_size=25))
@example(["press", (End.LANDED, 1), (End.LANDED, 0)])
@example(["press", (End.UNHEARD, 1), "press", (End.REFUSED, 0), (End.LANDED, 1), (End.LANDED, 0)])
def test_every_order_ends_with_the_newest_version_and_nothing_kept(changes: list[object]) -> None:
    at_once = {"GIVE_WAY": 0.0, "SHARED": 0.0, "ANSWERED": 0.0, "REST": 0.0, "PAUSES": (0.0,) * 3}
    with mock.patch.multiple(writing, **at_once):
        scene = asyncio.run(play(changes))
    event("calls crossed" if scene.crossings else "one call at a time")
    assert scene.shown == scene.newest
    assert len(scene.writers) == 0
