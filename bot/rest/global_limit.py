"""The limits of the whole bot: counted calls in a second, and invalid requests in ten minutes.

Discord allows a bot 50 counted calls a second, and a large one more. discord.py lets calls wait for the limits of
their routes and releases them together; `CallBudget` only paces calls before they are rendered. So each counted call
waits here right before it goes out, until its route (`bot.rest.route_limits`) and then the whole bot has room.
Answers to interactions and calls by a token count towards no limit. Only a ban by the proxy before Discord stops them:
it is about the address, and known by a 429 without `Via`.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from bot.rest.route_limits import INSTANT, Bucket, CallQueue, Route, RouteLimits, route_of

log = logging.getLogger(__name__)

SECOND = 1.0

STEP = 0.1
"""Calls that have to wait go out together at multiples of so many seconds: to wake up for each one takes more CPU. A
share that allows no call is looked at again after so many."""

COUNTED_AFTER = 10.0
"""Seconds after which an unanswered call has arrived, or never will."""

TOO_MANY = 429

MOST_INVALID, INVALID_WINDOW = 10_000, 600.0
"""invalid requests, and seconds"""

SLOW_FROM = 5_000
"""Invalid requests from which on each one slows the bot down."""

WARN_EACH = 500
"""Invalid requests between two warnings."""

INVALID = (401, 403, TOO_MANY)

SPARE = 0.5
"""Share of the budget of counted calls that has to be free for what is not urgent: matches come first."""


Rate = Callable[[], float]
"""Returns how many counted calls a second this process may make now: other processes may make some, too."""


class CallBudget:
    """A token bucket with the rate of the global limit. It paces posts and edits; answers to interactions ignore it."""

    def __init__(self, rate: Rate) -> None:
        """`rate` calls a second, and as many at once after a quiet second."""
        self._rate = rate
        self._tokens = math.inf  # until the first look: the rate may still be 0
        self._at = time.monotonic()

    @property
    def free_share(self) -> float:
        """The share of the budget that is free now, from 0 to 1."""
        rate = self._refill()
        return max(self._tokens, 0.0) / rate

    def reserve(self, calls: int = 1) -> float:
        """Reserve calls, first come, first served, and return the seconds to wait before them."""
        rate = self._refill(calls)
        due = self._at - self._tokens / rate
        return math.ceil(due / STEP) * STEP - self._at if self._tokens < 0 else 0.0

    def wait(self, least: float = 0.0) -> Awaitable[None]:
        """Wait for one counted call, and for `least` seconds."""
        return asyncio.sleep(max(least, self.reserve()))

    def _refill(self, calls: int = 0) -> float:
        """Add the calls since the last look, take these, and return the present rate."""
        now, rate = time.monotonic(), max(self._rate(), 1.0)
        self._tokens = min(rate, self._tokens + (now - self._at) * rate) - calls
        self._at = now
        return rate


class InvalidRequests:
    """The invalid requests of the last ten minutes: after 10,000 Discord's proxy bans the address.

    Answers with 401, 403 and 429 count, except a 429 with the scope *shared*
    (docs.discord.com/developers/topics/rate-limits, Invalid Request Limit).
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=MOST_INVALID)

    @property
    def count(self) -> int:
        while self._times and self._times[0] <= time.monotonic() - INVALID_WINDOW:
            self._times.popleft()
        return len(self._times)

    def record(self, status: int, headers: Mapping[str, str]) -> float:
        """Count an answer, and return the seconds for which counted calls should pause: at this pace the rest of the
        ten minutes cannot bring a ban."""
        if status not in INVALID or (status, headers.get("X-RateLimit-Scope")) == (TOO_MANY, "shared"):
            return 0.0
        self._times.append(time.monotonic())
        count = self.count
        return INVALID_WINDOW / max(MOST_INVALID - count, 1) if count >= SLOW_FROM else 0.0


