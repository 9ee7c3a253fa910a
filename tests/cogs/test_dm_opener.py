"""New DMs are opened at a pace over all processes, and a refusal is heeded."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import pytest

from bot.referee.model.changes import StoreReadOnly
from bot.rest import dm_opener
from bot.rest.call_result import CallResult
from bot.rest.dm_opener import LATEST, LONGEST_REST, PACE, REST, DmOpener
from tests.memory_store import MemoryStore
from tests.referee.stage import Table

Opened = tuple[CallResult, str | None]
TOO_FAST: Opened = CallResult.TOO_MANY_DMS, None
LATER: Opened = CallResult.LATER, None
DONE: Opened = CallResult.DONE, "channel"


class Scene:
    """Processes that open DM channels. Time goes on only while they wait."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = Table(MemoryStore())
        self.calls: list[timedelta] = []
        self.begun = self.table.clock.now()
        self.opener = DmOpener(self.table.referee)
        monkeypatch.setattr(dm_opener, "asyncio", SimpleNamespace(sleep=self.sleep))

    async def sleep(self, seconds: float) -> None:
        self.table.clock.forward(seconds)

    async def open(self, answer: Opened = DONE, *, opener: DmOpener | None = None) -> Opened:
        async def call() -> Opened:
            self.calls.append(self.table.clock.now() - self.begun)
            return answer

        return await (opener or self.opener).run(call)


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(monkeypatch)


async def test_calls_of_all_processes_are_a_pace_apart(scene: Scene) -> None:
    for _ in range(3):
        assert await scene.open(opener=DmOpener(scene.table.referee)) == DONE
    assert scene.calls == [timedelta(), PACE, 2 * PACE]


async def test_call_whose_turn_is_too_far_away_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    table, calls, all_wait = Table(MemoryStore()), list[int](), asyncio.Barrier(LATEST // PACE + 1)

    async def sleep(seconds: float) -> None:
        if seconds:
            await all_wait.wait()

    monkeypatch.setattr(dm_opener, "asyncio", SimpleNamespace(sleep=sleep))
    opener = DmOpener(table.referee)

    async def call() -> Opened:
        calls.append(1)
        return DONE

    tasks = [asyncio.create_task(opener.run(call)) for _ in range(30)]
    await all_wait.wait()
    results = await asyncio.gather(*tasks)
    assert results.count(DONE) == len(calls) == 1 + LATEST // PACE
    assert results.count(LATER) == 30 - len(calls)


async def test_after_a_refusal_none_is_tried_for_a_while(scene: Scene) -> None:
    """Each rest is twice as long as the one before. It is stored, and so holds after a restart."""
    assert await scene.open(TOO_FAST) == LATER
    assert await scene.open(opener=DmOpener(scene.table.referee)) == LATER
    scene.table.clock.forward(REST.total_seconds())
    assert await scene.open(TOO_FAST) == LATER
    scene.table.clock.forward(REST.total_seconds())
    assert await scene.open() == LATER
    assert len(scene.calls) == 2
    scene.table.clock.forward(LONGEST_REST.total_seconds())
    assert await scene.open() == DONE


async def test_call_that_waits_for_its_turn_heeds_a_refusal_meanwhile(scene: Scene) -> None:
    refused = asyncio.Event()

    async def slow() -> Opened:
        await refused.wait()
        return TOO_FAST

    first = asyncio.create_task(scene.opener.run(slow))
    await asyncio.sleep(0)
    waiting, resume = asyncio.Event(), asyncio.Event()

    async def wait(_: float) -> None:
        waiting.set()
        await resume.wait()

    dm_opener.asyncio.sleep = wait
    second = asyncio.create_task(scene.open())
    await waiting.wait()
    refused.set()
    assert await first == LATER
    resume.set()
    assert await second == LATER
    assert scene.calls == []


async def test_time_is_reserved_before_the_call(scene: Scene) -> None:
    async def fail() -> Opened:
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError):
        await scene.opener.run(fail)
    reserved = await scene.table.referee.surfaces.reserve_dm(scene.begun, PACE, LATEST, LONGEST_REST)
    assert reserved == scene.begun + PACE


async def test_owner_can_be_told_by_dm_that_nothing_is_stored(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write(_: object) -> None:
        raise StoreReadOnly("the disk is full")

    monkeypatch.setattr(scene.table.store, "write", write)
    assert await scene.open() == DONE
    assert await scene.open(TOO_FAST) == LATER
    assert await scene.open() == LATER, "the rest holds in this process"
