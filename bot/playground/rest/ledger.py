"""The book of calls: how often each route was called, what counted, and who did it."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase

from bot.playground.protocol.wire import Json, stamp


@dataclass(frozen=True, slots=True)
class Entry:
    at: datetime
    method: str
    route: str
    path: str
    status: int
    who: str | None
    counted: bool
    """Whether it counts against the bot's global limit; callbacks and token calls are free."""
    milliseconds: float
    sent: int = 0
    """bytes of its body"""
    files: int = 0
    """how many of these were files"""

    def to_json(self) -> Json:
        return {
            "at": stamp(self.at),
            "method": self.method,
            "route": self.route,
            "path": self.path,
            "status": self.status,
            "who": self.who,
            "counted": self.counted,
            "milliseconds": round(self.milliseconds, 3),
        }


class Ledger:
    def __init__(self, keep: int) -> None:
        self.log: deque[Entry] = deque(maxlen=keep)
        self._routes: dict[tuple[str, bool], Counter[int]] = {}
        self._begun = Counter[str]()
        self._bytes = {"sent": 0, "files": 0}
        self._changed = asyncio.Event()

    def begin(self, method: str, route: str) -> None:
        """A call has come in; it is recorded when it is answered."""
        self._begun[f"{method} {route}"] += 1
        self._tell()

    def record(self, entry: Entry) -> None:
        self.log.append(entry)
        key = (f"{entry.method} {entry.route}", entry.counted)
        self._routes.setdefault(key, Counter())[entry.status] += 1
        self._bytes = {"sent": self._bytes["sent"] + entry.sent, "files": self._bytes["files"] + entry.files}
        self._tell()

    def count(self, pattern: str) -> int:
        """Answered calls of routes like `PATCH /channels/*`."""
        found = (statuses for (route, _), statuses in self._routes.items() if fnmatchcase(route, pattern))
        return sum(statuses.total() for statuses in found)

    def begun(self, pattern: str) -> int:
        """Calls of such routes that have come in, answered or not."""
        return sum(calls for route, calls in self._begun.items() if fnmatchcase(route, pattern))

    def under_way(self) -> list[str]:
        """Routes with calls that have come in and are not answered."""
        return [f"{route}: {calls}" for route, begun in self._begun.items() if (calls := begun - self._answered(route))]

    def _answered(self, route: str) -> int:
        return sum(self._routes[key].total() for key in ((route, True), (route, False)) if key in self._routes)

    async def reach(self, count: Callable[[], int], times: int) -> None:
        """Wait until one of these counts is so high."""
        while count() < times:
            await self._changed.wait()

    def reset(self) -> None:
        self.log.clear()
        self._routes.clear()
        self._begun.clear()
        self._bytes = {"sent": 0, "files": 0}

    def _tell(self) -> None:
        """Wake who waits; each looks for itself."""
        self._changed.set()
        self._changed = asyncio.Event()

    def summary(self) -> Json:
        """Totals, and each route with its statuses. `invalid` are those that lead to a ban: 401, 403, 429."""
        totals = {"counted": 0, "free": 0, "invalid": 0}
        routes: Json = {}
        for (route, counted), statuses in sorted(self._routes.items()):
            calls = statuses.total()
            totals["counted" if counted else "free"] += calls
            totals["invalid"] += sum(statuses[each] for each in (401, 403, 429))
            routes[route] = {
                "calls": calls,
                "counted": counted,
                "statuses": {str(status): number for status, number in sorted(statuses.items())},
            }
        return {**totals, **self._bytes, "routes": routes}
