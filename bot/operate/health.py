"""Health of the process: alive (Docker, systemd and /healthz), and ready to play (/readyz)."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from bot.referee.clock.presence import Presence
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.referee.model.partitions import PARTITIONS
from bot.referee.referee import Referee
from data.sql import surfaces
from data.store import Database

if TYPE_CHECKING:
    from bot.operate.metrics import Metrics

TICK = 0.25
LATELY = 20
"""ticks whose lag is kept"""

STILL = 1.0
"""lag of the event loop, in seconds, from which the process is not alive"""

LATE = timedelta(seconds=30)
"""a deadline that is overdue for so long means that deadlines do not fire"""

MEASURE_INTERVAL = 2.0
"""seconds between two measurements of the store"""

MEASURE_REST = 20
"""how many times as long as a measurement the store rests from it at least: with many live matches it takes long"""


def name_lost(lost: Collection[int], shards: int) -> str:
    """Say in words which of so many shards have no connection to Discord; empty if it is all of them, or none."""
    if len(lost) in (0, shards):
        return ""
    return f"{len(lost)} of {shards} shards not connected to Discord: {', '.join(map(str, sorted(lost)))}"


class HouseQueue(Protocol):
    """The queue of slow house players."""

    @property
    def waiting(self) -> int: ...


class HealthSource(Protocol):
    """What the status pages show."""

    @property
    def lag(self) -> float: ...

    def alive(self) -> bool: ...

    async def troubles(self) -> list[str]: ...


class StandbyHealth:
    """Health of a process that waits for partitions: alive, and never ready."""

    lag = 0.0

    def alive(self) -> bool:
        return True

    async def troubles(self) -> list[str]:
        return ["standing by: another process plays"]


class Health:
    """Health of a process that plays."""

    def __init__(
        self,
        referee: Referee,
        presence: Presence,
        database: Database,
        house_queue: HouseQueue,
        metrics: Metrics | None = None,
        now: Callable[[], float] = time.monotonic,
        lost: Callable[[], str] = str,
    ) -> None:
        """`lost` says in words which shards have no connection to Discord."""
        self.referee = referee
        self.presence = presence
        self.database = database
        self.house_queue = house_queue
        self.metrics = metrics
        self._now = now
        self._lost = lost
        self._lags: deque[float] = deque(maxlen=LATELY)
        self._ticked = now()
        self._behind: dict[str, float] = {}

    @property
    def lag(self) -> float:
        """Longest lag of the event loop lately, up to now."""
        return max(0.0, self._now() - self._ticked - TICK, *self._lags)

    @property
    def last_turn(self) -> float:
        """Time of the last turn of the event loop."""
        return self._ticked

    def alive(self) -> bool:
        """Return True if the event loop does not lag."""
        return self.lag < STILL

    async def troubles(self) -> list[str]:
        """Return the reasons why nobody can play now."""
        found: list[str] = []
        if not self.alive():
            found.append(f"the event loop stood still for {self.lag:.1f} s")
        if not self.presence.online.is_set():
            found.append(self._lost() or "not connected to Discord")
        if self.database.lost.is_set():
            found.append("the database is lost")
        elif self.presence.stalled:
            found.append("the store saves nothing")
        try:
            late = await self.overdue()
        except (StoreBusy, StoreReadOnly, sqlite3.Error):
            found.append("the store cannot be read")
        else:
            if late > LATE:
                found.append(f"a deadline is {late.total_seconds():.0f} s late")
        return found

    async def overdue(self) -> timedelta:
        """Return how late the earliest deadline is."""
        due = await self.referee.store.next_due()
        return max(timedelta(), self.referee.clock.now() - due) if due is not None else timedelta()

    async def tick(self) -> None:
        """Measure the lag of the event loop, until cancelled."""
        while True:
            self._ticked = self._now()
            await asyncio.sleep(TICK)
            self._lags.append(max(0.0, self._now() - self._ticked - TICK))

    async def look(self) -> None:
        """Measure the store again and again, until cancelled."""
        while self.metrics is not None:
            began = self._now()
            await self.measure(self.metrics)
            await asyncio.sleep(max(MEASURE_INTERVAL, MEASURE_REST * (self._now() - began)))

    async def measure(self, metrics: Metrics) -> None:
        """Measure the store once."""
        metrics.house_queue.set(self.house_queue.waiting)
        metrics.loop.set(self.lag)
        try:
            live, behind = await self.database.read(surfaces.count_load())
            owners = {one.match for one in await self.referee.store.behind()}
            late = await self.overdue()
        except (StoreBusy, StoreReadOnly, sqlite3.Error):
            return  # writes report the failure; keep the old values
        metrics.live.set(live)
        metrics.partitions.set(sum(map(self.referee.store.owns_partition, range(PARTITIONS))))
        metrics.behind.set(behind)
        metrics.overdue.set(late.total_seconds())
        metrics.behind_for.set(self._longest(owners))

    def _longest(self, owners: set[str]) -> float:
        """Return for how long a message of some match or lobby has been outdated without a break."""
        now = self._now()
        self._behind = {owner: self._behind.get(owner, now) for owner in owners}
        return now - min(self._behind.values(), default=now)
