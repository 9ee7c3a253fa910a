"""What moderators do about a match or a person. The caller checks the permission."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.match import play
from bot.referee.model.changes import AddAudit, DropBan, DropBans, NameMember, PutBan, SetDeadline
from bot.referee.model.clock_changes import bans_owner
from bot.referee.model.model import STOPPED, Deadline, DeadlineKind, Snowflake, StoredMatch, UserId
from bot.referee.model.participant import Person, Place
from bot.referee.model.people import Audit, Ban
from bot.referee.model.rating_changes import schedule_role_check
from bot.referee.model.searches import end_search, search_owner
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live, Played
from bot.referee.repository.match_repository import Commands, MatchRepository, Work
from bot.referee.repository.view_service import Views
from bot.referee.server.rating_rebuild import rebuild

LONGEST_REASON = 200
LONGEST_BAN = timedelta(days=366)


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
        if live.stored.is_practice and not live.stored.channel:
            if live.stored.seat_of(by) is None:
                raise RefereeError("private-others", m=id)
            raise RefereeError("private-live" if live.stored.live else "private-over", m=id)
        return live

    async def stop(self, guild: Snowflake, id: str, by: Person, reason: str) -> MatchView:
        """Stop a live match; it does not count."""
        said = _need_reason(reason)

        async def work(live: Live) -> Played:
            check_live(live)
            stopped = play.stop(live, "aborted", self._clock.now(), STOPPED)
            return self._add_audit(stopped, by, "stop", said)

        return await self._change(guild, id, by, work)

    async def decide(self, guild: Snowflake, id: str, by: Person, winner: UserId, reason: str) -> MatchView:
        """End a live match with this winner, or as a draw with 0. It counts."""
        said = _need_reason(reason)

        async def work(live: Live) -> Played:
            check_live(live)
            seat = check_winner(live, winner)
            return self._add_audit(play.decide(live, seat, self._clock.now()), by, "decide", said, winner)

        return await self._change(guild, id, by, work)

    async def unrate(self, guild: Snowflake, id: str, by: Person, reason: str) -> MatchView:
        """Take a finished match out of the ratings, and rebuild its pool without it."""
        said = _need_reason(reason)

        async def work(live: Live) -> Played:
            check_rated(live)
            return self._add_audit(await self._unrate(live, "moderator"), by, "unrate", said)

        return await self._change(guild, id, by, work)

    async def unrate_rolled_back(self, id: str) -> bool:
        """Take a finished match out of the ratings, since its cards may have been known after a restore.

        Return False if it does not count anyway.
        """
        unrated = False

        async def work(live: Live) -> Played | None:
            nonlocal unrated
            stored = live.stored
            unrated = not stored.live and _is_rated(stored)
            return await self._unrate(live, "rolled-back") if unrated else None

        with suppress(RefereeError):  # it was erased
            await self._repository.change(id, work)
        return unrated

    async def _unrate(self, live: Live, why: str) -> Played:
        """Return the change that takes a finished match out of the ratings and rebuilds its pool.

        Later matches keep the rating changes that they showed.
        """
        stored = live.stored
        unrated = play.save_match(live, play.next_version(stored, void=True, unrated=why, changes=()))
        rebuilt = await rebuild(self._store, stored.guild, stored.setup.game, without=stored.id)
        look = schedule_role_check(await self._store.guild(stored.guild), self._clock.now())
        return replace(unrated, steps=(*unrated.steps, *rebuilt.steps, *look))

    async def _change(self, guild: Snowflake, id: str, by: Person, work: Work) -> MatchView:
        await self.load_match(guild, id, by.user)
        return await self._views.view_live((await self._repository.change(id, work)).live)

    def _add_audit(self, played: Played, by: Person, what: str, reason: str, about: UserId = 0) -> Played:
        stored = replace(played.live.stored, reason=reason)
        now = self._clock.now()
        audit = Audit(stored.guild, now, by.user, what, after=reason, match=stored.id, about=about)
        return play.add_steps(played, stored, AddAudit(audit), NameMember(stored.guild, by.user, by.name))

    # --- people ------------------------------------------------------------------------------------------

    async def ban(self, place: Place, by: Person, who: Person, length: timedelta, reason: str) -> Ban:
        """Ban a person from new matches in this server, with or without a reason. Their live matches
        continue; their search here ends."""
        if not timedelta() < length <= LONGEST_BAN:
            raise RefereeError("bad-value", option="time", range="1 minute to 366 days")
        now, guild = self._clock.now(), place.guild
        ban = Ban(guild, who.user, now + length, _clean_reason(reason), by.user)
        audit = Audit(guild, now, by.user, "ban", ban.until.isoformat(), ban.reason, about=who.user)
        names = (NameMember(guild, by.user, by.name), NameMember(guild, who.user, who.name))
        first = await self._store.next_ban_end(guild)
        end = SetDeadline(_bans_end(guild, ban.until if first is None else min(first, ban.until)))
        search = await self._store.search(who.user)
        ended = end_search(search, now) if search is not None and search.guild == guild else ()
        await self._repository.write((PutBan(ban), end, AddAudit(audit), *names, *ended))
        if ended:
            self._repository.wake_clock(search_owner(guild, who.user))
        return ban

    async def unban(self, place: Place, by: Person, who: Person) -> None:
        """Lift a ban."""
        now, guild = self._clock.now(), place.guild
        ban = await self._store.ban(guild, who.user)
        if ban is None or ban.until <= now:
            raise RefereeError("not-banned", name=who.name)
        audit = Audit(guild, now, by.user, "unban", about=who.user)
        await self._repository.write((DropBan(guild, who.user), AddAudit(audit), NameMember(guild, by.user, by.name)))

    async def drop_ended_bans(self, guild: Snowflake) -> bool:
        """Delete expired bans of a server. Return False once there are none."""
        await self._repository.write((DropBans(guild, self._clock.now()),))
        first = await self._store.next_ban_end(guild)
        if first is not None:
            await self._repository.write((SetDeadline(_bans_end(guild, first)),))
        return first is not None


def _bans_end(guild: Snowflake, at: datetime) -> Deadline:
    return Deadline(bans_owner(guild), DeadlineKind.BAN, at)


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
        raise RefereeError("unrate-twice", m=stored.id)
    if not _is_rated(stored):
        raise RefereeError("unrate-needless", m=stored.id)


def _is_rated(stored: StoredMatch) -> bool:
    """Return True if this finished match counts in the ratings now."""
    return not stored.unrated and bool(stored.changes)


def _need_reason(reason: str) -> str:
    """Return a reason as it is stored; refuse if there is none."""
    said = _clean_reason(reason)
    if not said:
        raise RefereeError("reason-needed")
    return said


def _clean_reason(reason: str) -> str:
    """Return a reason on one line, shortened."""
    return " ".join("".join(one if one.isprintable() else " " for one in reason).split())[:LONGEST_REASON]
