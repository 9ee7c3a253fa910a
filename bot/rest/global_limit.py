"""The last door before the wire: Discord allows a whole bot 50 counted calls a second, and a large one more.

discord.py lets calls wait for the limits of their routes, and lets them go together when a limit is over; what paced
them earlier (`bot.rest.call_budget`) has no say any more. So each counted call takes its turn here, right before it
goes out: when its route (`bot.rest.route_limits`) and then the whole bot has one free.
Answers to interactions and calls by a token carry no bot's token: they count nowhere and pass at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

from bot.rest.route_limits import Bucket, Buckets, Queue, Route, Sleep, route_of

log = logging.getLogger(__name__)

SECOND = 1.0

STUCK = 10.0
"""seconds after which a call that nobody answers has arrived, or never will: it holds up no others"""

TOO_MANY = 429


class Trace(Protocol):
    """As much of aiohttp's TraceConfig as is needed."""

    @property
    def on_request_start(self) -> Any: ...

    @property
    def on_request_end(self) -> Any: ...

    @property
    def on_request_exception(self) -> Any: ...


Config = TypeVar("Config", bound=Trace)


class Gate(Queue):
    """Shut for as long as Discord says after a 429 that is about the whole bot.

    Discord counts a call when it arrives: some time between its leaving and its answer. So here it counts from its
    leaving until a second after its answer; however long calls are under way, too many never arrive in one second.
    """

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        """At most so many in any second."""
        super().__init__(now, sleep)
        self._most = most
        self._answered: deque[float] = deque()
        self._shut_until = 0.0
        self._buckets = Buckets(now, sleep)

    def trace(self, config: Config) -> Config:
        """For the session that makes the calls; `config` is aiohttp's for what listens to it."""
        config.on_request_start.append(self._starts)
        config.on_request_end.append(self._ended)
        config.on_request_exception.append(self._failed)
        return config

    def come_back(self) -> None:
        self._answered.append(self._now())
        super().come_back()

    def shut(self, seconds: float) -> None:
        """No counted call for so long."""
        self._shut_until = max(self._shut_until, self._now() + seconds)

    def _wait(self) -> float | None:
        now = self._now()
        if now < self._shut_until:
            return self._shut_until - now
        while self._answered and self._answered[0] + SECOND <= now:
            self._answered.popleft()
        if self._out + len(self._answered) < self._most:
            return 0
        return self._answered[0] + SECOND - now if self._answered else None

    def _left_one(self) -> None: ...

    async def out(self, method: str, path: str) -> Out:
        """Wait until this counted call may go out."""
        route = route_of(method, path)
        bucket = await self._buckets.leave(route)
        try:
            await self.leave()
        except BaseException:  # given up while it waited
            bucket.come_back()
            raise
        return Out(self, route, bucket)

    def answered(self, out: Out, status: int, headers: Mapping[str, str]) -> None:
        """A limit is kept by all whom it concerns. One of the whole bot, or a ban by who stands before Discord, holds
        for every call: those that wait elsewhere would only prolong it."""
        out.has_arrived()
        seconds = _seconds(headers.get("Retry-After", "")) if status == TOO_MANY else 0.0
        of_all = status == TOO_MANY and ("X-RateLimit-Global" in headers or "Via" not in headers)
        self._buckets.come_back(out.route, out.bucket, headers, 0.0 if of_all else seconds)
        if of_all:
            log.warning("Discord limits the whole bot; no counted call for %.1f s", seconds)
            self.shut(seconds)

    def failed(self, out: Out) -> None:
        """No answer came."""
        out.has_arrived()
        out.bucket.come_back()

    async def _starts(self, _: object, way: Way, call: Starting) -> None:
        if "Authorization" in call.headers:
            way.out = await self.out(call.method, call.url.path)

    async def _ended(self, _: object, way: Way, call: Ended) -> None:
        if hasattr(way, "out"):
            self.answered(way.out, call.response.status, call.response.headers)

    async def _failed(self, _: object, way: Way, __: object) -> None:
        if hasattr(way, "out"):
            self.failed(way.out)


class Starting(Protocol):
    """A call that is about to leave."""

    method: str
    url: Any
    headers: Any


class Ended(Protocol):
    """A call that was answered."""

    response: Any


Way = SimpleNamespace
"""What aiohttp keeps of a call for its tracer; a counted one has its `out` there."""


class Out:
    """A counted call that is on its way."""

    def __init__(self, gate: Gate, route: Route, bucket: Bucket) -> None:
        self.route = route
        self.bucket = bucket
        self._gate = gate
        self._arrives: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(STUCK, self.has_arrived)

    def has_arrived(self) -> None:
        """Discord has counted it by now."""
        if self._arrives is not None:
            self._arrives.cancel()
            self._arrives = None
            self._gate.come_back()


def _seconds(told: str) -> float:
    try:
        return max(float(told), 0.0)
    except ValueError:  # a date, or nothing: Discord itself always tells a number
        return 1.0
