"""One table of deadlines, one sleeper. Overdue ones fire at start; downtime is credited to the players, and so is the
time in which Discord could not be reached."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.referee.changes import DropDeadlines, Heartbeat, ShiftDeadlines
from bot.referee.model import Deadline, DeadlineKind
from bot.referee.referee import Referee

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=3)
"""how often the process says that it is alive"""

BRIEF = timedelta(seconds=10)
"""A new connection, as Discord asks for a few times a day: nothing is drawn anew for so little."""

LONGEST_SLEEP = 60.0
PAUSE = 0.1
"""seconds between looks at the deadlines while many matches move on"""

AGAIN = timedelta(seconds=5)
"""how long a deadline that failed waits for its next try"""

Remind = Callable[[Deadline], Awaitable[None]]


async def downtime(referee: Referee) -> timedelta:
    """How long it is since the last sign of life."""
    last = await referee.store.heartbeat()
    away = referee.clock.now() - last if last is not None else timedelta()
    return max(away, timedelta())  # a clock that was set back takes nothing away


async def credit(referee: Referee, away: timedelta, unseen: bool = False) -> None:
    """Nobody could play for so long, however short: every clock is moved by as much."""
    beat = Heartbeat(referee.clock.now())
    if not away:
        await referee.write((beat,))
        return
    await referee.write((ShiftDeadlines(away, unseen), beat))
    referee.forget()
    log.info("away for %.1f seconds; every clock was moved by as much", away.total_seconds())


class Presence:
    """Whether people can reach the referee. While they cannot, no deadline fires and there is no sign of life."""

    def __init__(self, referee: Referee, away: timedelta, now: Callable[[], float] = time.monotonic) -> None:
        self.referee = referee
        self.here = asyncio.Event()
        self._connected = False
        self._now = now
        self._away = away
        """how long the process was away when it started"""
        self._began: float | None = now()
        """since when it has tried to be there for the first time"""

    def gone(self) -> None:
        """The connection to Discord is lost."""
        self._connected = False
        self.here.clear()

    async def back(self) -> None:
        """It is there, or there again."""
        self._connected = True
        began, self._began = self._began, None  # credited once, even if it is lost again meanwhile
        try:
            if began is not None:
                await credit(self.referee, self._away + timedelta(seconds=self._now() - began))
            else:
                away = await downtime(self.referee)
                await credit(self.referee, away, unseen=away < BRIEF)
        except Exception:  # the store may be locked or full for a while; clocks must not stop for ever
            log.exception("the time without Discord could not be credited")
        if self._connected:  # else it was lost again meanwhile
            self.here.set()


class Sleeper:
    """Fires what is due. `remind` sends warnings and nudges; it may be told of the same one twice."""

    def __init__(self, referee: Referee, remind: Remind, presence: Presence, longest: float = LONGEST_SLEEP) -> None:
        self.referee = referee
        self.presence = presence
        self.remind = remind
        self.longest = longest
        """a clock that tests can move is looked at often"""
        self._wake = asyncio.Event()
        self._failed: dict[tuple[str, DeadlineKind], datetime] = {}

    def wake(self, _: str = "") -> None:
        """Something changed: look again at what is due next."""
        self._wake.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.presence.here.wait()
            self._wake.clear()
            try:
                pause = await self.fire_due()
            except Exception:  # the store may be locked or full for a while; clocks must not stop for ever
                log.exception("looking for deadlines failed; trying again")
                pause = AGAIN.total_seconds()
            if pause > 0:
                try:
                    await asyncio.wait_for(self._wake.wait(), min(pause, self.longest))
                except TimeoutError:
                    continue
                await asyncio.sleep(PAUSE)

    async def fire_due(self) -> float:
        """Fire everything due; how many seconds until the next one."""
        now = self.referee.clock.now()
        due = [one for one in await self.referee.store.due(now) if self._failed.get(_key(one), now) <= now]
        for deadline in due:
            await self._fire(deadline)
        if due:
            return 0
        next_due = await self.referee.store.next_due()
        if next_due is None:
            return self.longest
        return max((next_due - self.referee.clock.now()).total_seconds(), 0.05 if not self._failed else 1.0)

    async def _fire(self, deadline: Deadline) -> None:
        try:
            await self._handle(deadline)
            self._failed.pop(_key(deadline), None)
        except Exception:  # one match in trouble must not stop the clocks of the others
            log.exception("a deadline of %s failed; it fires again", deadline.owner)
            self._failed[_key(deadline)] = self.referee.clock.now() + AGAIN

    async def _handle(self, deadline: Deadline) -> None:
        owner, kind = deadline.owner, deadline.kind
        if kind is DeadlineKind.LOBBY:
            done = await self.referee.expire_lobby(owner) is not None
        elif kind is DeadlineKind.BID:
            done = await self.referee.expire(deadline) is not None
        elif kind is DeadlineKind.IDLE:
            done = await self.referee.abandon(owner, deadline.prompt)
        else:
            await self.remind(deadline)
            done = False
        if not done:  # a reminder was sent, or what it was about has passed
            await self.referee.write((DropDeadlines(owner, kind),))


def _key(deadline: Deadline) -> tuple[str, DeadlineKind]:
    return deadline.owner, deadline.kind


async def beat(referee: Referee, presence: Presence) -> None:
    """Say that people can play, until cancelled."""
    while True:
        await asyncio.sleep(BEAT.total_seconds())
        await presence.here.wait()
        try:
            await referee.write((Heartbeat(referee.clock.now()),))
        except Exception:  # the store may be full for a while; the next beat tries again
            log.exception("the heartbeat could not be written")
