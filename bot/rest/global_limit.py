"""The last door before the wire: Discord allows a whole bot 50 counted calls a second, and a large one more.

discord.py lets calls wait for the limits of their routes, and lets them go together when a limit is over; what paced
them earlier (`bot.rest.call_budget`) has no say any more. So each counted call takes its turn here, right before it
goes out: when its route (`bot.rest.route_limits`) and then the whole bot has one free.
Answers to interactions and calls by a token carry no bot's token: they count nowhere and pass at once, but for a ban
by the proxy before Discord, which is about the address (a 429 without `Via`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

from bot.rest.invalid_requests import InvalidRequests
from bot.rest.route_limits import INSTANT, Bucket, CallQueue, Route, RouteLimits, Sleep, route_of

log = logging.getLogger(__name__)

SECOND = 1.0

COUNTED_AFTER = 10.0
"""seconds after which a call that nobody answers has arrived, or never will: it holds up no others"""

REFUSED, TOO_MANY = 400, 429

WARN_EACH = 500
"""invalid requests between two warnings"""


class TraceHooks(Protocol):
    """As much of aiohttp's TraceConfig as is needed."""

    @property
    def on_request_start(self) -> Any: ...

    @property
    def on_request_end(self) -> Any: ...

    @property
    def on_request_exception(self) -> Any: ...


Config = TypeVar("Config", bound=TraceHooks)


class GlobalLimit(CallQueue):
    """Shut for as long as Discord says after a 429 that is about the whole bot.

    Discord counts a call when it arrives: some time between its leaving and its answer. So here it counts from its
    leaving until a second after its answer; however long calls are under way, too many never arrive in one second.
    """

    def __init__(
        self,
        most: int,
        now: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        *,
        invalid: InvalidRequests | None = None,
    ) -> None:
        """`most`: counted calls in any second; `invalid` counts on where another client of this process ended."""
        super().__init__(now, sleep)
        self._max_calls = most
        self._answered: deque[float] = deque()
        self._blocked_until = self._banned_until = 0.0
        self._invalid = invalid or InvalidRequests(now)
        self._buckets = RouteLimits(now, sleep)

    def add_to(self, config: Config) -> Config:
        """For the session that makes the calls; `config` is aiohttp's for what listens to it."""
        config.on_request_start.append(self._on_start)
        config.on_request_end.append(self._on_end)
        config.on_request_exception.append(self._on_exception)
        return config

    def release(self) -> None:
        self._answered.append(self._now())
        super().release()

    def block(self, seconds: float) -> None:
        """Hold all counted calls for so many seconds."""
        self._blocked_until = max(self._blocked_until, self._now() + seconds)

    def _delay(self) -> float | None:
        now = self._now()
        if now < self._blocked_until:
            return self._blocked_until - now
        while self._answered and self._answered[0] + SECOND <= now:
            self._answered.popleft()
        if self._running + len(self._answered) < self._max_calls:
            return 0
        return self._answered[0] + SECOND - now if self._answered else None

    def _take_one(self) -> None: ...

    async def start_call(self, method: str, path: str) -> RunningCall:
        """Wait until this counted call may go out, and count it."""
        route = route_of(method, path)
        bucket = await self._buckets.acquire(route)
        try:
            await self.acquire()
        except BaseException:  # given up while it waited
            bucket.release()
            raise
        return RunningCall(self, route, bucket)

    def end_call(self, out: RunningCall, status: int, headers: Mapping[str, str]) -> None:
        """A limit is kept by all whom it concerns. One of the whole bot, or a ban by who stands before Discord, holds
        for every call: those that wait elsewhere would only prolong it."""
        out.count()
        seconds = _retry_after(headers.get("Retry-After", "")) if status == TOO_MANY else 0.0
        of_all = status == TOO_MANY and ("X-RateLimit-Global" in headers or "Via" not in headers)
        self._buckets.release(out.route, out.bucket, headers, 0.0 if of_all else seconds)
        if of_all:
            log.warning("Discord limits the whole bot; no counted call for %.1f s", seconds)
            self.block(seconds)

    def record_answer(self, status: int, headers: Mapping[str, str]) -> None:
        """Count a refusal of any call. A ban holds up all calls, and the bot slows down before there is one."""
        if status == TOO_MANY and "Via" not in headers:
            seconds = _retry_after(headers.get("Retry-After", ""))
            log.warning("the proxy before Discord has banned this address; no call for %.1f s", seconds)
            self._banned_until = max(self._banned_until, self._now() + seconds)
        pause = self._invalid.record(status, headers)
        if pause:
            self.block(pause)
            if self._invalid.count % WARN_EACH == 0:
                log.warning("%d invalid requests in ten minutes; Discord bans at 10000", self._invalid.count)

    async def _end_ban(self) -> None:
        while (wait := self._banned_until - self._now()) > 0:
            await self._sleep(wait + INSTANT)

    def fail_call(self, out: RunningCall) -> None:
        """Count a call that got no answer."""
        out.count()
        out.bucket.release()

    async def _on_start(self, _: object, way: TraceContext, call: RequestStart) -> None:
        if "Authorization" in call.headers:
            way.out = await self.start_call(call.method, call.url.path)
        elif self._banned_until:
            await self._end_ban()

    async def _on_end(self, _: object, way: TraceContext, call: RequestEnd) -> None:
        if call.response.status >= REFUSED:
            self.record_answer(call.response.status, call.response.headers)
        if hasattr(way, "out"):
            self.end_call(way.out, call.response.status, call.response.headers)

    async def _on_exception(self, _: object, way: TraceContext, __: object) -> None:
        if hasattr(way, "out"):
            self.fail_call(way.out)


class RequestStart(Protocol):
    """aiohttp's parameters of a request that starts."""

    method: str
    url: Any
    headers: Any


class RequestEnd(Protocol):
    """aiohttp's parameters of a request that ended."""

    response: Any


TraceContext = SimpleNamespace
"""What aiohttp keeps of a call for its tracer; a counted one has its `out` there."""


class RunningCall:
    """A counted call without an answer yet."""

    def __init__(self, limit: GlobalLimit, route: Route, bucket: Bucket) -> None:
        self.route = route
        self.bucket = bucket
        self._limit = limit
        self._arrives: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(COUNTED_AFTER, self.count)

    def count(self) -> None:
        """Release the call: Discord has counted it by now."""
        if self._arrives is not None:
            self._arrives.cancel()
            self._arrives = None
            self._limit.release()


def _retry_after(told: str) -> float:
    try:
        return max(float(told), 0.0)
    except ValueError:  # a date, or nothing: Discord itself always tells a number
        return 1.0
