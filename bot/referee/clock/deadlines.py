"""One table of deadlines and one sleeper. Overdue deadlines fire at start.

Clocks wait for no reminder, and reminders do not wait for each other. `presence` handles downtime.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from bot.referee.clock.presence import Presence
from bot.referee.model.changes import DropDeadlines, PartitionMoved, PutOff
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import Deadline, DeadlineKind
from bot.referee.model.partitions import partition_of_owner
from bot.referee.referee import Referee

log = logging.getLogger(__name__)

LONGEST_SLEEP = 60.0
BATCH = 100
"""deadlines looked at in one go"""

PAUSE = 0.1
"""seconds between looks at the deadlines while many matches move on"""

RETRY_AFTER = timedelta(seconds=5)
"""Delay after which a failed deadline is retried."""

RARELY = timedelta(minutes=5)
"""Longest delay between tries of a reminder."""

AT_ONCE = 20
"""Reminders sent at the same time: half a second of Discord's global limit."""

CLOCKS = (
    *(DeadlineKind.LOBBY, DeadlineKind.FILL, DeadlineKind.BID, DeadlineKind.IDLE),
    *(DeadlineKind.SERVER, DeadlineKind.BAN, DeadlineKind.SEASON, DeadlineKind.PAUSE),
    DeadlineKind.SEARCH,
)
"""Deadlines that need the store only; all others are reminders, for which Discord may take its time."""

Remind = Callable[[Deadline], Awaitable[bool | datetime]]
"""Returns True if all reminders were sent, or the time of the next ones; else the deadline is retried."""


