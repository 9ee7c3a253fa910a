"""What moderators do about a match or a person. The caller checks the permission."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.match import play
from bot.referee.model.changes import AddAudit, DropBar, DropBars, NameMember, PutBar, SetDeadline
from bot.referee.model.model import STOPPED, Deadline, DeadlineKind, Snowflake, StoredMatch, UserId
from bot.referee.model.participant import Person, Place
from bot.referee.model.people import Audit, Bar
from bot.referee.model.rating_changes import schedule_role_check
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live, Played
from bot.referee.repository.match_repository import Commands, MatchRepository, Work
from bot.referee.repository.standings import pool_of
from bot.referee.repository.view_service import Views
from bot.referee.server.rating_rebuild import rebuild

LONGEST_REASON = 200
LONGEST_BAR = timedelta(days=366)


class Moderating(Commands):
    """Each action goes into the audit log in the same transaction."""

    def __init__(self, repository: MatchRepository, views: Views) -> None:
        super().__init__(repository)
        self._views = views

    async def load_audits(self, guild: Snowflake, limit: int, offset: int = 0) -> Sequence[Audit]:
        """Return entries of a server's audit log, newest first."""
        return await self._store.audits(guild, limit, offset)

    # --- matches -----------------------------------------------------------------------------------------

    async def load_match(self, guild: Snowflake, id: str, by: UserId) -> Live:
        """Return a match of this server that others see; private practice is its player's alone."""
        live = await self._repository.live(id)
        if live.stored.guild != guild:
            raise RefereeError("elsewhere", m=id)
        if live.stored.practice and not live.stored.channel:
            if live.stored.seat_of(by) is None:
                raise RefereeError("unknown-match", x=id)
            raise RefereeError("private-live" if live.stored.live else "private-over", m=id)
        return live

    async def stop(self, guild: Snowflake, id: str, by: Person, reason: str) -> MatchView:
        """Stop a live match; it does not count."""
        said = _clean_reason(reason)

        async def work(live: Live) -> Played:
            check_live(live)
            stopped = play.stop(live, "aborted", self._clock.now(), STOPPED)
            return self._add_audit(stopped, by, "stop", said)

        return await self._change(guild, id, by, work)

    async def decide(self, guild: Snowflake, id: str, by: Person, winner: UserId, reason: str) -> MatchView:
        """End a live match with this winner, or as a draw with 0. It counts."""
        said = _clean_reason(reason)

        async def work(live: Live) -> Played:
            check_live(live)
            seat = check_winner(live, winner)
            return self._add_audit(play.decide(live, seat, self._clock.now()), by, "decide", said, winner)

        return await self._change(guild, id, by, work)

    async def void(self, guild: Snowflake, id: str, by: Person, reason: str) -> MatchView:
        """Take a finished match out of the ratings, and rebuild its pool without it."""
        said = _clean_reason(reason)

        async def work(live: Live) -> Played:
            check_rated(live)
            return self._add_audit(await self._void(live, "void"), by, "void", said)

        return await self._change(guild, id, by, work)

    async def unrate(self, id: str) -> bool:
        """Take a finished match out of the ratings, since its cards may have been known after a restore.

        Return False if it does not count anyway.
        """
        unrated = False

        async def work(live: Live) -> Played | None:
            nonlocal unrated
            stored = live.stored
            unrated = not stored.live and _is_rated(stored)
            return await self._void(live, "rolled-back") if unrated else None

        with suppress(RefereeError):  # it was erased
            await self._repository.change(id, work)
        return unrated

    async def _void(self, live: Live, why: str) -> Played:
        """Return the change that takes a finished match out of the ratings and rebuilds its pool.

        Later matches keep the rating changes that they showed.
        """
        stored = live.stored
        voided = play.save_match(live, play.next_version(stored, void=True, unrated=why, changes=()))
        rebuilt = await rebuild(self._store, stored.guild, pool_of(stored.setup.game), without=stored.id)
        look = schedule_role_check(await self._store.guild(stored.guild), self._clock.now())
        return replace(voided, steps=(*voided.steps, *rebuilt.steps, *look))

    async def _change(self, guild: Snowflake, id: str, by: Person, work: Work) -> MatchView:
        await self.load_match(guild, id, by.user)
        return await self._views.view_live((await self._repository.change(id, work)).live)

    def _add_audit(self, played: Played, by: Person, what: str, reason: str, about: UserId = 0) -> Played:
        stored = replace(played.live.stored, reason=reason)
        now = self._clock.now()
        audit = Audit(stored.guild, now, by.user, what, after=reason, match=stored.id, about=about)
        return play.add_steps(played, stored, AddAudit(audit), NameMember(stored.guild, by.user, by.name))

    # --- people ------------------------------------------------------------------------------------------

    async def bar(self, place: Place, by: Person, who: Person, length: timedelta, reason: str) -> Bar:
        """Bar a person from new matches in this server. Their live matches continue."""
        if not timedelta() < length <= LONGEST_BAR:
            raise RefereeError("bad-value", option="time", range="1 minute to 366 days")
        now, guild = self._clock.now(), place.guild
        bar = Bar(guild, who.user, now + length, _clean_reason(reason, "bar-reason-needed", name=who.name), by.user)
        audit = Audit(guild, now, by.user, "bar", bar.until.isoformat(), bar.reason, about=who.user)
        names = (NameMember(guild, by.user, by.name), NameMember(guild, who.user, who.name))
        first = await self._store.next_bar_end()
        end = SetDeadline(_bars_end(bar.until if first is None else min(first, bar.until)))
        await self._repository.write((PutBar(bar), end, AddAudit(audit), *names))
        return bar

    async def unbar(self, place: Place, by: Person, who: Person) -> None:
        """Lift a bar."""
        now, guild = self._clock.now(), place.guild
        bar = await self._store.bar(guild, who.user)
        if bar is None or bar.until <= now:
            raise RefereeError("not-barred", name=who.name)
        audit = Audit(guild, now, by.user, "unbar", about=who.user)
        await self._repository.write((DropBar(guild, who.user), AddAudit(audit), NameMember(guild, by.user, by.name)))

    async def drop_ended_bars(self) -> bool:
        """Delete expired bars. Return False once there are none."""
        await self._repository.write((DropBars(self._clock.now()),))
        first = await self._store.next_bar_end()
        if first is not None:
            await self._repository.write((SetDeadline(_bars_end(first)),))
        return first is not None


