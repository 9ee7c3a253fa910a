"""Whether the bot is alive, and whether it does what it is there for. Docker's check, systemd's watchdog and /healthz
all ask the same."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from bot.referee.clock.presence import Presence
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.referee.referee import Referee
from data.sql import surfaces
from data.sql.statement import Read

if TYPE_CHECKING:
    from bot.operate.metrics import Metrics

T = TypeVar("T")

TICK = 0.25
LATELY = 20
"""ticks that are remembered"""

STILL = 1.0
"""seconds for which an event loop may stand still and be called alive"""

LATE = timedelta(seconds=30)
"""deadlines that are due for so long are not fired any more"""

LOOKED = 2.0
"""seconds between looks into the store"""


class HealthDatabase(Protocol):
    """A database that can be looked into."""

    lost: asyncio.Event

    async def read(self, read: Read[T]) -> T: ...


class HouseQueue(Protocol):
    """Who thinks for the house."""

    @property
    def waiting(self) -> int: ...


class HealthSource(Protocol):
    """What the pages ask."""

    @property
    def lag(self) -> float: ...

    def alive(self) -> bool: ...

    async def troubles(self) -> list[str]: ...


class StandbyHealth:
    """A keeper that waits until the one that leads is gone: it is alive where it can say so, and nobody plays here."""

    lag = 0.0

    def alive(self) -> bool:
        return True

    async def troubles(self) -> list[str]:
        return ["standing by: another keeper leads"]


class Health:
    """One for a process."""

    def __init__(
        self,
        referee: Referee,
        presence: Presence,
        database: HealthDatabase,
        house_queue: HouseQueue,
        metrics: Metrics | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.referee = referee
        self.presence = presence
        self.database = database
        self.house_queue = house_queue
        self.metrics = metrics
        self._now = now
        self._lags: deque[float] = deque(maxlen=LATELY)
        self._ticked = now()
        self._behind: dict[str, float] = {}

    @property
    def lag(self) -> float:
        """The longest that the event loop stood still lately, up to this moment."""
        return max(0.0, self._now() - self._ticked - TICK, *self._lags)

    @property
    def last_turn(self) -> float:
        """When the event loop turned last."""
        return self._ticked

    def alive(self) -> bool:
        """Whether everybody has had their turn."""
        return self.lag < STILL

    async def troubles(self) -> list[str]:
        """Why people cannot play now; nothing if they can."""
        found: list[str] = []
        if not self.alive():
            found.append(f"the event loop stood still for {self.lag:.1f} s")
        if not self.presence.online.is_set():
            found.append("not connected to Discord")
        if self.database.lost.is_set():
            found.append("the database is lost")
        elif self.presence.stalled:
            found.append("the store takes nothing")
        try:
            late = await self.overdue()
        except (StoreBusy, StoreReadOnly, sqlite3.Error):
            found.append("the store cannot be read")
        else:
            if late > LATE:
                found.append(f"a deadline is {late.total_seconds():.0f} s late")
        return found

    async def overdue(self) -> timedelta:
        """How late the earliest deadline is."""
        due = await self.referee.store.next_due()
        return max(timedelta(), self.referee.clock.now() - due) if due is not None else timedelta()

    async def tick(self) -> None:
        """Feel the event loop's pulse, until cancelled."""
        while True:
            self._ticked = self._now()
            await asyncio.sleep(TICK)
            self._lags.append(max(0.0, self._now() - self._ticked - TICK))

    async def look(self) -> None:
        """Keep the figures of what lies in the store, until cancelled."""
        while self.metrics is not None:
            await self.measure(self.metrics)
            await asyncio.sleep(LOOKED)

    async def measure(self, metrics: Metrics) -> None:
        """One look."""
        metrics.house_queue.set(self.house_queue.waiting)
        metrics.loop.set(self.lag)
        try:
            live, behind = await self.database.read(surfaces.crowd())
            owners = {one.match for one in await self.referee.store.behind()}
            late = await self.overdue()
        except (StoreBusy, StoreReadOnly, sqlite3.Error):
            return  # it is told by what cannot be written; these figures stay as they were
        metrics.live.set(live)
        metrics.behind.set(behind)
        metrics.overdue.set(late.total_seconds())
        metrics.behind_for.set(self._longest(owners))

    def _longest(self, owners: set[str]) -> float:
        """For how long something of a match or lobby has been behind without a break."""
        now = self._now()
        self._behind = {owner: self._behind.get(owner, now) for owner in owners}
        return now - min(self._behind.values(), default=now)
