"""Rate limits, with the headers that tell of them."""

import time
from collections import deque
from dataclasses import dataclass, field
from hashlib import blake2b
from math import ceil

from bot.playground.world.settings import Window

OTHER = "other"
"""The bucket of every route that has no numbers of its own; each route and major parameter counts alone."""

DEFAULTS: dict[str, Window] = {
    "message.create": Window(5, 5.0),
    "message.edit": Window(5, 5.0),
    "message.delete": Window(5, 1.0),
    "webhook": Window(5, 2.0),
    "dm.open": Window(10, 10.0),
    OTHER: Window(50, 1.0),
}


@dataclass(slots=True)
class _Count:
    """One window that has begun: what is left of it, and when it ends."""

    left: int
    ends: float


@dataclass(frozen=True, slots=True)
class Verdict:
    headers: dict[str, str]
    retry_after: float | None = None
    """Set if the call is refused."""
    scope: str = "user"


FREE = Verdict({})


@dataclass(slots=True)
class Limits:
    """Counts calls per bucket and per bot. `enabled` off means no headers and no refusals."""

    enabled: bool = True
    globally: Window | None = field(default_factory=lambda: Window(50, 1.0))
    per_channel_followups: Window | None = field(default_factory=lambda: Window(30, 60.0))
    """The hidden limit on followups in one channel, known from its 429s only (scope shared)."""
    invalid: Window = field(default_factory=lambda: Window(10_000, 600.0))
    """Answers 401, 403 and 429 (but for the scope `shared`) after which the proxy bans the address:
    docs.discord.com/developers/topics/rate-limits, Invalid Request Limit."""
    buckets: dict[str, Window] = field(default_factory=lambda: dict(DEFAULTS))
    _invalid: deque[float] = field(default_factory=deque[float])
    _counts: dict[tuple[str, str], _Count] = field(default_factory=dict[tuple[str, str], _Count])

    def take(self, bucket: str | None, route: str, major: str, app_id: int | None) -> Verdict:
        """Count a call. `app_id` is given for calls that count against a bot's global limit."""
        if not self.enabled:
            return FREE
        now = time.monotonic()
        if app_id is not None and self.globally is not None:
            count = self._count("global", str(app_id), self.globally, now)
            if count.left <= 0:
                return refuse(count.ends - now, "global")
            count.left -= 1
        if bucket is None:
            return FREE
        name = bucket if bucket in self.buckets else OTHER
        window = self.buckets.get(name)
        if window is None:
            return FREE
        key = route if name == OTHER else name
        count = self._count(key, major, window, now)
        headers = _headers(key, window, count, now)
        if count.left <= 0:
            return refuse(count.ends - now, "user", headers)
        count.left -= 1
        headers["X-RateLimit-Remaining"] = str(count.left)
        return Verdict(headers)

    def take_followup(self, channel_id: int) -> float | None:
        """Count a followup against its channel; the wait, if there were too many."""
        window = self.per_channel_followups
        if not self.enabled or window is None:
            return None
        now = time.monotonic()
        count = self._count("followup", str(channel_id), window, now)
        if count.left <= 0:
            return count.ends - now
        count.left -= 1
        return None

    def note_answer(self, status: int, scope: str) -> None:
        """Count an answer that is invalid."""
        if self.enabled and status in (401, 403, 429) and (status, scope) != (429, "shared"):
            self._invalid.append(time.monotonic())

    def banned_for(self) -> float:
        """Seconds until the proxy lets calls through again, however they are authorized."""
        while self._invalid and self._invalid[0] <= time.monotonic() - self.invalid.seconds:
            self._invalid.popleft()
        full = self.enabled and len(self._invalid) >= self.invalid.count
        return self._invalid[-self.invalid.count] + self.invalid.seconds - time.monotonic() if full else 0.0

    def forget(self) -> None:
        """Begin every window anew."""
        self._invalid.clear()
        self._counts.clear()

    def _count(self, key: str, major: str, window: Window, now: float) -> _Count:
        found = self._counts.get((key, major))
        if found is None or found.ends <= now:
            found = self._counts[key, major] = _Count(window.count, now + window.seconds)
            if len(self._counts) > 20_000:
                self._counts = {each: one for each, one in self._counts.items() if one.ends > now}
        return found


def refuse(wait: float, scope: str, headers: dict[str, str] | None = None) -> Verdict:
    """A 429. Without `Via` discord.py would take it for a ban by Cloudflare."""
    told = {
        **(headers or {}),
        "Via": "1.1 google",
        "Retry-After": str(max(1, round(wait + 0.5))),
        "X-RateLimit-Scope": scope,
    }
    if scope == "global":
        told["X-RateLimit-Global"] = "true"
    return Verdict(told, max(wait, 0.001), scope)


def ban(wait: float) -> Verdict:
    """The 429 of the proxy, which never came to Discord: it has no `Via`."""
    return Verdict({"Retry-After": str(max(1, ceil(wait)))}, wait, "ban")


def rounded_up(seconds: float) -> float:
    """To whole milliseconds: who waits as long as told is never too early."""
    return ceil(seconds * 1000) / 1000


def _headers(key: str, window: Window, count: _Count, now: float) -> dict[str, str]:
    wait = count.ends - now
    return {
        "X-RateLimit-Limit": str(window.count),
        "X-RateLimit-Remaining": str(max(count.left, 0)),
        "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
        "X-RateLimit-Reset-After": f"{rounded_up(wait):.3f}",
        "X-RateLimit-Bucket": blake2b(key.encode(), digest_size=16).hexdigest(),
    }