class GlobalLimit(CallQueue):
    """The limit of counted calls in a second. A 429 that is about the whole bot blocks it for as long as Discord says.

    Discord counts a call when it arrives: some time between its leaving and its answer. So here it counts from its
    leaving until a second after its answer; however long calls are under way, too many never arrive in one second.
    """

    def __init__(self, rate: Rate, invalid: InvalidRequests | None = None) -> None:
        """`rate`: counted calls in any second; `invalid` continues the count of an earlier client of this process."""
        super().__init__()
        self._rate = rate
        self.on_limited: Callable[[float], None] = lambda _: None
        """called with the seconds for which Discord refuses calls of the whole bot"""
        self._answered: deque[float] = deque()
        self.banned_until = 0.0
        self._invalid = invalid or InvalidRequests()
        self._buckets = RouteLimits()

    def release(self) -> None:
        self._answered.append(time.monotonic())
        super().release()

    def _delay(self) -> float:
        if self._count_calls() < self._rate():
            return 0.0
        if self._answered:
            return self._answered[0] + SECOND - time.monotonic()
        return math.inf if self._running else STEP

    def _count_calls(self) -> int:
        """Return how many calls Discord may count now."""
        while self._answered and self._answered[0] + SECOND <= time.monotonic():
            self._answered.popleft()
        return self._running + len(self._answered)

    def read_demand(self) -> tuple[int, int]:
        """Return the calls that were wanted since this was read last, and those that Discord may count now."""
        started, self._started = self._started, 0
        return started + self._waiting, self._count_calls()

    async def start_call(self, method: str, path: str) -> RunningCall:
        """Wait until this counted call may go out, and count it."""
        route = route_of(method, path)
        bucket = await self._buckets.acquire(route)
        try:
            await self.acquire()
        except BaseException:  # given up while it waited
            bucket.release()
            raise
        return RunningCall(route, bucket, asyncio.get_running_loop().call_later(COUNTED_AFTER, self.release))

    async def wait_for_ban(self) -> None:
        """Wait until no ban stops calls by a token."""
        while (wait := self.banned_until - time.monotonic()) > 0:  # noqa: ASYNC110 - a ban may be prolonged
            await asyncio.sleep(wait + INSTANT)

    def end_call(self, out: RunningCall, status: int, headers: Mapping[str, str]) -> None:
        """Count a call that was answered, and read the limits from the answer, or one that failed: without headers."""
        if out.timer.when() > asyncio.get_running_loop().time():  # else the timer counts it, or has
            out.timer.cancel()
            self.release()
        seconds = read_retry_after(headers.get("Retry-After")) if status == TOO_MANY else 0.0
        if "X-RateLimit-Global" in headers and seconds:
            log.warning("Discord limits the whole bot; no counted call for %.1f s", seconds)
            self.block(seconds)
            self.on_limited(seconds)
            seconds = 0.0
        self._buckets.release(out.route, out.bucket, headers, seconds)

    def record_answer(self, status: int, headers: Mapping[str, str]) -> None:
        """Count a refusal of any call. A ban stops all calls: they would only prolong it. Invalid requests slow the bot
        down before there is a ban."""
        if status == TOO_MANY and "Via" not in headers:
            seconds = read_retry_after(headers.get("Retry-After"))
            log.warning("the proxy before Discord has banned this address; no call for %.1f s", seconds)
            self.banned_until = max(self.banned_until, time.monotonic() + seconds)
            self.block(seconds)
        if pause := self._invalid.record(status, headers):
            self.block(pause)
            if self._invalid.count % WARN_EACH == 0:
                log.warning("%d invalid requests in ten minutes; Discord bans at 10000", self._invalid.count)


class RunningCall(NamedTuple):
    """A counted call without an answer yet."""

    route: Route
    bucket: Bucket
    timer: asyncio.TimerHandle
    """ends the count of the call: Discord has counted it by then"""


def read_retry_after(told: object) -> float:
    """Return the seconds until Discord accepts the next call."""
    try:
        return max(float(str(told)), 0.0)
    except ValueError:  # a date, or nothing: Discord itself always sends a number
        return 1.0