def _bars_end(at: datetime) -> Deadline:
    return Deadline("bars", DeadlineKind.BAR, at)


# --- what is checked, before somebody is asked for a reason and again ---------------------------------------


def check_live(live: Live) -> None:
    if not live.stored.live:
        raise RefereeError("admin-over" if _is_rated(live.stored) else "admin-over-unrated", m=live.stored.id)


def check_winner(live: Live, winner: UserId) -> int | None:
    """Return the seat of the winner; None for a draw."""
    if not winner:
        return None
    seat = live.stored.seat_of(winner)
    if seat is None or seat in live.match.left_seats:
        named = live.stored.seats[seat].name if seat is not None else f"<@{winner}>"
        raise RefereeError("winner-not-in", name=named, m=live.stored.id)
    return seat


def check_rated(live: Live) -> None:
    stored = live.stored
    if stored.live:
        raise RefereeError("admin-live", m=stored.id)
    if stored.void:
        raise RefereeError("void-twice", m=stored.id)
    if not _is_rated(stored):
        raise RefereeError("void-unrated", m=stored.id)


def _is_rated(stored: StoredMatch) -> bool:
    """Return True if this finished match counts in the ratings now."""
    return not stored.unrated and bool(stored.changes)


def _clean_reason(reason: str, missing: str = "reason-needed", **data: str) -> str:
    """Return a reason as it is stored: on one line, shortened. `missing` is the refusal where there is none."""
    said = " ".join("".join(one if one.isprintable() else " " for one in reason).split())
    if not said:
        raise RefereeError(missing, **data)
    return said[:LONGEST_REASON]
