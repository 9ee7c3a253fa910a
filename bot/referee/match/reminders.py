"""Reminders before a slow clock runs out: at the usual time, or at times of a person's own.

A match has one deadline for its warnings. It is due at the earliest time that an awaited person wants, and moves to the
next one after each reminder. It is set a minute after the prompt opened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.model.changes import PutOff
from bot.referee.model.durations import SLOW, warning_lead
from bot.referee.model.model import Deadline, DeadlineKind, UserId
from bot.referee.model.people import Player
from bot.referee.model.views import MatchView
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.referee.repository.view_service import Views

USUAL = "usual"
MOST = 5
SHORTEST, LONGEST = 5, 3 * 24 * 60
"""minutes"""
NEAR = timedelta(seconds=2)
"""Tolerance within which two times are the same."""

_LEADS = re.compile(r"([0-9]{1,4})\s*(h|m|min|d)?")
_MINUTES = {"h": 60, "": 60, "m": 1, "min": 1, "d": 24 * 60}


def read_reminders(text: str) -> tuple[int, ...]:
    """Return the minutes before a clock runs out, typed as 8h 4h 1h, or 90 min; () for the usual."""
    wanted = text.strip().lower()
    if wanted == USUAL:
        return ()
    found: set[int] = set()
    for part in filter(None, re.split(r"[,;/]|(?<=[hdmn])\s+|(?<=\d)\s+(?=\d)", wanted)):
        read = _LEADS.fullmatch(part.strip())
        minutes = int(read[1]) * _MINUTES[read[2] or ""] if read else 0
        if not SHORTEST <= minutes <= LONGEST:
            raise RefereeError("reminders-unreadable", x=text.strip()[:100])
        found.add(minutes)
    if not 1 <= len(found) <= MOST:
        raise RefereeError("reminders-unreadable", x=text.strip()[:100])
    return tuple(sorted(found, reverse=True))


def reminder_leads(player: Player, clock: int) -> Sequence[timedelta]:
    """Return how long before the deadline a person is reminded, the longest first."""
    if clock >= SLOW and player.reminders:
        own = [timedelta(minutes=one) for one in player.reminders]
        return [one for one in own if one.total_seconds() < clock]
    usual = warning_lead(clock)
    return [] if usual is None else [usual]


class Reminding(Commands):
    """The deadline of a match for the reminders of all its people."""

    def __init__(self, repository: MatchRepository, views: Views) -> None:
        super().__init__(repository)
        self._views = views

    def is_due(self, view: MatchView, player: Player, at: datetime) -> bool:
        """Return True if the warning that was due at `at` is meant for this person."""
        if view.deadline is None or view.setup.clock < SLOW:
            return True
        return any(abs(view.deadline - one - at) <= NEAR for one in reminder_leads(player, view.setup.clock))

    async def find_due(self, view: MatchView) -> Deadline | None:
        """Return the warning of the open prompt if it is due by now."""
        now = self._clock.now()
        for one in await self._store.deadlines_of(view.id):
            if one.kind is DeadlineKind.WARNING and one.prompt == view.prompt and one.due <= now:
                return one
        return None

    async def next_reminder(self, view: MatchView, at: datetime) -> datetime | None:
        """Return the time of the first warning after `at`; None if there is none."""
        if view.deadline is None or view.setup.clock < SLOW:
            return None
        players = [await self._store.player(seat.user) for seat in view.awaited if seat.user]
        leads = [lead for player in players for lead in reminder_leads(player, view.setup.clock)]
        return min((due for lead in leads if (due := view.deadline - lead) > at + NEAR), default=None)

    async def schedule(self, id: str) -> None:
        """Set the warning of a match to the first reminder that is still to come."""
        view, now = await self._views.view(id), self._clock.now()
        if view.over or view.deadline is None:
            return
        first = await self.next_reminder(view, now - NEAR)
        known = [deadline for deadline in await self._store.deadlines_of(id) if deadline.kind is DeadlineKind.WARNING]
        if first is not None and any(deadline.due != first for deadline in known):
            await self._repository.write((PutOff(Deadline(id, DeadlineKind.WARNING, first, view.prompt)),))

    async def schedule_all(self, user: UserId) -> None:
        """Reschedule all slow matches of a person whose reminders changed."""
        for stored in await self._store.live_of(user):
            if stored.setup.clock >= SLOW:
                await self.schedule(stored.id)
