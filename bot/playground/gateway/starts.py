"""How many sessions a bot may begin: so many a day, and of each bucket of its shards one in five seconds."""

from dataclasses import dataclass, field

from bot.playground.protocol.wire import Json
from bot.playground.world.core import Core

DAY = 86_400.0


@dataclass(slots=True)
class _Count:
    """The sessions of one bot since the last reset."""

    since: float
    begun: int = 0
    last: dict[int, float] = field(default_factory=dict[int, float])
    """When each bucket began its last session."""


class Starts:
    def __init__(self, core: Core) -> None:
        self._core = core
        self._counts: dict[int, _Count] = {}

    def take(self, app_id: int) -> bool:
        """Count one IDENTIFY; False if the bot had no more for today."""
        count = self._count(app_id)
        count.begun += 1
        return count.begun <= self._core.settings.session_starts

    def is_in_turn(self, app_id: int, shard: int) -> bool:
        """Whether the bucket of this shard may begin a session now; if so, it has."""
        settings, now, last = self._core.settings, self._core.clock.time(), self._count(app_id).last
        bucket = shard % settings.max_concurrency
        if now < last.get(bucket, 0.0) + settings.identify_seconds:
            return False
        last[bucket] = now
        return True

    def describe(self, app_id: int) -> Json:
        """The `session_start_limit` of `/gateway/bot`."""
        settings, count = self._core.settings, self._count(app_id)
        return {
            "total": settings.session_starts,
            "remaining": max(0, settings.session_starts - count.begun),
            "reset_after": int((count.since + DAY - self._core.clock.time()) * 1000),
            "max_concurrency": settings.max_concurrency,
        }

    def _count(self, app_id: int) -> _Count:
        now = self._core.clock.time()
        count = self._counts.get(app_id)
        if count is None or now >= count.since + DAY:
            count = self._counts[app_id] = _Count(now)
        return count
