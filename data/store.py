"""The referee's store: builds every read and write, and lets one database execute them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from types import CoroutineType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeAlias, TypeVar

from bot.referee.model.changes import Change, DropMatch, DropServer, Erase, EraseAgreement
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Snowflake
from bot.referee.model.people import Above, Height
from data.sql import (
    counts,
    daily,
    deadlines,
    jobs,
    lobbies,
    match_lists,
    matches,
    people,
    personal_data,
    ratings,
    searches,
    seasons,
    server,
    surfaces,
)
from data.sql.statement import Read, Statement
from data.sql.steps import build_statements

P = ParamSpec("P")
T = TypeVar("T")


class Database(Protocol):
    """Port of a database. It raises `StoreBusy`, `StoreReadOnly` and `Conflict` as a store does."""

    lost: asyncio.Event
    """Set when the database was replaced, removed or damaged. Nothing is written any more, and the process must end."""

    def guard(self, change: Change, /) -> Sequence[Statement]:
        """Build the statements that come before a change: where changes run concurrently, its locks."""
        ...

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Execute all statements in one transaction, and return the ids that they give."""
        ...

    async def read(self, read: Read[T]) -> T:
        """Execute all queries on one snapshot."""
        ...

    async def scrub(self) -> None:
        """Remove deleted rows from the files of the database."""
        ...

    async def close(self) -> None:
        """Finish pending writes and release the database. A second call does nothing."""
        ...


ERASES = (Erase, EraseAgreement, DropMatch, DropServer)
"""Changes after which deleted rows must not stay in a file."""

D_co = TypeVar("D_co", bound=Database, covariant=True)


