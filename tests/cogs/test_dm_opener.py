"""New DMs are opened one after the other, a slow one holds up nobody for long, and a refusal is heeded."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.referee.model.changes import StoreReadOnly
from bot.rest import dm_opener
from bot.rest.call_result import CallResult
from bot.rest.dm_opener import LATEST, LONGEST_REST, PACE, REST, DmOpener, DmPace
from tests.memory_store import MemoryStore
from tests.referee.stage import Table

Opened = tuple[CallResult, str | None]
TOO_FAST: Opened = CallResult.TOO_MANY_DMS, None
LATER: Opened = CallResult.LATER, None


def dms(owner: str) -> Opened:
    return CallResult.DONE, owner


class Discord:
    """Takes calls, and answers when it is told to."""

    def __init__(self) -> None:
        self.at = 50.0
        self.calls: list[str] = []
        self.answered: dict[str, asyncio.Future[Opened]] = {}
        self.free = asyncio.Event()
        """set while calls may be made"""
        self.free.set()
        self.opening = DmOpener(self._ready, now=lambda: self.at)

    async def _ready(self) -> None:
        await self.free.wait()

    async def _call(self, user: str) -> Opened:
        self.calls.append(user)
        return await self.answered[user]

    def open(self, user: str) -> asyncio.Task[Opened]:
        self.answered.setdefault(user, asyncio.get_running_loop().create_future())
        return asyncio.create_task(self.opening.run(lambda: self._call(user)))


async def rest() -> None:
    """Until everybody has done what they can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_direct_messages_are_opened_one_after_the_other() -> None:
    discord = Discord()
    asked = [discord.open(user) for user in ("Ana", "Ben", "Cem")]
    await rest()
    assert discord.calls == ["Ana"]
    discord.answered["Ana"].set_result(dms("her"))
    await rest()
    assert discord.calls == ["Ana", "Ben"]
    discord.answered["Ben"].set_exception(RuntimeError("lost"))
    await rest()
    assert discord.calls == ["Ana", "Ben", "Cem"], "one that fails is over, too"
    discord.answered["Cem"].set_result(dms("his"))
    assert await asked[0] == dms("her")
    with pytest.raises(RuntimeError):
        await asked[1]
    assert await asked[2] == dms("his")


async def test_slow_call_does_not_hold_up_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dm_opener, "PATIENCE", 0.0)
    discord = Discord()
    slow, quick = discord.open("Ana"), discord.open("Ben")
    discord.answered["Ben"].set_result(dms("his"))
    assert await quick == dms("his")
    assert not slow.done()
    slow.cancel()
    await asyncio.wait([slow])
    discord.open("Cem")
    await rest()
    assert discord.calls == ["Ana", "Ben", "Cem"], "one that was given up is over, too"


async def test_after_a_refusal_none_is_tried_for_a_while() -> None:
    discord = Discord()
    one, two = discord.open("Ana"), discord.open("Ben")
    discord.answered["Ana"].set_result(TOO_FAST)
    assert (await one, await two) == (LATER, LATER)
    assert discord.calls == ["Ana"], "who was waiting is not tried"
    discord.at += REST
    assert await discord.open("Ana") == LATER
    discord.at += REST
    assert await discord.open("Ben") == LATER
    assert discord.calls == ["Ana", "Ana"], "it rests for twice as long the second time"
    discord.at += LONGEST_REST
    discord.answered["Ben"].set_result(dms("his"))
    assert await discord.open("Ben") == dms("his")


async def test_who_waited_for_the_budget_heeds_a_refusal_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dm_opener, "PATIENCE", 0.0)
    discord = Discord()
    first = discord.open("Ana")
    await rest()
    discord.free.clear()
    second = discord.open("Ben")
    for _ in range(3):
        await asyncio.sleep(0.001)  # longer than anybody waits for the one before
    discord.answered["Ana"].set_result(TOO_FAST)
    assert await first == LATER
    discord.free.set()
    assert await second == LATER
    assert discord.calls == ["Ana"]


async def test_rest_and_pace_hold_after_a_restart() -> None:
    """They are stored before each call, for all processes."""
    table, calls = Table(MemoryStore()), list[Opened]()

    def opener() -> DmOpener:
        return DmOpener(ready, DmPace(table.referee), lambda: 0.0)

    async def ready() -> None: ...

    async def call(answer: Opened) -> Opened:
        calls.append(answer)
        return answer

    assert await opener().run(lambda: call(dms("her"))) == dms("her")
    assert await opener().run(lambda: call(TOO_FAST)) == LATER
    assert await opener().run(lambda: call(dms("his"))) == LATER
    table.clock.forward(REST)
    assert await opener().run(lambda: call(dms("his"))) == dms("his")
    assert calls == [dms("her"), TOO_FAST, dms("his")]


async def test_time_is_reserved_before_the_call() -> None:
    table = Table(MemoryStore())
    pace, now = DmPace(table.referee), table.clock.now()
    for _ in range(2):
        assert await pace.reserve()
    third = await table.referee.surfaces.reserve_dm(now, PACE, LATEST, timedelta(minutes=10))
    assert third == now + 2 * PACE


async def test_owner_can_be_told_by_dm_that_nothing_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(MemoryStore())

    async def write(_: object) -> None:
        raise StoreReadOnly("the disk is full")

    monkeypatch.setattr(table.store, "write", write)
    pace = DmPace(table.referee)
    await pace.reserve()
    await pace.rest(REST)
