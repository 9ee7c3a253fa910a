"""The book of calls: how often each route was called, what counted, and who did it."""

import asyncio
from collections import Counter, deque
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase

from bot.playground.wire import Json, stamp


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
        self._waiting: list[tuple[str, int, asyncio.Future[None]]] = []

    def record(self, entry: Entry) -> None:
        self.log.append(entry)
        key = (f"{entry.method} {entry.route}", entry.counted)
        self._routes.setdefault(key, Counter())[entry.status] += 1
        for pattern, times, done in self._waiting:
            if not done.done() and self.count(pattern) >= times:
                done.set_result(None)

    def count(self, pattern: str) -> int:
        """Calls of routes like `PATCH /channels/*`."""
        found = (statuses for (route, _), statuses in self._routes.items() if fnmatchcase(route, pattern))
        return sum(statuses.total() for statuses in found)

    async def reach(self, pattern: str, times: int) -> None:
        """Wait until there were so many calls of such routes."""
        if self.count(pattern) >= times:
            return
        waiting = (pattern, times, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await waiting[2]
        finally:
            self._waiting.remove(waiting)

    def reset(self) -> None:
        self.log.clear()
        self._routes.clear()

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
        return {**totals, "routes": routes}
