"""A person's own data: export and erasure."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from bot.errors import RefereeError
from bot.ratings.skill import is_counted
from bot.referee.archive.archive import Archive
from bot.referee.lobby.challenges import Challenges
from bot.referee.lobby.tables import Tables
from bot.referee.match.matches import Matches
from bot.referee.match.resignation import Quitting, assess_quit
from bot.referee.model.changes import Conflict, Erase, EraseAgreement, Erased, SaveNote, Step
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.jobs import AskJob, Job
from bot.referee.model.model import ERASED, Snowflake, StoredMatch, UserId
from bot.referee.model.participant import has_former_player
from bot.referee.model.partitions import partition_of
from bot.referee.model.people import Ban
from bot.referee.model.searches import end_search, search_owner
from bot.referee.model.surfaces import Surface
from bot.referee.proof import promises, version2
from bot.referee.repository.live import Live, Played, replay_match
from bot.referee.repository.match_repository import TRIES, Commands, MatchRepository
from bot.referee.repository.standings import count_met
from bot.referee.repository.view_builder import record_data
from bot.referee.repository.view_service import Lapse, Views

AGAIN = timedelta(hours=1)
"""Time between two exports of one person."""

SHOWN = timedelta(days=30)
"""Boards of matches that ended within this time are drawn again without the name."""

ABOUT = (
    "Everything that this bot keeps about you, table by table as its database has it."
    " Times are microseconds since 1970 (UTC); bytes are written as hex digits."
)


class ErasedMatches(NamedTuple):
    """The matches of a person whose data was erased."""

    matches: Sequence[str]
    """Finished matches."""
    going: Sequence[str]
    """Matches that the others play on."""
    consoles: Sequence[Surface]
    """Their consoles and results, which are stored no more; the user is the number that replaced the person."""


class Erasure(NamedTuple):
    """What an erasure would end."""

    given_up: int
    """Live matches with people."""
    counted: int
    """Those that count for the ratings."""
    practice: int
    daily: int
    withdrawn: int
    """Open lobbies that end."""


class Privacy(Commands):
    """Export and erasure of a person's data."""

    def __init__(
        self,
        repository: MatchRepository,
        views: Views,
        archive: Archive,
        matches: Matches,
        challenges: Challenges,
        tables: Tables,
    ) -> None:
        super().__init__(repository)
        self._views = views
        self._archive = archive
        self._matches = matches
        self._challenges = challenges
        self._tables = tables
        self._jobs = repository.jobs
        self._jobs.kinds |= {"leave": self._leave, "forget": self._forget}

    # --- a copy ------------------------------------------------------------------------------------------

    async def export(self, user: UserId) -> Mapping[str, Any]:
        """Return all stored data of a person, as JSON."""
        now = self._clock.now()
        lately = await self._store.note(_export_key(user))
        if lately and now < datetime.fromisoformat(lately) + AGAIN:
            raise RefereeError("export-lately", t=datetime.fromisoformat(lately) + AGAIN)
        kept = await self._store.own(user)
        await self._repository.write((SaveNote(_export_key(user), now.isoformat()),))
        return {"about": ABOUT, "user": str(user), "at": now.isoformat(), **kept}

    # --- erased ------------------------------------------------------------------------------------------

    async def preview_erase(self, user: UserId) -> Erasure:
        """Return what `erase` would end."""
        playing = await self._playing(user)
        own = [live.stored for live in playing if live.stored.is_practice]
        daily = sum(promises.day_of(stored) is not None for stored in own)
        with_people = [live for live in playing if not live.stored.is_practice]
        lobbies = await self._store.invited(user)
        return Erasure(
            given_up=len(with_people),
            counted=await self._count_rated(user, with_people),
            practice=len(own) - daily,
            daily=daily,
            withdrawn=sum(
                lobby.host == user and (lobby.kind != "table" or len(lobby.people) == 1) for lobby in lobbies
            ),
        )

    async def _count_rated(self, user: UserId, lives: Sequence[Live]) -> int:
        """Count the matches that count for the ratings if they are given up in this order."""
        store, now = self._store, self._clock.now()
        stopped, rated = 0, Counter[tuple[Snowflake, str, frozenset[UserId]]]()
        for live in lives:
            stored = live.stored
            users = frozenset(seated.user for seated in stored.seats)
            if await assess_quit(store, live, user, now, stopped) is Quitting.FREE:
                stopped += 1
            elif stored.setup.rated and not stored.unrated:
                among = stored.guild, stored.setup.game, users
                rated[among] += is_counted(
                    await count_met(store, stored.guild, stored.setup.game, users, now) + rated[among]
                )
        return rated.total()

    async def bans(self, user: UserId) -> Sequence[Ban]:
        """Return the bans of a person, which remain after an erasure."""
        now = self._clock.now()
        return [ban for ban in await self._store.banned(user) if ban.until > now]

    async def erase(self, user: UserId) -> ErasedMatches:
        """Erase a person's data.

        Practice stops, live matches are resigned, and matches with others stay as they were. Return when every process
        has forgotten the person.
        """
        for _ in range(TRIES):
            playing = [live.stored.id for live in await self._playing(user)]
            with self._repository.hold_news(playing):  # else an end is told with the name that goes at once
                lobbies = [lobby.id for lobby in await self._store.invited(user)]
                search = await self._store.search(user)
                server = [] if search is None else [str(search.guild)]
                await self._ask(f"leave {user}", [*playing, *lobbies, *server])
                with suppress(Conflict):  # they played on
                    return await self._erase(user)
        raise RefereeError("busy")

    async def _ask(self, work: str, ids: Sequence[str], *steps: Step) -> None:
        """Have a job done in the partitions of these matches, lobbies, servers and people."""
        partitions = sorted({*map(partition_of, ids)})
        if asked := (*steps, *(AskJob(Job(each, work)) for each in partitions)):
            await self._repository.write(asked)
        await self._jobs.finish(work, partitions)

    async def _leave(self, job: Job) -> None:
        """Let a person leave their matches, lobbies and search in this process."""
        (user,) = read_owner(job.work)
        await self._end_live(user)
        await self._leave_lobbies(user)
        search = await self._store.search(user)
        if search is not None and self._store.owns(search.guild):
            await self._repository.write(end_search(search, self._clock.now()))
            self._repository.wake_clock(search_owner(search.guild, user))

    async def _forget(self, job: Job) -> None:
        """Read again what names a person whose data is erased; the number has replaced them."""
        (number,) = read_owner(job.work)
        self._repository.clear_cache()
        self._store.forget(0)
        for id in (*await self._store.finished_ids(number), *(one.id for one in await self._store.live_of(number))):
            if partition_of(id) == job.partition:
                self._repository.discard(id)
                self._repository.notify(id)

    async def _erase(self, user: UserId) -> ErasedMatches:
        now, ids = self._clock.now(), await self._store.finished_ids(user)
        going = tuple(one.id for one in await self._store.live_of(user))
        matches: list[Erased] = []
        shown = list(going)
        for id in ids:
            stored = await self._store.match(id)
            if stored is not None:
                shown += [id] if stored.ended is None or stored.ended >= now - SHOWN else []
                lapses = await self._views.list_lapses(stored)
                matches.append(await asyncio.to_thread(_erase_match, stored, user, lapses))
        number = await self._store.former_number()
        surfaces = [one for id in shown for one in await self._store.surfaces(id)]
        consoles = [replace(one, user=number) for one in surfaces if one.user == user]
        everywhere = {*map(partition_of, (*ids, *going, *await self._store.servers_of(user)))}
        erase = Erase(user, number, tuple(matches), now - SHOWN, now, going, tuple(sorted(everywhere)))
        self._archive.forget(user)
        await self._ask(f"forget {number}", (*ids, *going, str(user)), erase)
        return ErasedMatches(ids, going, consoles)

    async def _playing(self, user: UserId) -> list[Live]:
        """Return the live matches in which this person still plays."""
        found = [await self._repository.live(stored.id) for stored in await self._store.live_of(user)]
        return [live for live in found if live.stored.seat_of(user) not in live.match.left_seats]

    async def _end_live(self, user: UserId) -> None:
        for live in await self._playing(user):
            id = live.stored.id
            if not self._store.owns(id):
                continue
            if live.stored.is_practice:
                with suppress(RefereeError):  # it has ended
                    await self._matches.abort(id, ERASED)
                continue
            with suppress(RefereeError):
                free = await self._matches.preview_quit(id, user) is Quitting.FREE
                await self._matches.resign(id, user, free=free, why=ERASED)

    async def _leave_lobbies(self, user: UserId) -> None:
        """Withdraw their challenges, and decline challenges to them."""
        for lobby in await self._store.invited(user):
            if not self._store.owns(lobby.id):
                continue
            if lobby.kind == "table":
                await self._tables.leave(lobby.id, user)
            else:
                await self._challenges.end_without(lobby.id, user)


