"""Ports of the referee: a store, a clock, and entropy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol

from bot.referee.model.changes import Change
from bot.referee.model.clock_changes import Unmarked
from bot.referee.model.daily import DailyDeal, DailyTry
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Deadline, EarlierSeal, Lobby, Snowflake, StoredMatch, Surface, UserId
from bot.referee.model.people import (
    Above,
    Audit,
    Bar,
    Before,
    Contender,
    Finished,
    Height,
    Import,
    OwedRoles,
    Pause,
    Player,
    Rating,
    RatingEntry,
)
from bot.referee.model.seasons import Between, FrozenPage, Season
from bot.referee.model.setting_kinds import Band


class Clock(Protocol):
    """Aware UTC time."""

    def now(self) -> datetime: ...


class Entropy(Protocol):
    """Unpredictable bytes."""

    def bytes(self, count: int) -> bytes: ...


class Store(Protocol):
    """The database. Reads see what was committed; `write` is all or nothing.

    Reads raise `StoreBusy`; writes raise `Conflict`, `StoreBusy` or `StoreReadOnly` (bot.referee.model.changes).
    """

    async def write(self, change: Change) -> Sequence[int]:
        """Apply the steps in one transaction. Return the id of the surface of each `PutSurface`."""
        ...

    async def lobby(self, id: str) -> Lobby | None: ...

    async def match(self, id: str) -> StoredMatch | None: ...

    async def earlier_seals(self, id: str) -> Sequence[EarlierSeal]:
        """Return the seals of a match that were shown and are not played, by place and number."""
        ...

    async def known_id(self, id: str) -> bool:
        """Return True if a lobby, a match or a record from elsewhere has this id."""
        ...

    async def open_lobbies(self, guild: Snowflake, user: UserId) -> Sequence[Lobby]:
        """Open challenges and tables of this server that a person hosts or is named in."""
        ...

    async def declined_since(self, guild: Snowflake, host: UserId, since: datetime) -> Sequence[Lobby]:
        """Return the challenges of this host that were declined and ended after `since`, oldest first."""
        ...

    async def hosted_since(self, host: UserId, since: datetime) -> Sequence[Lobby]:
        """Return the lobbies of a person on all servers that are open, or were created after `since`, oldest first."""
        ...

    async def live_of(self, user: UserId) -> Sequence[StoredMatch]:
        """Return a person's live matches everywhere, oldest first."""
        ...

    async def live_count(self, user: UserId) -> int:
        """Return the number of live matches of a person without house players."""
        ...

    async def boards_in(self, channel: Snowflake) -> int:
        """Return the number of live matches of a channel."""
        ...

    async def live_in(self, guild: Snowflake, channel: Snowflake = 0) -> Sequence[str]:
        """Return the ids of live matches of a server, or of one of its channels."""
        ...

    async def finished_of(
        self,
        guild: Snowflake,
        user: UserId,
        limit: int,
        offset: int = 0,
        against: UserId = 0,
        game: str = "",
        result: str = "",
        span: Between = (),
    ) -> Sequence[Finished]:
        """Return a person's finished matches in a server, newest first; `result` is won, lost or drawn, or empty for
        all; `span`: only those that ended from its first time on and before its second."""
        ...

    async def finished_ids(self, user: UserId) -> Sequence[str]:
        """Return every match that a person finished, everywhere, oldest first."""
        ...

    async def last_match(
        self, user: UserId, channel: Snowflake = 0, live: bool | None = None, guild: Snowflake | None = None
    ) -> str | None:
        """Find the newest match of a person, in a channel if one is named; in a server, or practice, if one is."""
        ...

    async def rated_pairs_since(
        self, guild: Snowflake, users: Sequence[UserId], since: datetime, games: Sequence[str]
    ) -> int:
        """Return how many rated matches of these games exactly these people finished since then, in a server."""
        ...

    async def due(self, now: datetime, limit: int = 100) -> Sequence[Deadline]:
        """Return due deadlines, earliest first."""
        ...

    async def next_due(self) -> datetime | None:
        """Return when the next deadline is due."""
        ...

    async def behind(self, limit: int = 200) -> Sequence[Surface]:
        """Return live surfaces that show an older version than their match or lobby has."""
        ...

    async def unmarked(self) -> Unmarked | None:
        """Return the surfaces to mark after downtime was credited; None if there are none."""
        ...

    async def surfaces(self, match: str) -> Sequence[Surface]:
        """Return every surface of a match or lobby that is not gone."""
        ...

    async def unfinished(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the ids of all live matches, and of all open challenges and tables."""
        ...

    def drop_cached(self, id: str) -> None:
        """Drop caches of a match or lobby that is over and shown."""
        ...

    async def player(self, user: UserId) -> Player:
        """Return a person's preferences, or the defaults for an unknown person."""
        ...

    async def pauses(self, users: Sequence[UserId], since: datetime) -> Sequence[Pause]:
        """Return the pauses of these people that end after `since`, by person, oldest first."""
        ...

    async def guild(self, guild: Snowflake) -> GuildSettings: ...

    async def audits(self, guild: Snowflake, limit: int, offset: int = 0) -> Sequence[Audit]:
        """Return what moderators did in a server, newest first."""
        ...

    async def changed_since(self, guild: Snowflake, version: int) -> Sequence[str]:
        """Return which settings were changed after this version of them."""
        ...

    async def servers(self) -> Sequence[Snowflake]:
        """Return every server with stored data, the lowest id first."""
        ...

    async def ids_in(self, guild: Snowflake, limit: int) -> Sequence[str]:
        """Return some matches, challenges and tables of a server."""
        ...

    async def deadlines_of(self, owner: str) -> Sequence[Deadline]:
        """Return what is due for a match, a lobby or a server."""
        ...

    async def bar(self, guild: Snowflake, user: UserId) -> Bar | None:
        """Return the bar of a person in a server; it may have expired."""
        ...

    async def bars(self, guild: Snowflake) -> Sequence[Bar]:
        """Return all bars of a server, by person; some may have expired."""
        ...

    async def barred(self, user: UserId) -> Sequence[Bar]:
        """Return all bars of a person, by server; some may have expired."""
        ...

    async def next_bar_end(self) -> datetime | None:
        """Return when the next bar runs out, or did."""
        ...

    async def name_of(self, guild: Snowflake, user: UserId) -> str | None: ...

    async def blocked(self, by: UserId, user: UserId) -> bool: ...

    async def blocks(self, by: UserId) -> Sequence[tuple[UserId, str]]:
        """Return the people whom a person blocks, with the name that each had then."""
        ...

    async def rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None: ...

    async def ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]:
        """Return all ratings in a pool, unordered, including people who left."""
        ...

    async def pools(self, guild: Snowflake, user: UserId = 0) -> Sequence[str]:
        """Return the pools in which a person, or anyone, has a rating."""
        ...

    async def every_pool(self) -> Sequence[tuple[Snowflake, str]]:
        """Return every server's pools in which a match ever counted."""
        ...

    async def season_rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None:
        """Return the rating in the current season."""
        ...

    async def season_ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]: ...

    async def ranking(self, guild: Snowflake, pool: str, *, season: bool = False) -> Sequence[Contender]:
        """Return all ranked people who are still in the server, by person: of all time, or of the current season."""
        ...

    async def above(self, guild: Snowflake, pool: str, height: Height) -> Above:
        """Return how many of them are above this height, without sorting."""
        ...

    async def ratings_of(
        self, guild: Snowflake, pool: str, users: Sequence[UserId], *, season: bool = False
    ) -> Sequence[Rating]:
        """Return the ratings of a few people, by person."""
        ...

    async def owed_roles(
        self,
        guild: Snowflake,
        pool: str,
        bands: Sequence[Band],
        *,
        season: bool,
        without: Sequence[Snowflake],
        limit: int,
    ) -> OwedRoles:
        """Return the roles to give and to take, at most `limit` each, by person.

        They follow from the ratings of a pool, of all time or of the current season, and from the roles given last.
        Roles in `without` are left out.
        """
        ...

    async def season_pools(self, guild: Snowflake) -> Sequence[str]:
        """Return the pools with a counted match in the current season."""
        ...

    async def season(self, guild: Snowflake) -> Season | None:
        """Return the current season."""
        ...

    async def seasons(self, guild: Snowflake) -> Sequence[Season]:
        """Return all seasons, newest first."""
        ...

    async def frozen_pools(self, guild: Snowflake, number: int) -> Sequence[str]:
        """Return the pools that have a table of a finished season."""
        ...

    async def frozen(
        self, guild: Snowflake, number: int, pool: str, user: UserId, limit: int, offset: int = 0
    ) -> FrozenPage | None:
        """Return lines of a frozen table, and the line of this person; None if there is no such table."""
        ...

    async def rated_since(self, guild: Snowflake, pool: str, since: datetime) -> Sequence[Before]:
        """Return the people with counted matches in a pool since then, by person."""
        ...

    async def rating_history(self, guild: Snowflake, pool: str, user: UserId) -> Sequence[RatingEntry]: ...

    async def own(self, user: UserId) -> Mapping[str, Any]:
        """Return everything that is kept about a person: rows by the name of their table."""
        ...

    async def invited(self, user: UserId) -> Sequence[Lobby]:
        """Open challenges and tables everywhere that a person hosts or is named in, oldest first."""
        ...

    async def former_number(self) -> UserId:
        """Return an unused number below zero for a person whose data is erased."""
        ...

    async def imported(self, user: UserId, id: str) -> Import | None:
        """Return a record that this person brought in."""
        ...

    async def heartbeat(self) -> datetime | None: ...

    async def note(self, key: str) -> str | None: ...

    async def daily_deal(self, guild: Snowflake, day: date) -> DailyDeal | None: ...

    async def daily_tries(self, guild: Snowflake, day: date) -> Sequence[DailyTry]:
        """Return all tries of this day, live ones included."""
        ...

    async def daily_tries_of(self, guild: Snowflake, user: UserId) -> Sequence[DailyTry]:
        """Return all tries of a person in a server, newest first."""
        ...