class BotDatabase(Database, Protocol):
    """Database on which a bot can run."""

    async def read_apart(self, read: Read[T]) -> T:
        """Execute a read that takes long, so that no other read waits for it."""
        ...

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if an older copy may have been restored after this heartbeat of a bot."""
        ...

    async def settle(self) -> None:
        """Record that the present copy is known and was compared with the messages in Discord."""
        ...


def read_method(read: Callable[P, Read[T]]) -> Callable[Concatenate[SqlStore[Any], P], CoroutineType[Any, Any, T]]:
    """Make a method of `SqlStore` of the function that builds a read."""

    async def method(self: SqlStore[Any], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(read(*args, **kwargs))

    return method


def read_own(
    read: Callable[Concatenate[int, P], Read[T]],
) -> Callable[Concatenate[SqlStore[Any], P], CoroutineType[Any, Any, T]]:
    """Make a method likewise, of a function that takes the process whose partitions it reads."""

    async def method(self: SqlStore[Any], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(read(self.process, *args, **kwargs))

    return method


class SqlStore(Generic[D_co]):
    """The database. Reads see what was committed; `write` is all or nothing. Close it, or use it as a context.

    Reads raise `StoreBusy`; writes raise `Conflict`, `StoreBusy` or `StoreReadOnly` (bot.referee.model.changes).
    """

    def __init__(self, database: D_co) -> None:
        self.database = database
        self.usual = GuildSettings(0)
        """Clock of servers without settings of their own."""

    @property
    def process(self) -> int:
        """The number of this process among those of the database."""
        return 0

    @property
    def is_shared(self) -> bool:
        """True if other processes own some of the partitions."""
        return False

    def owns(self, key: str | int) -> bool:
        """Return True if no other process changes what belongs to this match, lobby or server."""
        return True

    def owns_partition(self, partition: int) -> bool:
        """Return True if this process may begin work in a partition."""
        return True

    async def close(self) -> None:
        await self.database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def write(self, change: Change) -> Sequence[int]:
        """Apply the steps in one transaction. Return the id of the surface of each `PutSurface`."""
        ids = await self.database.write((*self.database.guard(change), *build_statements(change)))
        if any(isinstance(step, ERASES) for step in change):
            await self.database.scrub()
        return ids

    # A read that has the name of its module comes after the others of that module, which it hides.
    lobby = read_method(lobbies.lobby)
    open_lobbies = read_method(lobbies.open_lobbies)
    declined_since = read_method(lobbies.declined_since)
    hosted_since = read_method(lobbies.hosted_since)
    invited = read_method(lobbies.invited)

    match = read_method(matches.match)
    earlier_seals = read_method(matches.earlier_seals)
    match_with_messages = read_method(matches.match_with_messages)
    live_of = read_method(matches.live_of)

    known_id = read_method(match_lists.known_id)
    live_count = read_method(match_lists.live_count)
    boards_in = read_method(match_lists.boards_in)
    live_in = read_method(match_lists.live_in)
    finished_of = read_method(match_lists.finished_of)
    finished_ids = read_method(match_lists.finished_ids)
    last_match = read_method(match_lists.last_match)
    is_played = read_method(match_lists.is_played)
    has_finished = read_method(match_lists.has_finished)
    rated_pairs_since = read_method(match_lists.rated_pairs_since)
    former_number = read_method(match_lists.former_number)

    due = read_own(deadlines.due)
    next_due = read_own(deadlines.next_due)
    heartbeat = read_method(deadlines.heartbeat)
    absences = read_own(deadlines.absences)
    heartbeat_of = read_method(deadlines.heartbeat_of)
    deadlines_of = read_method(deadlines.deadlines_of)

    waiting_in = read_method(jobs.waiting_in)
    jobs = read_own(jobs.jobs)

    behind = read_own(surfaces.behind)
    unfinished = read_own(surfaces.unfinished)
    surfaces = read_method(surfaces.surfaces)

    unmarked = read_own(deadlines.unmarked)

    player = read_method(people.player)
    pauses = read_method(people.pauses)
    name_of = read_method(people.name_of)
    servers_of = read_method(people.servers_of)
    blocked = read_method(people.blocked)
    blocks = read_method(people.blocks)
    imported = read_method(people.imported)
    note = read_method(people.note)
    is_handled = read_method(people.is_handled)

    audits = read_method(server.audits)
    changed_since = read_method(server.changed_since)
    servers = read_method(server.servers)
    ids_in = read_method(server.ids_in)
    ban = read_method(server.ban)
    bans = read_method(server.bans)
    banned = read_method(server.banned)
    next_ban_end = read_method(server.next_ban_end)

    rating = read_method(ratings.rating)
    pools = read_method(ratings.pools)
    every_pool = read_method(ratings.every_pool)
    season_rating = read_method(ratings.season_rating)
    season_ratings = read_method(ratings.season_ratings)
    ranking = read_method(ratings.ranking)
    ratings_of = read_method(ratings.ratings_of)
    owed_roles = read_method(ratings.owed_roles)
    season_pools = read_method(ratings.season_pools)
    rated_since = read_method(ratings.rated_since)
    rating_history = read_method(ratings.rating_history)
    ratings = read_method(ratings.ratings)

    season = read_method(seasons.season)
    frozen_pools = read_method(seasons.frozen_pools)
    frozen = read_method(seasons.frozen)
    seasons = read_method(seasons.seasons)

    own = read_method(personal_data.own)

    joined_servers = read_method(counts.joined_servers)
    member_servers = read_method(counts.member_servers)

    search = read_method(searches.search)
    searches_in = read_method(searches.searches_in)
    search_posts = read_method(searches.search_posts)

    daily_deal = read_method(daily.daily_deal)
    daily_tries = read_method(daily.daily_tries)
    daily_tries_of = read_method(daily.daily_tries_of)

    async def guild(self, guild: Snowflake) -> GuildSettings:
        return await self.database.read(server.guild(guild, self.usual))

    async def is_member(self, guild: Snowflake) -> bool:
        return await self.database.read(counts.is_member(guild))

    async def above(self, guild: Snowflake, pool: str, height: Height) -> Above:
        """Count the ranked people, and those above a height."""
        size, surely, perhaps = await self.database.read(ratings.above(guild, pool, height))
        if surely == perhaps:  # almost always
            return Above(size, surely, ())
        return Above(size, surely, await self.database.read(ratings.borderline(guild, pool, height)))

    def drop_cached(self, id: str) -> None:
        """Drop caches of a match or lobby that is over and shown: here there are none."""

    def forget(self, id: int) -> None:
        """Drop cached preferences of a person and settings of a server, for 0 those of all: here there are none."""


Store: TypeAlias = SqlStore[Database]
"""A store over any database."""
