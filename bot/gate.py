"""The last door before the wire: a whole bot may make 50 counted calls a second, whatever made them wait before.

discord.py lets calls wait for the limits of their routes, and lets them go together when a limit is over; what paced
them earlier (`cogs.budget`) has no say any more. So each counted call takes its turn here, right before it goes out.
Answers to interactions and calls by a token carry no bot's token: they count nowhere and pass at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

log = logging.getLogger(__name__)

RATE, BURST = 38.0, 2.0
"""Never more than their sum in any second: the rest is left to calls that arrive closer together than they left."""

TOO_MANY = 429
INSTANT = 1e-6


class Gate:
    """First come, first served; shut for as long as Discord says after a 429 that is about the whole bot."""

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.rate = rate
        self.burst = burst
        self._now = now
        self._sleep = sleep
        self._tokens = burst
        self._at = now()
        self._shut_until = 0.0
        self._line = asyncio.Lock()

    def trace(self) -> aiohttp.TraceConfig:
        """For the session that makes the calls."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._starts)
        config.on_request_end.append(self._ended)
        return config

    async def turn(self) -> None:
        """Wait for one counted call. Who wakes counts anew: an event loop that hung gives no burst."""
        async with self._line:
            while (wait := self._wait()) > INSTANT:
                await self._sleep(wait)
            self._tokens -= 1

    def shut(self, seconds: float) -> None:
        """No counted call for so long."""
        self._shut_until = max(self._shut_until, self._now() + seconds)

    def _wait(self) -> float:
        now = self._now()
        self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
        self._at = now
        return max(self._shut_until - now, (1 - self._tokens) / self.rate)

    async def _starts(self, _: aiohttp.ClientSession, __: Any, call: aiohttp.TraceRequestStartParams) -> None:
        if "Authorization" in call.headers:
            await self.turn()

    async def _ended(self, _: aiohttp.ClientSession, __: Any, call: aiohttp.TraceRequestEndParams) -> None:
        """A global limit, or a ban by who stands before Discord: calls that wait elsewhere would only prolong it."""
        headers = call.response.headers
        if call.response.status != TOO_MANY or "Authorization" not in call.headers:
            return
        if "X-RateLimit-Global" in headers or "Via" not in headers:
            seconds = _seconds(headers.get("Retry-After", ""))
            log.warning("Discord limits the whole bot; no counted call for %.1f s", seconds)
            self.shut(seconds)


def _seconds(told: str) -> float:
    try:
        return max(float(told), 0.0)
    except ValueError:  # a date, or nothing: Discord itself always tells a number
        return 1.0
