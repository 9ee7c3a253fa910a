"""Invalid requests: after 10,000 in ten minutes Discord's proxy answers nobody at this address any more.

Answers with 401, 403 and 429 count, but for 429 with the scope *shared*
(docs.discord.com/developers/topics/rate-limits, Invalid Request Limit).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping

MOST, WINDOW = 10_000, 600.0
"""invalid requests, and seconds"""

SLOW_FROM = 5_000
"""invalid requests from which on each one slows the bot down"""

INVALID = (401, 403, 429)


class InvalidRequests:
    """Those of the last ten minutes."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._times: deque[float] = deque(maxlen=MOST)

    @property
    def count(self) -> int:
        while self._times and self._times[0] <= self._now() - WINDOW:
            self._times.popleft()
        return len(self._times)

    def record(self, status: int, headers: Mapping[str, str]) -> float:
        """Count an answer, and return the seconds that counted calls should pause: what is left lasts that way until
        the oldest are forgotten."""
        if status not in INVALID or (status, headers.get("X-RateLimit-Scope")) == (429, "shared"):
            return 0.0
        self._times.append(self._now())
        count = self.count
        return WINDOW / max(MOST - count, 1) if count >= SLOW_FROM else 0.0
