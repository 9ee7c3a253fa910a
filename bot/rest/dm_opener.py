"""Opening DM channels: one at a time for all callers, and none for a while after a refusal (40003, too fast).

Discord names no number, only that an app that opens "a significant amount of DMs too quickly" may lose the right to it.
A start with eight players opens eight. Nobody needs them to play: the board's *Bid* works meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")

PATIENCE = 2.0
"""Seconds that a call waits for the one before."""

REST, LONGEST_REST = 30.0, 600.0
"""Seconds without a call after a refusal; twice as long after each further one."""


class DmsTooFast(Exception):
    """Discord accepts no new DM channel for now."""


class DmOpener(Generic[Result]):
    """Opens DM channels one at a time, and rests after a refusal (40003)."""

    def __init__(
        self,
        refused: Callable[[Result], bool],
        ready: Callable[[], Awaitable[None]],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._refused = refused
        """tells from its result if Discord refused a call as too fast"""
        self._ready = ready
        """ends when one more call may be made"""
        self._now = now
        self._last: asyncio.Future[None] | None = None
        """done when the call before has ended"""
        self._refusals = 0
        self._rests_until = 0.0

    async def run(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Run this call after the one before. Raise DmsTooFast during a rest."""
        before, mine = self._last, asyncio.get_running_loop().create_future()
        self._last = mine
        try:
            if before is not None:
                await asyncio.wait([before], timeout=PATIENCE)
            self._check_rest()
            await self._ready()
            self._check_rest()  # that may have taken long, and others were refused meanwhile
            given = await work()
        finally:
            mine.set_result(None)
        if not self._refused(given):
            self._refusals = 0
            return given
        self._rests_until = self._now() + min(REST * 2**self._refusals, LONGEST_REST)
        self._refusals += 1
        raise DmsTooFast

    def _check_rest(self) -> None:
        if self._now() < self._rests_until:
            raise DmsTooFast
