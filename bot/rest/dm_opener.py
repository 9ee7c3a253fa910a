"""Opening DM channels: at a pace that all processes share, and none for a while after a refusal (40003, too fast).

Discord names no number, only that an app that opens "a significant amount of DMs too quickly" may lose the right to it.
A start with eight players opens eight. Nobody needs them to play: the board's *Bid* works meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult

T = TypeVar("T")

PACE, LATEST = timedelta(seconds=0.1), timedelta(seconds=2)
"""Time from one call to the next over all processes, and the longest wait for it."""

REST, LONGEST_REST = timedelta(seconds=30), timedelta(minutes=10)
"""Time without a call after a refusal; twice as long after each further one."""


class DmOpener:
    """Opens DM channels. The time of each call is stored before it, and so the pace and the rest after a refusal hold
    over all processes and after a restart."""

    def __init__(self, referee: Referee) -> None:
        self._surfaces = referee.surfaces
        self._clock = referee.clock
        self._refusals = 0
        self._rests_until = datetime.min.replace(tzinfo=UTC)

    async def run(self, work: Callable[[], Awaitable[tuple[CallResult, T | None]]]) -> tuple[CallResult, T | None]:
        """Make this call in its turn. Return LATER without a call where the turn is too far away, or in a rest."""
        now = self._clock.now()
        try:
            with suppress(StoreBusy, StoreReadOnly):  # the bot's owner has to hear of that by DM
                at = await self._surfaces.reserve_dm(now, PACE, LATEST, LONGEST_REST)
                await asyncio.sleep((at - now).total_seconds())
        except Conflict:
            return CallResult.LATER, None
        if self._clock.now() < self._rests_until:
            return CallResult.LATER, None
        result, channel = await work()
        if result is not CallResult.TOO_MANY_DMS:
            self._refusals = 0
            return result, channel
        self._rests_until = self._clock.now() + min(REST * 2**self._refusals, LONGEST_REST)
        self._refusals += 1
        with suppress(StoreBusy, StoreReadOnly):
            await self._surfaces.rest_dms(self._rests_until)
        return CallResult.LATER, None