class Sleeper:
    """Fires due deadlines. Clocks run in order and need the store only; reminders run as tasks.

    A reminder may be sent twice: its row stays until it is done, so it survives a crash.
    """

    def __init__(
        self,
        referee: Referee,
        remind: Remind,
        presence: Presence,
        longest: float = LONGEST_SLEEP,
        before: Callable[[str], Awaitable[object]] | None = None,
    ) -> None:
        """`before` is called with the id of a match or lobby before its deadline is handled: a leader reads it again,
        because other processes may have changed it."""
        self.referee = referee
        self.presence = presence
        self.remind = remind
        self.longest = longest
        """a clock that tests can move is looked at often"""
        self.before = before
        self._wake = asyncio.Event()
        self._failed: dict[_Key, _Failed] = {}
        self._reminders: dict[_Key, asyncio.Task[None]] = {}
        """those under way"""
        self._places = asyncio.Semaphore(AT_ONCE)

    def wake(self, _: str = "") -> None:
        """Look again at what is due next, because something changed."""
        self._wake.set()

    async def run(self) -> None:
        """Fire deadlines until cancelled."""
        try:
            while True:
                await self._fire_and_wait()
        finally:
            await self.close()

    async def close(self) -> None:
        """Cancel running reminders; they stay due."""
        going = list(self._reminders.values())
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    async def _fire_and_wait(self) -> None:
        await self.presence.here.wait()
        self._wake.clear()
        self.referee.repository.next_look = None  # what is committed while they are read may be missed
        try:
            pause = await self.fire_due()
        except Exception:  # the store may be locked or full for a while; clocks must not stop for ever
            log.exception("looking for deadlines failed; trying again")
            pause = RETRY_AFTER.total_seconds()
        if pause > 0:
            pause = min(pause, self.longest)
            self.referee.repository.next_look = self.referee.clock.now() + timedelta(seconds=pause)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):  # 3.11's `wait_for` may swallow a cancellation
                    await self._wake.wait()
                await asyncio.sleep(PAUSE)

    async def fire_due(self) -> float:
        """Fire everything due; how many seconds until the next one."""
        await self.presence.detect_stall()  # a stall must not send reminders early
        now = self.referee.clock.now()
        held = self._list_held(now)  # before the read: a reminder that ends later may still be in its result
        due = [
            one
            for one in await self.referee.store.due(now, BATCH + len(held))
            if _key(one) not in held and self.referee.store.owns_partition(partition_of_owner(one.owner))
        ]
        for deadline in due:
            if deadline.kind in CLOCKS:
                await self.presence.detect_stall()  # else it may look overdue only because we stood still
                if self.presence.has_left:
                    break
            if deadline.due > self.referee.clock.now():
                continue  # the clock was set back after it was asked for
            if deadline.kind in CLOCKS:
                await self._fire(deadline)
            else:
                self._start_reminder(deadline)
        return 0 if due else await self._seconds_to_next(held)

    def _list_held(self, now: datetime) -> set[_Key]:
        """Return the keys of due deadlines to skip: running reminders, and deadlines that failed recently."""
        self._failed = {key: one for key, one in self._failed.items() if one.again + RARELY > now}
        return self._reminders.keys() | {key for key, one in self._failed.items() if one.again > now}

    async def _seconds_to_next(self, held: set[_Key]) -> float:
        """Return the seconds until another deadline is due, or a failed one is retried."""
        if held:
            until = self.referee.clock.now() + timedelta(seconds=self.longest)
            soon = await self.referee.store.due(until, 1 + len(held))
            times = [one.due for one in soon if _key(one) not in held][:1]
        else:
            first = await self.referee.store.next_due()
            times = [] if first is None else [first]
        now = self.referee.clock.now()
        times += [one.again for key, one in self._failed.items() if key in held and one.again > now]
        return max((min(times) - now).total_seconds(), 0.05) if times else self.longest

    async def _fire(self, deadline: Deadline) -> None:
        try:
            if self.before is not None:
                await self.before(deadline.owner)
            if not await self._handle(deadline):  # what it was about has passed
                await self._drop(deadline, deadline.due)
            self._failed.pop(_key(deadline), None)
        except PartitionMoved:
            log.debug("the deadline of %s belongs to another process now", deadline.owner)
        except Exception:  # one match in trouble must not stop the clocks of the others
            log.exception("a deadline of %s failed; it fires again", deadline.owner)
            self._failed[_key(deadline)] = _Failed(self.referee.clock.now() + RETRY_AFTER, RETRY_AFTER)

    async def _handle(self, deadline: Deadline) -> bool:
        """Return True if the deadline changed something. Never call Discord from here: all other clocks wait."""
        if deadline.kind is DeadlineKind.LOBBY:
            return await self.referee.lobbies.expire(deadline.owner) is not None
        if deadline.kind is DeadlineKind.FILL:
            return await self.referee.house_seats.offer_fill(deadline.owner) is not None
        if deadline.kind is DeadlineKind.SEARCH:
            return await self.referee.searches.look_further(deadline)
        if deadline.kind is DeadlineKind.BID:
            return await self.referee.matches.expire(deadline) is not None
        if deadline.kind is DeadlineKind.SERVER:
            return await self.referee.leaving.delete_data(deadline)
        if deadline.kind is DeadlineKind.BAN:
            return await self.referee.moderating.drop_ended_bans(*read_owner(deadline.owner))
        if deadline.kind is DeadlineKind.PAUSE:
            await self.referee.pausing.update_matches(*read_owner(deadline.owner))
            return True
        if deadline.kind is DeadlineKind.SEASON:
            return await self.referee.seasons.end(deadline)
        return await self.referee.matches.abandon(deadline.owner, deadline.prompt)

    def _start_reminder(self, deadline: Deadline) -> None:
        key = _key(deadline)
        task = asyncio.create_task(self._send_reminder(deadline), name=f"remind-{deadline.owner}")

        def ended(_: asyncio.Task[None]) -> None:
            del self._reminders[key]
            self.wake()

        self._reminders[key] = task
        task.add_done_callback(ended)

    async def _send_reminder(self, deadline: Deadline) -> None:
        key = _key(deadline)
        done: bool | datetime = False
        try:
            async with self._places:
                if self.before is not None:
                    await self.before(deadline.owner)
                done = await self.remind(deadline)
            if isinstance(done, datetime):
                await self.referee.write((PutOff(replace(deadline, due=done)),))
            elif done:
                await self._drop(deadline)
        except PartitionMoved:
            done = True  # another process sends the next ones
        except Exception:  # sent again after any error
            log.exception("a reminder of %s failed; it is sent again", deadline.owner)
            done = False
        if done:
            self._failed.pop(key, None)
            return
        before = self._failed.get(key)
        wait = RETRY_AFTER if before is None else min(2 * before.waited, RARELY)
        self._failed[key] = _Failed(self.referee.clock.now() + wait, wait)

    async def _drop(self, deadline: Deadline, due: datetime | None = None) -> None:
        """Drop this deadline, but not one of a later prompt that replaced it."""
        await self.referee.write((DropDeadlines(deadline.owner, deadline.kind, deadline.prompt, due),))


_Key: TypeAlias = tuple[str, DeadlineKind, int]


@dataclass(frozen=True, slots=True)
class _Failed:
    """The time of the next try, and the delay before it."""

    again: datetime
    waited: timedelta


def _key(deadline: Deadline) -> _Key:
    return deadline.owner, deadline.kind, deadline.prompt