def _export_key(user: UserId) -> str:
    return f"exported {user}"


def _erase_match(stored: StoredMatch, user: UserId, lapses: Sequence[Lapse]) -> Erased:
    """Return what remains of a match's proof: if the agreement names the person, only its hash and the record's
    seal."""
    players: Sequence[str] = json.loads(stored.agreement).get("players", ()) if stored.agreement else ()
    if str(user) not in players:  # a daily deal, whose agreement all tries share; or it has gone already
        return Erased(stored.id, stored.agreement, stored.record)
    return without_agreement(replay_match(stored), lapses)


def without_agreement(live: Live, lapses: Sequence[Lapse]) -> Erased:
    """Return the hash of the agreement and the record's seal of a finished match."""
    agreed = json.dumps({"hash": version2.agreement_hash(live.stored.agreement)}).encode()
    return Erased(live.stored.id, agreed, record_data(live, lapses)["fairness"]["record"])


async def erase_at_end(views: Views, played: Played) -> Played:
    """Add to a change that ends a match: with an erased player it keeps only the hash of its agreement."""
    live = played.live
    if not has_former_player(seated.user for seated in live.stored.seats):
        return played
    erased = without_agreement(live, await views.list_lapses(live.stored))
    changed = replace(live.stored, agreement=erased.agreement, record=erased.record)
    return Played(replace(live, stored=changed), (*played.steps, EraseAgreement(erased)))
