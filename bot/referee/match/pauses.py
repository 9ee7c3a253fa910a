"""Pauses of slow matches: the clocks of a person's slow matches stand still for all players.

A pause is a row. Each match derives its clock from the rows of its players. A pause moves the deadlines at once, and
ending it early moves them back. A job updates the matches of the person at the beginning, and a deadline at the end;
after a crash both are still there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.match import play
from bot.referee.model.changes import Conflict, DropDeadlines, EndPause, NewPause, SetDeadline
from bot.referee.model.clock_changes import pause_owner, read_owner
from bot.referee.model.durations import SLOW
from bot.referee.model.jobs import AskJob, Job, job_about
from bot.referee.model.model import Deadline, DeadlineKind, Setup, UserId
from bot.referee.model.partitions import partition_of
from bot.referee.model.people import Pause, SeatPause
from bot.referee.repository.live import Live, Played
from bot.referee.repository.match_repository import Commands, MatchRepository
from data.store import Store

BUDGET, SPAN = timedelta(days=7), timedelta(days=90)
"""Time that a person may take within any such span."""
LEAST = timedelta(hours=1)
"""Shortest pause: every pause is announced to others."""


@dataclass(frozen=True, slots=True)
class PauseStatus:
    """Until when a person has paused, and how much time they have left."""

    until: datetime | None
    left: timedelta
    told: bool = False
    """True if the pause stops a match with other people, who were told."""


class Pausing(Commands):
    """Begins and ends pauses, and updates the matches of a person."""

    def __init__(self, repository: MatchRepository) -> None:
        super().__init__(repository)
        self._jobs = repository.jobs
        self._jobs.kinds["pause"] = self._do

    async def get_status(self, user: UserId) -> PauseStatus:
        now = self._clock.now()
        taken = await self._store.pauses((user,), now - SPAN)
        until = max((pause.until for pause in taken if pause.until > now), default=None)
        return PauseStatus(until, time_left(taken, now), until is not None and await self._is_told(user))

    async def _is_told(self, user: UserId) -> bool:
        """Return True if a paused match of this person has other people in it."""
        for stored in await self._store.live_of(user):
            live = await self._repository.live(stored.id)
            others = [
                seated.user
                for seat, seated in enumerate(stored.seats)
                if seated.user and seat not in live.match.left_seats
            ]
            if stored.paused is not None and not stored.outside and user in others and len(others) > 1:
                return True
        return False

    async def begin(self, user: UserId, length: timedelta | None = None) -> datetime:
        """Pause for this time, or for all that is left. Return the end of the pause."""
        async with self._repository.lock(pause_owner(user)):
            now = self._clock.now()
            known = await self.get_status(user)
            length = known.left if length is None else length
            if known.until is not None:
                raise RefereeError("paused-already", t=known.until)
            if not LEAST <= length <= known.left:
                raise RefereeError("pause-spent", a=f"{BUDGET.days} days", b=f"{SPAN.days} days")
            pause = Pause(user, now, now + length)
            job = _job(user)
            try:
                await self._repository.write((NewPause(pause), AskJob(job)))
            except Conflict:
                raise RefereeError("paused-already", t=pause.until) from None
        await self._jobs.look((job.partition,))
        return pause.until

    async def end(self, user: UserId) -> None:
        """End a pause; the unused time is available again."""
        async with self._repository.lock(pause_owner(user)):
            now = self._clock.now()
            going = [pause for pause in await self._store.pauses((user,), now) if pause.began <= now]
            if not going:
                raise RefereeError("not-paused")
            ended = replace(going[-1], until=now)
            job = _job(user)
            try:
                await self._repository.write((EndPause(ended, going[-1].until), AskJob(job)))
            except Conflict:
                raise RefereeError("not-paused") from None
        await self._jobs.look((job.partition,))

    async def update_matches(self, user: UserId) -> None:
        """Update all slow matches of a person. The call is idempotent."""
        await self._do(_job(user))

    async def _do(self, job: Job) -> None:
        """Update the slow matches that this process owns. In the partition of the person itself, also ask the owners of
        the others, and set when the pause ends."""
        (user,) = read_owner(job.work)

        async def work(live: Live) -> Played | None:
            return await apply_pauses(self._store, live, self._clock.now())

        async with self._repository.lock(job.work):
            elsewhere: set[int] = set()
            for stored in await self._store.live_of(user):
                if is_slow(stored.setup) and self._store.owns(stored.id):
                    await self._repository.change(stored.id, work)
                elif is_slow(stored.setup):
                    elsewhere.add(partition_of(stored.id))
            if job.partition != partition_of(user):
                return
            until = (await self.get_status(user)).until
            again = DropDeadlines(job.work) if until is None else _update_at(user, until)
            await self._repository.write((again, *(AskJob(Job(each, job.work)) for each in sorted(elsewhere))))
        for each in elsewhere:
            self._jobs.wake_owner(each)

    async def list_pauses(self, id: str) -> tuple[SeatPause, ...]:
        """Return all pauses of the players since the match began."""
        stored = (await self._repository.live(id)).stored
        if not is_slow(stored.setup):
            return ()
        users = [seated.user for seated in stored.seats]
        over = stored.ended or self._clock.now()
        taken = await self._store.pauses(tuple({user for user in users if user}), stored.started)
        found = [SeatPause(users.index(pause.user), pause.began, pause.until) for pause in taken if pause.began <= over]
        return tuple(sorted(found, key=lambda one: (one.began, one.seat)))


def time_left(taken: Sequence[Pause], now: datetime) -> timedelta:
    """Return the time that a person may still take."""
    used = sum((pause.until - max(pause.began, now - SPAN) for pause in taken if pause.until > now - SPAN), timedelta())
    return max(BUDGET - used, timedelta())


def is_slow(setup: Setup) -> bool:
    """Return True if the clocks of the match may stand still; those of quick matches may not."""
    return not setup.clock or setup.clock >= SLOW


async def paused_until(store: Store, setup: Setup, users: Collection[UserId], now: datetime) -> datetime | None:
    """Return until when the clocks of a match of these people stand still; None without a pause."""
    people = tuple(sorted({user for user in users if user}))
    if not people or not is_slow(setup):
        return None
    return max((pause.until for pause in await store.pauses(people, now)), default=None)


async def apply_pauses(store: Store, live: Live, now: datetime) -> Played | None:
    """Return the change that updates a match to the pauses of its players; None if it is up to date."""
    stored = live.stored
    here = [seated.user for seat, seated in enumerate(stored.seats) if seat not in live.match.left_seats]
    until = await paused_until(store, stored.setup, here, now)
    return None if not stored.live or until == stored.paused else play.pause(live, until, now)


async def resume_after_leave(store: Store, before: Live, played: Played, now: datetime) -> Played:
    """Add to a change of a paused match: if the seat that left had paused, the clocks of the others run again."""
    live = played.live
    if live.match.left_seats == before.match.left_seats:
        return played
    again = await apply_pauses(store, live, now)
    return played if again is None else replace(played, live=again.live, steps=(*played.steps, *again.steps))


def _job(user: UserId) -> Job:
    return job_about(user, pause_owner(user))


def _update_at(user: UserId, at: datetime) -> SetDeadline:
    return SetDeadline(Deadline(pause_owner(user), DeadlineKind.PAUSE, at))
