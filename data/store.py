"""The referee's store: every read and write as data, carried out by one database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from bot.referee.model.changes import Change, DropMatch, DropServer, Erase, EraseAgreement
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
from data.sql import (
    daily,
    deadlines,
    lobbies,
    match_lists,
    matches,
    people,
    personal_data,
    ratings,
    seasons,
    server,
    surfaces,
    time_away,
)
from data.sql.locks import locked
from data.sql.statement import Read, Statement
from data.sql.steps import statements
from data.sqlite.database import BUSY, SqliteDatabase

T = TypeVar("T")


class Database(Protocol):
    """What a store needs of a database. It raises `StoreBusy`, `StoreReadOnly` and `Conflict` as a store does."""

    lost: asyncio.Event
    """set when it is another one, gone or damaged: nothing is written any more, and whoever runs this must end"""

    @property
    def takes_rows(self) -> bool:
        """Whether changes are carried out side by side, so that each has to take its rows first."""
        ...

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Carry all statements out in one transaction, or none of them; the ids that they give."""
        ...

    async def read(self, read: Read[T]) -> T:
        """Ask all queries at one moment."""
        ...

    async def scrub(self) -> None:
        """Leave nothing of what was deleted in files of ours."""
        ...

    async def close(self) -> None:
        """Finish what was begun and let go. Closing twice is no mistake."""
        ...


ERASES = (Erase, EraseAgreement, DropMatch, DropServer)
"""Changes after which nothing of a person may be left in a file."""

D = TypeVar("D", bound=Database)


