"""Waiting for what the referee does in tasks of its own."""

from __future__ import annotations

import asyncio

from bot.referee.clock.deadlines import Sleeper
from bot.referee.house.prospects import Prospects
from bot.referee.house.thinking import Thinking


async def wait_idle(busy: Sleeper | Prospects | Thinking) -> None:
    """Wait until no reminder is sent, no house player thinks, or nothing is looked at ahead."""
    if isinstance(busy, Prospects):
        if busy._task is not None:
            await asyncio.wait([busy._task])
        return
    tasks = busy._reminders if isinstance(busy, Sleeper) else busy._tasks
    while tasks:
        await asyncio.wait(tasks.values())
