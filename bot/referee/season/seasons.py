"""Seasons of a server: they end at midnight (UTC), their tables are frozen, and the next one begins in the same
write."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.errors import RefereeError
from bot.ratings.pool import find_next_end, rank_standings
from bot.referee.model import Clock
from bot.referee.model.changes import (
    Conflict,
    DropDeadlines,
    FreezeSeason,
    NewSeason,
    SaveSeason,
    SetDeadline,
    Step,
)
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake
from bot.referee.model.people import Rating
from bot.referee.model.rating_changes import schedule_role_check
from bot.referee.model.seasons import MONTHS, OFF, FrozenPage, FrozenTable, LeaderboardRow, Season
from bot.referee.repository.standings import standing_of
from data.store import Store

log = logging.getLogger(__name__)

TRIES = 10
"""Number of tries of an end that met the end of a match."""

FIRST = 3
"""Champions of a pool that are announced."""


class Seasons:
    """At most one season of a server is current. The first caller after its end ends it: a match, or the sleeper."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def get_current(self, guild: Snowflake, at: datetime) -> Season | None:
        """Return the current season at this time; end an overdue one first."""
        for _ in range(TRIES):
            season = await self._store.season(guild) if guild else None
            if season is None or at < season.ends:
                return season
            settings = await self._store.guild(guild)
            try:
                await self._store.write(await self._end(season, season.ends, settings, settings.seasons))
            except Conflict:
                continue
            log.info("season %d of server %d is over", season.number, guild)
        raise RefereeError("busy")

    async def end(self, deadline: Deadline) -> bool:
        """End an overdue season. Return False if none is current."""
        (guild,) = read_owner(deadline.owner)
        return await self.get_current(guild, self._clock.now()) is not None

    async def load_all(self, guild: Snowflake) -> Sequence[Season]:
        """Return the seasons of a server, newest first."""
        return await self._store.seasons(guild)

    async def load_champions(self, guild: Snowflake, number: int) -> dict[str, FrozenPage]:
        """Return the first lines of each table of a season that is over, by pool."""
        pools = await self._store.frozen_pools(guild, number)
        pages = {pool: await self._store.frozen(guild, number, pool, 0, FIRST) for pool in pools}
        return {pool: page for pool, page in pages.items() if page is not None and page.lines}

    async def change_kind(self, wanted: GuildSettings) -> tuple[Step, ...]:
        """Return the steps for another kind of season: it begins now, ends at another time, or ends now."""
        now = self._clock.now()
        season = await self.get_current(wanted.guild, now)
        if season is not None and wanted.seasons == OFF:
            return await self._end(season, now, wanted, OFF)
        if wanted.seasons == OFF:
            return ()
        if season is None:
            earlier = await self._store.seasons(wanted.guild)
            begins = self._next_season(wanted.guild, earlier[0].number + 1 if earlier else 1, wanted.seasons, now)
            return (NewSeason(begins), SetDeadline(_deadline(begins)))
        ends = find_next_end(MONTHS[wanted.seasons], now)
        moved = replace(season, kind=wanted.seasons, ends=ends, version=season.version + 1)
        return (SaveSeason(moved, season.version), SetDeadline(_deadline(moved)))

    def _next_season(self, guild: Snowflake, number: int, kind: str, now: datetime) -> Season:
        return Season(guild, number, kind, now, find_next_end(MONTHS[kind], now))

    async def _end(self, season: Season, at: datetime, settings: GuildSettings, follows: str) -> tuple[Step, ...]:
        guild = season.guild
        over = replace(season, ends=at, over=True, version=season.version + 1)
        pools = await self._store.season_pools(guild)
        made = [_freeze_table(pool, await self._store.season_ratings(guild, pool), at) for pool in pools]
        tables = tuple(table for table in made if table.lines)
        steps: list[Step] = [SaveSeason(over, season.version), FreezeSeason(guild, season.number, tables)]
        if follows == OFF:
            steps.append(DropDeadlines(season_owner(guild)))
        else:
            begins = self._next_season(guild, season.number + 1, follows, at)
            steps += [NewSeason(begins), SetDeadline(_deadline(begins))]
        if settings.champions and tables:
            told = Deadline(champions_owner(guild, season.number), DeadlineKind.CHAMPIONS, self._clock.now())
            steps.append(SetDeadline(told))
        steps += schedule_role_check(settings, self._clock.now())
        return tuple(steps)


def season_owner(guild: Snowflake) -> str:
    """Return the owner of the deadline that ends a season."""
    return f"season {guild}"


def champions_owner(guild: Snowflake, number: int) -> str:
    """Return the owner of the deadline that announces champions."""
    return f"champions {guild} {number}"


def _deadline(season: Season) -> Deadline:
    return Deadline(season_owner(season.guild), DeadlineKind.SEASON, season.ends)


def _freeze_table(pool: str, known: Sequence[Rating], at: datetime) -> FrozenTable:
    """Return the final table of a pool, with the people who are in the server."""
    here = {rating.user: rating for rating in known if rating.here and rating.user > 0}
    lines = [
        LeaderboardRow(
            place=line.place,
            user=line.standing.user,
            name=here[line.standing.user].name,
            shown=line.skill.shown,
            played=line.standing.played,
            won=line.standing.won,
            provisional=line.standing.provisional,
        )
        for line in rank_standings(map(standing_of, here.values()), at)
    ]
    return FrozenTable(pool, tuple(lines))