class BotDatabase(Database, Protocol):
    """One on which a bot may run."""

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if an older copy may have been put in place since this sign of life of a bot."""
        ...

    async def settle(self) -> None:
        """Note that the copy that is in place now is known, and was compared with what people saw."""
        ...


class SqlStore(Generic[D]):
    """Implements `bot.referee.model.Store` over an SQL database. Close it, or use it as a context."""

    def __init__(self, database: D) -> None:
        self.database = database
        self.usual_clock = GuildSettings(0).clock
        """of servers that decided nothing"""

    async def close(self) -> None:
        await self.database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def write(self, change: Change) -> Sequence[int]:
        taken = locked(change) if self.database.takes_rows else ()
        ids = await self.database.write((*taken, *statements(change)))
        if any(isinstance(step, ERASES) for step in change):
            await self.database.scrub()
        return ids

    # --- lobbies and matches ------------------------------------------------------------------------------

    async def lobby(self, id: str) -> Lobby | None:
        return await self.database.read(lobbies.lobby(id))

    async def match(self, id: str) -> StoredMatch | None:
        return await self.database.read(matches.match(id))

    async def earlier_seals(self, id: str) -> Sequence[EarlierSeal]:
        return await self.database.read(matches.earlier_seals(id))

    async def known_id(self, id: str) -> bool:
        return await self.database.read(match_lists.known_id(id))

    async def open_lobbies(self, guild: Snowflake, user: UserId) -> Sequence[Lobby]:
        return await self.database.read(lobbies.open_lobbies(guild, user))

    async def declined_since(self, guild: Snowflake, host: UserId, since: datetime) -> Sequence[Lobby]:
        return await self.database.read(lobbies.declined_since(guild, host, since))

    async def hosted_since(self, host: UserId, since: datetime) -> Sequence[Lobby]:
        return await self.database.read(lobbies.hosted_since(host, since))

    async def live_of(self, user: UserId) -> Sequence[StoredMatch]:
        return await self.database.read(matches.live_of(user))

    async def live_count(self, user: UserId) -> int:
        return await self.database.read(match_lists.live_count(user))

    async def boards_in(self, channel: Snowflake) -> int:
        return await self.database.read(match_lists.boards_in(channel))

    async def live_in(self, guild: Snowflake, channel: Snowflake = 0) -> Sequence[str]:
        return await self.database.read(match_lists.live_in(guild, channel))

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
        read = match_lists.finished_of(guild, user, limit, offset, against, game, result, span)
        return await self.database.read(read)

    async def finished_ids(self, user: UserId) -> Sequence[str]:
        return await self.database.read(match_lists.finished_ids(user))

    async def last_match(
        self, user: UserId, channel: Snowflake = 0, live: bool | None = None, guild: Snowflake | None = None
    ) -> str | None:
        return await self.database.read(match_lists.last_match(user, channel, live, guild))

    async def rated_pairs_since(
        self, guild: Snowflake, users: Sequence[UserId], since: datetime, games: Sequence[str]
    ) -> int:
        return await self.database.read(match_lists.rated_pairs_since(guild, users, since, games))

    # --- clocks and surfaces ------------------------------------------------------------------------------

    async def due(self, now: datetime, limit: int = 100) -> Sequence[Deadline]:
        return await self.database.read(deadlines.due(now, limit))

    async def next_due(self) -> datetime | None:
        return await self.database.read(deadlines.next_due())

    async def heartbeat(self) -> datetime | None:
        return await self.database.read(deadlines.heartbeat())

    async def behind(self, limit: int = 200) -> Sequence[Surface]:
        return await self.database.read(surfaces.behind(limit))

    async def unmarked(self) -> Unmarked | None:
        return await self.database.read(time_away.unmarked())

    async def surfaces(self, match: str) -> Sequence[Surface]:
        return await self.database.read(surfaces.surfaces(match))

    async def unfinished(self) -> tuple[Sequence[str], Sequence[str]]:
        return await self.database.read(surfaces.unfinished())

    def let_go(self, id: str) -> None:
        """Nothing is remembered here."""

    # --- people and ratings -------------------------------------------------------------------------------

    async def player(self, user: UserId) -> Player:
        return await self.database.read(people.player(user))

    async def pauses(self, users: Sequence[UserId], since: datetime) -> Sequence[Pause]:
        return await self.database.read(people.pauses(users, since))

    async def guild(self, guild: Snowflake) -> GuildSettings:
        return await self.database.read(server.guild(guild, self.usual_clock))

    async def audits(self, guild: Snowflake, limit: int, offset: int = 0) -> Sequence[Audit]:
        return await self.database.read(server.audits(guild, limit, offset))

    async def changed_since(self, guild: Snowflake, version: int) -> Sequence[str]:
        return await self.database.read(server.changed_since(guild, version))

    async def servers(self) -> Sequence[Snowflake]:
        return await self.database.read(server.servers())

    async def ids_in(self, guild: Snowflake, limit: int) -> Sequence[str]:
        return await self.database.read(server.ids_in(guild, limit))

    async def deadlines_of(self, owner: str) -> Sequence[Deadline]:
        return await self.database.read(deadlines.deadlines_of(owner))

    async def bar(self, guild: Snowflake, user: UserId) -> Bar | None:
        return await self.database.read(server.bar(guild, user))

    async def bars(self, guild: Snowflake) -> Sequence[Bar]:
        return await self.database.read(server.bars(guild))

    async def barred(self, user: UserId) -> Sequence[Bar]:
        return await self.database.read(server.barred(user))

    async def next_bar_end(self) -> datetime | None:
        return await self.database.read(server.next_bar_end())

    async def name_of(self, guild: Snowflake, user: UserId) -> str | None:
        return await self.database.read(people.name_of(guild, user))

    async def blocked(self, by: UserId, user: UserId) -> bool:
        return await self.database.read(people.blocked(by, user))

    async def blocks(self, by: UserId) -> Sequence[tuple[UserId, str]]:
        return await self.database.read(people.blocks(by))

    async def rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None:
        return await self.database.read(ratings.rating(guild, pool, user))

    async def ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]:
        return await self.database.read(ratings.ratings(guild, pool))

    async def pools(self, guild: Snowflake, user: UserId = 0) -> Sequence[str]:
        return await self.database.read(ratings.pools(guild, user))

    async def every_pool(self) -> Sequence[tuple[Snowflake, str]]:
        return await self.database.read(ratings.every_pool())

    async def season_rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None:
        return await self.database.read(ratings.season_rating(guild, pool, user))

    async def season_ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]:
        return await self.database.read(ratings.season_ratings(guild, pool))

    async def ranking(self, guild: Snowflake, pool: str, *, season: bool = False) -> Sequence[Contender]:
        return await self.database.read(ratings.ranking(guild, pool, season))

    async def above(self, guild: Snowflake, pool: str, height: Height) -> Above:
        size, surely, perhaps = await self.database.read(ratings.above(guild, pool, height))
        if surely == perhaps:  # as good as always
            return Above(size, surely, ())
        return Above(size, surely, await self.database.read(ratings.close(guild, pool, height)))

    async def ratings_of(
        self, guild: Snowflake, pool: str, users: Sequence[UserId], *, season: bool = False
    ) -> Sequence[Rating]:
        return await self.database.read(ratings.ratings_of(guild, pool, users, season))

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
        return await self.database.read(ratings.owed_roles(guild, pool, bands, season, without, limit))

    async def season_pools(self, guild: Snowflake) -> Sequence[str]:
        return await self.database.read(ratings.season_pools(guild))

    async def season(self, guild: Snowflake) -> Season | None:
        return await self.database.read(seasons.season(guild))

    async def seasons(self, guild: Snowflake) -> Sequence[Season]:
        return await self.database.read(seasons.seasons(guild))

    async def frozen_pools(self, guild: Snowflake, number: int) -> Sequence[str]:
        return await self.database.read(seasons.frozen_pools(guild, number))

    async def frozen(
        self, guild: Snowflake, number: int, pool: str, user: UserId, limit: int, offset: int = 0
    ) -> FrozenPage | None:
        return await self.database.read(seasons.frozen(guild, number, pool, user, limit, offset))

    async def rated_since(self, guild: Snowflake, pool: str, since: datetime) -> Sequence[Before]:
        return await self.database.read(ratings.rated_since(guild, pool, since))

    async def rating_history(self, guild: Snowflake, pool: str, user: UserId) -> Sequence[RatingEntry]:
        return await self.database.read(ratings.rating_history(guild, pool, user))

    async def own(self, user: UserId) -> Mapping[str, Any]:
        return await self.database.read(personal_data.own(user))

    async def invited(self, user: UserId) -> Sequence[Lobby]:
        return await self.database.read(lobbies.invited(user))

    async def former_number(self) -> UserId:
        return await self.database.read(match_lists.former_number())

    async def imported(self, user: UserId, id: str) -> Import | None:
        return await self.database.read(people.imported(user, id))

    async def note(self, key: str) -> str | None:
        return await self.database.read(people.note(key))

    async def daily_deal(self, guild: Snowflake, day: date) -> DailyDeal | None:
        return await self.database.read(daily.daily_deal(guild, day))

    async def daily_tries(self, guild: Snowflake, day: date) -> Sequence[DailyTry]:
        return await self.database.read(daily.daily_tries(guild, day))

    async def daily_tries_of(self, guild: Snowflake, user: UserId) -> Sequence[DailyTry]:
        return await self.database.read(daily.daily_tries_of(guild, user))


class SqliteStore(SqlStore[SqliteDatabase]):
    """The store in one SQLite file. Use `open`."""

    @classmethod
    async def open(cls, path: Path, busy: timedelta = BUSY) -> Self:
        """Open or create a file. Raises `NewerDatabase`, `ChangedMigration`, `StoreBusy`, and `StoreReadOnly` only
        where there is nothing to read either."""
        return cls(await SqliteDatabase.open(path, busy))
