"""Whether people can play.

All downtime is credited: after a restart, a lost connection, a stalled process, a store that refuses writes, or a wrong
clock, every clock has the time left that it had before.

A press may find that time is owed. Giving it back is no work of that interaction, so the store is written directly.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import datetime, timedelta

from bot.process.base.clock import SystemClock
from bot.referee.model.changes import CommitUnknown, Heartbeat, ShiftDeadlines, StoreBusy, StoreReadOnly
from bot.referee.model.partitions import PARTITIONS
from bot.referee.referee import Referee

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=3)
"""Interval of heartbeats."""

BRIEF = timedelta(seconds=10)
"""Downtime that causes no redraw, such as a new connection, which Discord asks for a few times a day."""

SHORT = timedelta(seconds=1)
"""Downtime that is not credited to a single press."""

DOUBT = BEAT + timedelta(seconds=5)
"""Time before the last heartbeat in which an older drawing may have arrived after the newest one."""

TICK = 1.0
"""Seconds between checks for a stalled process."""

STILL = 3.0
"""Seconds between two checks that mean a stall. Shorter ones cost no bid: the time of the press counts."""


async def read_downtime(referee: Referee) -> timedelta:
    """Return the time since the last heartbeat of any process; negative if the clock was set back."""
    last = await referee.store.heartbeat()
    return referee.clock.now() - last if last is not None else timedelta()


async def credit_downtime(
    referee: Referee, away: timedelta, unseen: bool = False, doubted: datetime | None = None
) -> None:
    """Move every deadline by the downtime."""
    process = referee.store.process
    beat = Heartbeat(referee.clock.now(), process)
    if not away:
        await referee.store.write((beat,))
        return
    await referee.store.write((ShiftDeadlines(away, unseen, doubted=doubted, process=process), beat))
    referee.clear_cache()
    if any(map(referee.store.owns_partition, range(PARTITIONS))):  # a process that joins others has no clock yet
        log.info("away for %.1f seconds; every clock of this process got that time back", away.total_seconds())


async def credit_partitions(
    referee: Referee, owners: Mapping[int, int], living: Collection[int] = (), is_away: bool = False
) -> None:
    """Credit the time since `away_since` to each of these partitions, once. What a living process hands over gets it
    only if one of both is away, or if its clock is another: that process had its last heartbeat just now.
    If this process `is_away`, it will credit the time since its own last heartbeat to all of its partitions."""
    now, process = referee.clock.now(), referee.store.process
    until = (await referee.store.heartbeat_of(process) if is_away else None) or now
    steps: list[ShiftDeadlines] = []
    ownerless: list[timedelta] = []
    for partition, since in await referee.store.absences():
        if partition in owners:
            away = until - since
            owed = away if is_away or owners[partition] not in living or abs(away) >= BRIEF else timedelta()
            steps.append(ShiftDeadlines(owed, owed < BRIEF, True, since - DOUBT, process, partition, since))
            if owners[partition] not in living:
                ownerless.append(now - since)
    try:
        if steps:
            await referee.store.write((*steps,))
    finally:  # also if nobody knows whether it was written
        if any(step.by for step in steps):
            referee.clear_cache()
    if ownerless and max(ownerless) > timedelta():  # negative by the clock of another machine
        log.info("%d partitions had no owner for up to %.1f s", len(ownerless), max(ownerless).total_seconds())


async def _do_nothing() -> None:
    """Default of a callback."""


class Presence:
    """Whether people can reach the referee. While they cannot, no deadline fires and no heartbeat is written."""

    def __init__(
        self,
        referee: Referee,
        away: timedelta,
        now: Callable[[], float] = time.monotonic,
        clock: SystemClock | None = None,
        *,
        on_skew: Callable[[timedelta], None] = lambda _: None,
        on_shift: Callable[[], Awaitable[None]] = _do_nothing,
    ) -> None:
        """`on_skew` gets the difference between this machine's clock and Discord's, each time it changes. `on_shift` is
        called after deadlines moved while people look on: their boards show other times now."""
        self.referee = referee
        self.here = asyncio.Event()
        self.online = asyncio.Event()
        """connected, whether or not the store takes anything"""
        self.stalled = False
        """the store did not take something: until it takes a sign of life, no clock runs"""
        self.on_skew = on_skew
        self.on_shift = on_shift
        self._untold = False
        """True if `on_shift` must still be called."""
        self._now = now
        self._clock = clock
        self.before = referee.clock.now() - away
        """Last heartbeat of the previous process."""
        self._away = away
        """how long the process was away when it started"""
        self._began: float | None = now()
        """Time of the first attempt to be reachable; None once the downtime is credited."""
        self._credited = timedelta()
        """what was credited since the connection was lost; boards are drawn once it was not brief"""
        self._awake: float | None = None
        """when it was last seen that the process runs, while people can play"""
        self._moving = asyncio.Lock()
        """Held while clocks are moved, so that no press is judged by a time that is half set."""

    @property
    def has_left(self) -> bool:
        """True if people could play and cannot any more: no clock may run out, also if its time was read before."""
        return self.stalled or (self._began is None and not self.here.is_set())

    @property
    def is_away(self) -> bool:
        """True while people cannot play: the time since the last heartbeat is still to be given back."""
        return not self.here.is_set()

    # --- the connection ----------------------------------------------------------------------------------

    def disconnect(self) -> None:
        """Stop clocks: a connection to Discord is lost."""
        self.online.clear()
        self.here.clear()
        self._awake = None

    async def reconnect(self) -> None:
        """Credit the downtime: every connection to Discord is up."""
        self.online.set()
        async with self._moving:
            await self._credit_absence()

    async def _credit_absence(self) -> None:
        """Give back the time since the last sign of life, or try again with the next one."""
        moment = self._now()  # up to which it is given back: the process may stand still while that is written
        try:
            if self._began is not None:
                began, self._began = self._began, None  # credited once, even if the connection is lost again
                try:
                    away = self._away + timedelta(seconds=moment - began)
                    await credit_downtime(self.referee, away, abs(away) < BRIEF, self.before - DOUBT)
                except BaseException:  # cancelled included: what was not credited is still owed
                    self._began = began
                    raise
            else:
                away = await self._read_absence()
                await credit_downtime(self.referee, away, unseen=abs(away + self._credited) < BRIEF)
        except Exception as trouble:  # the store may be locked or full for a while
            self.stall(trouble)
            return
        self.stalled = False
        self._credited += away
        if self.online.is_set():  # else the connection was lost again
            self._credited = timedelta()
            self._awake = moment
            self.here.set()

    async def _read_last_beat(self) -> datetime | None:
        """Read the last heartbeat of this process; before its first one that of any: others do not stop with it."""
        store = self.referee.store
        return await store.heartbeat_of(store.process) or await store.heartbeat()

    async def _read_absence(self) -> timedelta:
        last = await self._read_last_beat()
        return self.referee.clock.now() - last if last is not None else timedelta()

    async def _credit_so_far(self) -> None:
        """Credit the downtime up to a press that comes while clocks stand: if one of several connections is lost, the
        others still bring presses."""
        async with self._moving:
            owed = self._began is not None or abs(await self._read_absence()) >= SHORT
            if owed and not self.online.is_set():
                await self._credit_absence()

    # --- the store ---------------------------------------------------------------------------------------

    def stall(self, trouble: Exception | None = None) -> None:
        """Stop clocks: the store refused a write."""
        if not self.stalled:
            unknown = trouble is not None and not isinstance(trouble, StoreBusy | StoreReadOnly)
            log.warning("the store saves nothing; clocks wait until it does", exc_info=trouble if unknown else None)
        self.stalled = True
        self.here.clear()
        self._awake = None

    async def pulse(self) -> None:
        """Write one heartbeat; the first one after a stall credits the downtime."""
        await self.detect_stall()
        async with self._moving:
            if not self.online.is_set():
                return
            if self.stalled:
                await self._credit_absence()
                self._untold = not self.stalled
            else:
                try:
                    store = self.referee.store
                    await store.write((Heartbeat(self.referee.clock.now(), store.process),))
                except Exception as trouble:  # it may be full for a while; the next beat tries again
                    self.stall(trouble)
        await self._tell_moved()

    async def tell_moved(self) -> None:
        """Call `on_shift` because clocks were moved; retry with the next heartbeat if the store is busy."""
        self._untold = True
        await self._tell_moved()

    async def _tell_moved(self) -> None:
        if not self._untold or self.stalled:
            return
        self._untold = False
        try:
            await self.on_shift()
        except (StoreBusy, StoreReadOnly, CommitUnknown):  # the next beat tries again
            self._untold = True

    # --- the process -------------------------------------------------------------------------------------

    async def detect_stall(self) -> None:
        """Credit the time if the process stood still since the last call, for example on a suspended machine."""
        await self._detect_stall()
        if self._untold:
            await self._tell_moved()

    async def _detect_stall(self) -> None:
        async with self._moving:
            pass  # one task moves the clocks for all; those that wait for it go on in their order
        now, awake = self._now(), self._awake
        if awake is None:
            return
        if now - awake <= STILL:
            self._awake = now
            return
        async with self._moving:
            moment = self._now()
            stood = timedelta() if self._awake is None else timedelta(seconds=moment - self._awake)
            if stood.total_seconds() <= STILL:
                return
            try:
                await credit_downtime(self.referee, stood, unseen=stood < BRIEF)
            except Exception as trouble:
                self.stall(trouble)
                return
            log.warning("the process stood still for %.1f s", stood.total_seconds())
            if self._awake is not None:  # else the connection was lost
                self._awake = moment
            self._untold = True

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(TICK)
            await self.detect_stall()

    # --- the clock ---------------------------------------------------------------------------------------

    async def sync_clock(self, at: datetime, is_replayed: bool = False) -> None:
        """Set the clock by the time of a press, which is Discord's. One that was replayed says nothing of the clock.

        The press does not wait for `on_shift`: the next call of `detect_stall` or the next heartbeat does that.
        """
        await self._detect_stall()
        if not self.online.is_set():
            await self._credit_so_far()
        if self._clock is None or is_replayed or not self._clock.off(at):
            return
        async with self._moving:
            by = self._clock.off(at)
            if by:
                await self._set_clock(self._clock, by)
                self._untold = True
        self.on_skew(self._clock.skew)

    def press_age(self, at: datetime) -> float:
        """Return the seconds since a press, at most.

        A clock that was set back by late presses may show too short an age; the skew is added.
        """
        ahead = timedelta() if self._clock is None else max(-self._clock.skew, timedelta())
        return (self.referee.clock.now() + ahead - at).total_seconds()

    async def _set_clock(self, clock: SystemClock, by: timedelta) -> None:
        """Set the clock and move every deadline with it. Commands that read the old time are repeated."""
        # What is owed since the last sign of life is still to be given back, and was measured by the old time.
        last = None if self.here.is_set() else await self._read_last_beat()
        ahead = max(by, timedelta())
        with self.referee.repository.set_clock():
            clock.set(by - ahead)
            try:
                at = self.referee.clock.now() + ahead if last is None else last + by
                store = self.referee.store
                beat = Heartbeat(at, store.process)
                await store.write((ShiftDeadlines(by, told=False, process=store.process), beat))
            except BaseException:  # cancelled included: a clock that is set without its deadlines would judge people
                clock.set(ahead - by)  # as it was
                raise
            clock.set(ahead)
            self.referee.clear_cache()
        log.warning("the clock was corrected by %+.1f s to Discord's time", by.total_seconds())


async def send_heartbeats(presence: Presence) -> None:
    """Write heartbeats until cancelled."""
    while True:
        await asyncio.sleep(BEAT.total_seconds())
        await presence.online.wait()
        await presence.pulse()
