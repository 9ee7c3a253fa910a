"""Notes of what was shown reach the store once, and whoever stores them now waits for those that are on their way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.referee.ports.changes import SurfaceShown
from cogs.show import marks
from cogs.show.marks import Marks


class Slow:
    """A store that takes what it is given when it is let."""

    def __init__(self) -> None:
        self.given: list[tuple[Any, ...]] = []
        self.asked, self.let = asyncio.Event(), asyncio.Event()
        self.surfaces = self

    async def mark(self, steps: tuple[Any, ...]) -> None:
        self.given.append(steps)
        self.asked.set()
        await self.let.wait()


async def test_whoever_stores_now_waits_for_what_is_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a bot that stops closes its store while notes are being written, and writes them twice."""
    monkeypatch.setattr(marks, "GATHERED", 0.0)
    slow: Any = Slow()
    kept = Marks(slow)
    kept.mark(SurfaceShown(1, 5))
    await slow.asked.wait()  # the gathered ones are being stored
    now = asyncio.ensure_future(kept.flush())
    for _ in range(5):
        await asyncio.sleep(0)
    assert not now.done()
    slow.let.set()
    await now
    assert slow.given == [(SurfaceShown(1, 5),)]


async def test_nothing_is_left_to_come_after_storing_now() -> None:
    slow: Any = Slow()
    slow.let.set()
    kept = Marks(slow)
    before = asyncio.all_tasks()
    kept.mark(SurfaceShown(1, 5))
    await kept.flush()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    assert slow.given == [(SurfaceShown(1, 5),)]
