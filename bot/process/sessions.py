"""Gateway sessions: how many may begin in a day and at once, for all shards together."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

log = logging.getLogger(__name__)

BURST = 400
EVERY = timedelta(seconds=150)
"""Discord allows 1,000 sessions a day, and resets the token after more. `BURST` at once and one more after each `EVERY`
are 976 in any 24 hours."""

APART = timedelta(seconds=5)
"""shortest time that Discord allows between two sessions of one bucket of shards"""

JITTER = timedelta(seconds=0.25)
"""added to that: the second IDENTIFY may travel faster than the first"""

MOMENT = 0.01
"""shortest wait, in seconds"""


class SessionLimit:
    """A token bucket for new sessions. It is stored across restarts, because Discord counts sessions by token."""

    def __init__(self, now: Callable[[], datetime], keep: Callable[[str], Awaitable[object]], kept: str | None) -> None:
        self._now = now
        self._keep = keep
        self._left = float(BURST)
        self._at = now()
        self._last: dict[int, datetime] = {}
        """when each bucket of shards last began a session"""
        self._total = self._remaining = 0
        self._reset_at: datetime | None = None
        """when Discord allows `_total` sessions again; None before it was asked"""
        self._concurrency = 1
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._taken = 0
        """turns that were given, and may not be counted yet"""
        if kept is not None:
            self._left, at = json.loads(kept)
            self._at = min(datetime.fromisoformat(at), self._at)  # a clock that was set back refills nothing

    def heed(self, told: dict[str, Any]) -> None:
        """Keep to what Discord says: the `session_start_limit` of /gateway/bot."""
        self._concurrency = max(1, int(told["max_concurrency"]))
        self._total, self._remaining = int(told["total"]), int(told["remaining"])
        self._reset_at = self._now() + timedelta(milliseconds=told["reset_after"])

    @asynccontextmanager
    async def turn(self, shard: int) -> AsyncGenerator[None]:
        """Wait until this shard may begin a session, and let no other shard of its bucket begin one until left."""
        async with self._turns[shard % self._concurrency]:
            while (wait := self.wait(shard)) > 0:
                if wait > (APART + JITTER).total_seconds():
                    log.warning("too many sessions with Discord today; the next one begins in %.0f s", wait)
                await asyncio.sleep(max(wait, MOMENT))
            self._taken += 1
            try:
                yield
            finally:
                self._taken -= 1

    def wait(self, shard: int = 0) -> float:
        """Return the seconds until this shard may begin a session."""
        now = self._refilled()
        waits = [(1 + self._taken - self._left) * EVERY.total_seconds()]
        last = self._last.get(shard % self._concurrency)
        if last is not None:
            waits.append((last + APART + JITTER - now).total_seconds())
        if self._reset_at is not None and self._remaining <= self._taken:
            waits.append((self._reset_at - now).total_seconds())
        return max(0.0, *waits)

    async def begin(self, shard: int = 0) -> None:
        """Consume one session, and store the count."""
        self._last[shard % self._concurrency] = self._refilled()
        self._left -= 1
        self._remaining -= 1
        try:
            await self._keep(json.dumps([self._left, self._at.isoformat()]))
        except Exception:  # a locked or full store must not keep the bot offline
            log.exception("the count of gateway sessions could not be noted")

    def _refilled(self) -> datetime:
        now = self._now()
        self._left = min(float(BURST), self._left + max(now - self._at, timedelta()) / EVERY)
        self._at = now
        if self._reset_at is not None and now >= self._reset_at:
            self._remaining, self._reset_at = self._total, now + timedelta(days=1)
        return now
