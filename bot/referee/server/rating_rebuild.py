"""A pool of ratings recomputed from its results: after a match was taken out, or as a check."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.errors import RefereeError
from bot.ratings.pool import RatedMatch, RatingUpdate, ReplayedPool, SeasonSpan, Standing, replay_results
from bot.referee.model.changes import AddRatingEntry, Conflict, DropRating, MarkSeason, SaveSeason, Step
from bot.referee.model.jobs import AskJob, Job, job_about
from bot.referee.model.model import Snowflake
from bot.referee.model.people import Rating, RatingEntry
from bot.referee.model.rating_changes import roles_owner, schedule_role_check
from bot.referee.model.seasons import Season
from bot.referee.repository.match_repository import TRIES, Commands, MatchRepository
from bot.referee.repository.standings import rating_of, save_over
from data.store import Store


@dataclass(frozen=True, slots=True)
class RebuiltPool:
    """The recomputed pool; the steps expect the ratings as they were read."""

    matches: int
    people: int
    moved: int
    """Changed lines of the tables, of all time and of the current season."""
    steps: tuple[Step, ...]


class Rebuilding(Commands):
    """Repairs ratings that differ from their results."""

    def __init__(self, repository: MatchRepository) -> None:
        super().__init__(repository)
        self._repository.jobs.kinds["rebuild"] = self._do

    async def ask(self, guild: Snowflake, pool: str) -> None:
        """Have the owner of a server repair a ranking of it. Return when that is done."""
        job = job_about(guild, f"rebuild {guild} {pool}")
        await self._store.write((AskJob(job),))
        await self._repository.jobs.finish(job.work, (job.partition,))

    async def repair(self, guild: Snowflake, pool: str) -> RebuiltPool:
        """Recompute a ranking and store what differs, again if a match ends meanwhile."""
        for _ in range(TRIES):
            found = await rebuild(self._store, guild, pool)
            if not found.steps:
                return found
            look = schedule_role_check(await self._store.guild(guild), self._clock.now())
            with suppress(Conflict):
                await self._repository.write((*found.steps, *look))
                self._repository.wake_clock(roles_owner(guild))
                return found
        raise RefereeError("busy")

    async def _do(self, job: Job) -> None:
        _, guild, pool = job.work.split()
        await self.repair(int(guild), pool)


async def rebuild(store: Store, guild: Snowflake, pool: str, without: str = "") -> RebuiltPool:
    """Recompute a pool, without the match `without`. It writes nothing."""
    season = await store.season(guild)
    history = await store.rating_history(guild, pool, 0)
    known, there = await store.ratings(guild, pool), await store.season_ratings(guild, pool)
    entries = [entry for entry in history if entry.match != without]
    results = _list_results(entries)
    spans = [SeasonSpan(season.began)] if season is not None else []
    found = await asyncio.to_thread(replay_results, results, spans)  # a large pool takes seconds
    changed = _rating_changes(guild, pool, found.standings, known)
    in_season = _rating_changes(guild, pool, found.seasons[0], there, season=True) if season is not None else []
    anew = [AddRatingEntry(new) for entry in entries if (new := _new_entry(entry, found, season)) != entry]
    taken_out = {entry.season for entry in history if entry.match == without} - {0}
    frozen = [MarkSeason(guild, one, pool) for one in taken_out if season is None or one != season.number]
    steps: tuple[Step, ...] = (*changed, *in_season, *anew, *frozen)
    if season is not None and (in_season or taken_out):  # neither frozen nor moved while this was worked out
        steps = (SaveSeason(replace(season, version=season.version + 1), season.version), *steps)
    return RebuiltPool(len(results), len(found.standings), len(changed) + len(in_season), steps)


def _rating_changes(
    guild: Snowflake, pool: str, standings: Mapping[int, Standing], ratings: Sequence[Rating], season: bool = False
) -> list[Step]:
    """Return the changes of a table, of all time or of the season."""
    known = {rating.user: rating for rating in ratings}
    gone = [one for user, one in known.items() if user not in standings]
    changed: list[Step] = [DropRating(guild, pool, one.user, one.played, one.mu, season) for one in gone]
    for user, standing in standings.items():
        before = known.get(user)
        name, here = ("", True) if before is None else (before.name, before.here)
        now = rating_of(guild, pool, name, standing, here)
        if now != before and (before is not None or user > 0):  # a former player may have no line
            changed.append(save_over(before, now, season))
    return changed


def _list_results(entries: Sequence[RatingEntry]) -> list[RatedMatch]:
    tables: dict[str, list[RatingEntry]] = {}
    for entry in entries:
        tables.setdefault(entry.match, []).append(entry)
    return [
        RatedMatch(id, table[0].at, tuple((one.user, one.place) for one in sorted(table, key=lambda one: one.seat)))
        for id, table in tables.items()
    ]


def _new_entry(one: RatingEntry, found: ReplayedPool, season: Season | None) -> RatingEntry:
    """Return the recomputed effect of a match on a rating; finished seasons stay as they were."""
    move = _find_move(found.moves[one.match], one)
    before, after = move.before, move.after.skill
    made = replace(one, mu_before=before.mu, sigma_before=before.sigma, mu=after.mu, sigma=after.sigma)
    if season is None or one.match not in found.season_moves:
        return made
    then = _find_move(found.season_moves[one.match], one).before
    return replace(made, season=season.number, season_mu=then.mu, season_sigma=then.sigma)


def _find_move(moves: Sequence[RatingUpdate], one: RatingEntry) -> RatingUpdate:
    return next(move for move in moves if move.user == one.user)
