"""What the referee needs from outside: a store, a clock, and entropy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol

from bot.referee.model.changes import Change
from bot.referee.model.clock_changes import Unmarked
from bot.referee.model.daily import DailyDeal, DailyTry
from bot.referee.model.model import Deadline, EarlierSeal, Lobby, Snowflake, StoredMatch, Surface, UserId
from bot.referee.model.people import (
    Above,
    Audit,
    Band,
    Bar,
    Before,
    Contender,
    Finished,
    GuildSettings,
    Height,
    Import,
    OwedRoles,
    Pause,
    Player,
    Rating,
    RatingEntry,
)
from bot.referee.model.seasons import Between, FrozenPage, Season


class Clock(Protocol):
    """Aware UTC time."""

    def now(self) -> datetime: ...


class Entropy(Protocol):
    """Unpredictable bytes."""

    def bytes(self, count: int) -> bytes: ...


class Store(Protocol):
    """Everything that is kept. Reads see what was committed; `write` is all or nothing.

    Reads raise `StoreBusy`; writes raise `Conflict`, `StoreBusy` or `StoreReadOnly` (bot.referee.model.changes).
    """

    async def write(self, change: Change) -> Sequence[int]:
        """Carry the steps out in one transaction. The answer holds, for each `PutSurface`, the surface's id."""
        ...

    async def lobby(self, id: str) -> Lobby | None: ...

    async def match(self, id: str) -> StoredMatch | None: ...

    async def earlier_seals(self, id: str) -> Sequence[EarlierSeal]:
        """Seals of a match that were shown and are not played, by place and number."""
        ...

    async def known_id(self, id: str) -> bool:
        """Whether a lobby, a match or a record from elsewhere has this id."""
        ...

    async def open_lobbies(self, guild: Snowflake, user: UserId) -> Sequence[Lobby]:
        """Open challenges and tables of this server that a person hosts or is named in."""
        ...

    async def declined_since(self, guild: Snowflake, host: UserId, since: datetime) -> Sequence[Lobby]:
        """This host's challenges that somebody declined and that ended after `since`, the oldest first."""
        ...

    async def hosted_since(self, host: UserId, since: datetime) -> Sequence[Lobby]:
        """This person's challenges and tables everywhere that are open, or were made after `since`, oldest first."""
        ...

    async def live_of(self, user: UserId) -> Sequence[StoredMatch]:
        """A person's live matches everywhere, oldest first."""
        ...

    async def live_count(self, user: UserId) -> int:
        """Live matches of a person in which no house player sits."""
        ...

    async def boards_in(self, channel: Snowflake) -> int:
        """Live matches of a channel."""
        ...

    async def live_in(self, guild: Snowflake, channel: Snowflake = 0) -> Sequence[str]:
        """The ids of live matches of a server, or of one of its channels."""
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
        """A person's finished matches in a server, newest first; `result` is won, lost or drawn, or empty for all;
        `span`: only those that ended from its first time on and before its second."""
        ...

    async def finished_ids(self, user: UserId) -> Sequence[str]:
        """Every match that a person finished, everywhere, oldest first."""
        ...

    async def last_match(
        self, user: UserId, channel: Snowflake = 0, live: bool | None = None, guild: Snowflake | None = None
    ) -> str | None:
        """Find the newest match of a person, in a channel if one is named; in a server, or practice, if one is."""
        ...

    async def rated_pairs_since(
        self, guild: Snowflake, users: Sequence[UserId], since: datetime, games: Sequence[str]
    ) -> int:
        """How many rated matches of these games exactly these people finished together in a server since then."""
        ...

    async def due(self, now: datetime, limit: int = 100) -> Sequence[Deadline]:
        """Deadlines whose time has come, earliest first."""
        ...

    async def next_due(self) -> datetime | None:
        """When the next deadline is due."""
        ...

    async def behind(self, limit: int = 200) -> Sequence[Surface]:
        """Live surfaces that show an older version than their match or lobby has."""
        ...

    async def unmarked(self) -> Unmarked | None:
        """What shows times from before time was given back, and is to be marked; None if nothing is."""
        ...

    async def surfaces(self, match: str) -> Sequence[Surface]:
        """Every surface of a match or lobby that is not gone."""
        ...

    async def unfinished(self) -> tuple[Sequence[str], Sequence[str]]:
        """The ids of all live matches, and of all open challenges and tables."""
        ...

    def let_go(self, id: str) -> None:
        """A match or lobby is over and shown: what is only remembered of it, to be quick, may be forgotten."""
        ...

    async def player(self, user: UserId) -> Player:
        """A person's preferences; the defaults for somebody unknown."""
        ...

    async def pauses(self, users: Sequence[UserId], since: datetime) -> Sequence[Pause]:
        """What these people took that goes on after this time, by person, the oldest first."""
        ...

    async def guild(self, guild: Snowflake) -> GuildSettings: ...

    async def audits(self, guild: Snowflake, limit: int, offset: int = 0) -> Sequence[Audit]:
        """What moderators did in a server, newest first."""
        ...

    async def changed_since(self, guild: Snowflake, version: int) -> Sequence[str]:
        """Which settings were changed after this version of them."""
        ...

    async def servers(self) -> Sequence[Snowflake]:
        """Every server of which anything is kept, the lowest id first."""
        ...

    async def ids_in(self, guild: Snowflake, limit: int) -> Sequence[str]:
        """Some matches, challenges and tables of a server."""
        ...

    async def deadlines_of(self, owner: str) -> Sequence[Deadline]:
        """What is due for a match, a lobby or a server."""
        ...

    async def bar(self, guild: Snowflake, user: UserId) -> Bar | None:
        """What keeps a person from playing in a server; it may have run out."""
        ...

    async def bars(self, guild: Snowflake) -> Sequence[Bar]:
        """Everybody who is kept from playing there, by person; some may have run out."""
        ...

    async def barred(self, user: UserId) -> Sequence[Bar]:
        """Every server that keeps this person from playing, the lowest id first; some may have run out."""
        ...

    async def next_bar_end(self) -> datetime | None:
        """When the next bar runs out, or did."""
        ...

    async def name_of(self, guild: Snowflake, user: UserId) -> str | None: ...

    async def blocked(self, by: UserId, user: UserId) -> bool: ...

    async def blocks(self, by: UserId) -> Sequence[tuple[UserId, str]]:
        """Those whom a person blocks, and what each was called then."""
        ...

    async def rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None: ...

    async def ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]:
        """Everybody's rating in a pool, in no particular order, people who left included."""
        ...

    async def pools(self, guild: Snowflake, user: UserId = 0) -> Sequence[str]:
        """Pools in which anybody, or this person, has a rating."""
        ...

    async def every_pool(self) -> Sequence[tuple[Snowflake, str]]:
        """Every server's pools in which a match ever counted."""
        ...

    async def season_rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None:
        """As it is in the season that goes on."""
        ...

    async def season_ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]: ...

    async def ranking(self, guild: Snowflake, pool: str, *, season: bool = False) -> Sequence[Contender]:
        """Everybody who is still there and has played, by person: of all time, or in the season that goes on."""
        ...

    async def above(self, guild: Snowflake, pool: str, height: Height) -> Above:
        """Of those, how many are above this height; nobody is sorted for that."""
        ...

    async def ratings_of(
        self, guild: Snowflake, pool: str, users: Sequence[UserId], *, season: bool = False
    ) -> Sequence[Rating]:
        """Those of a few people, by person."""
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
        """Who is to get or lose which role, by person, so many of each: as the ratings of a pool stand, of all time or
        of the season that goes on, and as roles were given last. Roles `without` which it is to do are left out."""
        ...

    async def season_pools(self, guild: Snowflake) -> Sequence[str]:
        """Pools in which a match of the season that goes on counted."""
        ...

    async def season(self, guild: Snowflake) -> Season | None:
        """The season that goes on."""
        ...

    async def seasons(self, guild: Snowflake) -> Sequence[Season]:
        """All of them, newest first."""
        ...

    async def frozen_pools(self, guild: Snowflake, number: int) -> Sequence[str]:
        """Pools that have a table of a season that is over."""
        ...

    async def frozen(
        self, guild: Snowflake, number: int, pool: str, user: UserId, limit: int, offset: int = 0
    ) -> FrozenPage | None:
        """Some lines of such a table, and this person's; None where there is none."""
        ...

    async def rated_since(self, guild: Snowflake, pool: str, since: datetime) -> Sequence[Before]:
        """Whoever had matches that counted in a pool from this time on, by person."""
        ...

    async def rating_history(self, guild: Snowflake, pool: str, user: UserId) -> Sequence[RatingEntry]: ...

    async def own(self, user: UserId) -> Mapping[str, Any]:
        """Everything that is kept about a person: rows by the name of their table."""
        ...

    async def invited(self, user: UserId) -> Sequence[Lobby]:
        """Open challenges and tables everywhere that a person hosts or is named in, oldest first."""
        ...

    async def former_number(self) -> UserId:
        """A number below zero for somebody whose data is erased, which nobody in a seat has."""
        ...

    async def imported(self, user: UserId, id: str) -> Import | None:
        """A record that this person brought in."""
        ...

    async def heartbeat(self) -> datetime | None: ...

    async def note(self, key: str) -> str | None: ...

    async def daily_deal(self, guild: Snowflake, day: date) -> DailyDeal | None: ...

    async def daily_tries(self, guild: Snowflake, day: date) -> Sequence[DailyTry]:
        """Everybody's try of this day, live ones included."""
        ...

    async def daily_tries_of(self, guild: Snowflake, user: UserId) -> Sequence[DailyTry]:
        """All tries of a person in a server, newest first."""
        ...
