"""The limits of single routes, kept right before a call goes out: running calls count as well.

discord.py keeps these limits, too. But it takes the count of each answer as it is, without the calls that went out
meanwhile, and counts a channel twice until it knows a route. Many calls at once are refused that way.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

MAJOR = re.compile(r"/(?:channels|guilds|webhooks)/(\d+)")
"""Each channel, server and webhook has its own limits."""

ID = re.compile(r"/\d{15,}")
MAX_ROUTES = 1000
JITTER = 0.1
"""Seconds by which two answers may differ about the end of the same window."""

INSTANT = 1e-6


class CallQueue(ABC):
    """Calls that wait for a limit, first come, first served. Release each one after it was acquired."""

    def __init__(self) -> None:
        self._running = self._waiting = self._started = 0
        self._blocked_until = 0.0
        self._one_by_one = asyncio.Lock()
        self._released = asyncio.Event()

    async def acquire(self) -> None:
        """Wait until one more call may go out. After a sleep the delay is read again: the loop may have hung."""
        self._waiting += 1
        try:
            async with self._one_by_one:
                while (wait := max(self._blocked_until - time.monotonic(), 0.0) or self._delay()) != 0.0:
                    if wait == math.inf:
                        self._released.clear()
                        await self._released.wait()
                    else:
                        await asyncio.sleep(wait + INSTANT)
        finally:
            self._waiting -= 1
        self._running += 1  # before anybody else runs
        self._started += 1

    def block(self, seconds: float) -> None:
        """Hold all calls for so many seconds."""
        self._blocked_until = max(self._blocked_until, time.monotonic() + seconds)

    def release(self) -> None:
        """Count a call that was answered or failed."""
        self._running -= 1
        self._released.set()

    @abstractmethod
    def _delay(self) -> float:
        """Return the seconds until the next look where nothing blocks all calls, 0 if a call may go out now, infinity
        to wait for a release."""


class Bucket(CallQueue):
    """The limit of one route, read from the headers of its answers."""

    def __init__(self) -> None:
        super().__init__()
        self._limit = 1  # until the first answer
        self._left = 1
        self._ends = math.inf
        """when the present window is over, or a little later; infinity if none is known"""
        self._window = 0.0
        """its end by Discord's clock, which identifies a window"""

    @property
    def is_idle(self) -> bool:
        """True if the bucket can be dropped."""
        is_free = self._delay() == 0.0 and time.monotonic() >= self._blocked_until
        return is_free and not self._running and not self._waiting

    async def acquire(self) -> None:
        await super().acquire()
        self._left -= 1

    def read_headers(self, headers: Mapping[str, str]) -> None:
        """Read the limit from the headers of an answer."""
        try:
            limit = int(headers["X-RateLimit-Limit"])
            left = int(headers["X-RateLimit-Remaining"])
            window = float(headers["X-RateLimit-Reset"])
            ends = time.monotonic() + float(headers["X-RateLimit-Reset-After"])
        except (KeyError, ValueError):  # refused or failed before anybody looked at the limit
            return
        if window < self._window - JITTER:
            return  # this call was counted in an earlier window
        # Running calls may be in this count or not. Subtracting them is never refused.
        still = left - self._running
        if window > self._window + JITTER:
            self._window, self._left, self._ends = window, still, ends
        else:  # answers may come in another order than they were counted in
            self._left = min(self._left, still)
            self._ends = min(self._ends, ends)
        self._limit = limit

    def _delay(self) -> float:
        now = time.monotonic()
        if now >= self._ends:
            self._ends = math.inf
            self._left = self._limit - self._running
        if self._left <= 0 and self._ends == math.inf and not self._running:
            self._limit = self._left = 1  # calls failed and told nothing
        return 0.0 if self._left > 0 else self._ends - now


class RouteLimits:
    """The buckets of all routes. Several routes share one if Discord says so."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """Discord's name for the limit of each kind of call"""
        self._buckets: dict[tuple[str, str], Bucket] = {}
        """by this name, or the kind of call while the name is unknown, and by the id that has limits of its own"""

    async def acquire(self, route: Route) -> Bucket:
        """Wait until the limit of this route allows one more call."""
        kind, major = route
        key = self._names.get(kind, kind), major
        if key not in self._buckets:
            if len(self._buckets) >= MAX_ROUTES:
                self._buckets = {known: one for known, one in self._buckets.items() if not one.is_idle}
            self._buckets[key] = Bucket()
        bucket = self._buckets[key]
        await bucket.acquire()
        return bucket

    def release(self, route: Route, bucket: Bucket, headers: Mapping[str, str], blocked: float = 0.0) -> None:
        """Count the answer to a call. Discord refuses the route for `blocked` seconds."""
        bucket.release()
        kind, major = route
        if name := headers.get("X-RateLimit-Bucket"):
            self._names[kind] = name
            bucket = self._buckets.setdefault((name, major), bucket)
        bucket.read_headers(headers)
        if blocked:
            bucket.block(blocked)


Route = tuple[str, str]
"""The kind of a call, by method and path without its ids, and the id that has limits of its own."""


def route_of(method: str, path: str) -> Route:
    found = MAJOR.search(path)
    return f"{method} {ID.sub('/id', path)}", found[1] if found else ""
