"""Opening DM channels: one at a time for all callers, and none for a while after a refusal (40003, too fast).

Discord names no number, only that an app that opens "a significant amount of DMs too quickly" may lose the right to it.
A start with eight players opens eight. Nobody needs them to play: the board's *Bid* works meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds that a call waits for the one before."""

REST, LONGEST_REST = 30.0, 600.0
"""Seconds without a call after a refusal; twice as long after each further one."""


PACE, LATEST = timedelta(seconds=0.1), timedelta(seconds=2)
"""Time from one call to the next over all processes, and the longest wait for it."""


class DmPace:
    """The pace of the calls. It is stored before a call, and so holds over all processes and after a restart."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    async def reserve(self) -> bool:
        """Reserve the time of a call and wait for it. Return False if that is too long."""
        now = self._referee.clock.now()
        try:
            at = await self._referee.surfaces.reserve_dm(now, PACE, LATEST, timedelta(seconds=LONGEST_REST))
        except Conflict:
            return False
        except (StoreBusy, StoreReadOnly):
            return True  # the bot's owner has to hear of that by DM
        await asyncio.sleep((at - now).total_seconds())
        return True

    async def rest(self, seconds: float) -> None:
        """Let no process call for so long."""
        with suppress(StoreBusy, StoreReadOnly):
            await self._referee.surfaces.rest_dms(self._referee.clock.now() + timedelta(seconds=seconds))


class DmOpener:
    """Opens DM channels one at a time, and rests after a refusal (40003)."""

    def __init__(
        self,
        ready: Callable[[], Awaitable[None]],
        pace: DmPace | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ready = ready
        """ends when one more call may be made"""
        self._now = now
        self._pace = pace
        self._last: asyncio.Future[None] | None = None
        """done when the call before has ended"""
        self._refusals = 0
        self._rests_until = 0.0

    async def run(self, work: Callable[[], Awaitable[tuple[CallResult, T | None]]]) -> tuple[CallResult, T | None]:
        """Run this call after the one before. Return LATER during a rest."""
        before, mine = self._last, asyncio.get_running_loop().create_future()
        self._last = mine
        try:
            if before is not None:
                await asyncio.wait([before], timeout=PATIENCE)
            if not await self._may_call():
                return CallResult.LATER, None
            result, channel = await work()
        finally:
            mine.set_result(None)
        if result is not CallResult.TOO_MANY_DMS:
            self._refusals = 0
            return result, channel
        seconds = min(REST * 2**self._refusals, LONGEST_REST)
        self._rests_until = self._now() + seconds
        self._refusals += 1
        if self._pace is not None:
            await self._pace.rest(seconds)
        return CallResult.LATER, None

    async def _may_call(self) -> bool:
        """Return True when one more call may be made, and False during a rest."""
        if self._now() < self._rests_until:
            return False
        await self._ready()
        may = self._pace is None or await self._pace.reserve()
        return may and self._now() >= self._rests_until  # others may have been refused meanwhile
