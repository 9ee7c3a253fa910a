"""New DM channels: one at a time, shared by all who wait for one, and none for a while after 40003 (too fast).

Discord tells no number, only that who opens "a significant amount of DMs too quickly" may be kept from it. A start of
eight people opens eight; what waits here waits behind the board's *Bid*, which needs none of them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

PATIENCE = 2.0
"""seconds after which the next one no longer waits for one that Discord keeps waiting"""

REST, LONGEST_REST = 30.0, 600.0
"""seconds without a new one after a refusal; twice as long after each further one"""


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
        """whether Discord said that it is too fast"""
        self._ready = ready
        """ends when one more call may be made"""
        self._now = now
        self._last: asyncio.Event | None = None
        """set when the call before has ended"""
        self._refusals = 0
        self._rests_until = 0.0

    async def run(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run this call after the one before. Raises DmsTooFast during a rest."""
        before, mine = self._last, asyncio.Event()
        self._last = mine
        try:
            if before is not None:
                await _wait_briefly(before.wait())
            self._check_rest()
            await self._ready()
            self._check_rest()  # that may have taken long, and others were refused meanwhile
            given = await work()
        finally:
            mine.set()
            if self._last is mine:
                self._last = None
        if not self._refused(given):
            self._refusals = 0
            return given
        self._rests_until = self._now() + min(REST * 2**self._refusals, LONGEST_REST)
        self._refusals += 1
        raise DmsTooFast

    def _check_rest(self) -> None:
        if self._now() < self._rests_until:
            raise DmsTooFast


async def _wait_briefly(ended: Awaitable[object]) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            await ended
    except TimeoutError:
        pass


Key = TypeVar("Key")
Result = TypeVar("Result")


class SingleFlight(Generic[Key, Result]):
    """Running calls by key. A caller that is cancelled does not cancel the shared call."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._going: dict[Key, asyncio.Task[Result]] = {}

    async def run(self, key: Key, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Return the result of the call that runs under this key; start `work` if none does."""
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.create_task(work(), name=f"{self._name}-{key}")
            going.add_done_callback(lambda _: self._going.pop(key, None))
        return await asyncio.shield(going)

    async def close(self) -> None:
        """Cancel all running calls and wait for their end."""
        going = list(self._going.values())
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)
