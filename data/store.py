"""The referee's store in one SQLite file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from bot.referee.changes import Change
from bot.referee.model import (
    Deadline,
    Finished,
    GuildSettings,
    Lobby,
    Player,
    Rating,
    RatingEntry,
    Snowflake,
    StoredMatch,
    Surface,
    UserId,
)
from data import reads_match, reads_people, reads_table
from data.database import BUSY, Database
from data.writes import statements


class SqliteStore:
    """Implements `bot.referee.ports.Store`. Use `open`; close it, or use it as a context."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    async def open(cls, path: Path, busy: timedelta = BUSY) -> SqliteStore:
        """Open or create a file. Raises `NewerDatabase`, `ChangedMigration`, `StoreBusy`, and `StoreReadOnly` only
        where there is nothing to read either."""
        return cls(await Database.open(path, busy))

    async def close(self) -> None:
        """Finish what was begun and let go of the file. Closing twice is no mistake."""
        await self.database.close()

    async def __aenter__(self) -> SqliteStore:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def write(self, change: Change) -> Sequence[int]:
        return await self.database.write(statements(change))

    # --- lobbies and matches ------------------------------------------------------------------------------

    async def lobby(self, id: str) -> Lobby | None:
        return await self.database.read(partial(reads_table.lobby, id=id))

    async def match(self, id: str) -> StoredMatch | None:
        return await self.database.read(partial(reads_match.match, id=id))

    async def known_id(self, id: str) -> bool:
        return await self.database.read(partial(reads_match.known_id, id=id))

    async def open_lobbies(self, guild: Snowflake, user: UserId) -> Sequence[Lobby]:
        return await self.database.read(partial(reads_table.open_lobbies, guild=guild, user=user))

    async def declined_since(self, guild: Snowflake, host: UserId, since: datetime) -> Sequence[Lobby]:
        return await self.database.read(partial(reads_table.declined_since, guild=guild, host=host, since=since))

    async def live_of(self, user: UserId) -> Sequence[StoredMatch]:
        return await self.database.read(partial(reads_match.live_of, user=user))

    async def live_count(self, user: UserId) -> int:
        return await self.database.read(partial(reads_match.live_count, user=user))

    async def boards_in(self, channel: Snowflake) -> int:
        return await self.database.read(partial(reads_match.boards_in, channel=channel))

    async def live_in(self, guild: Snowflake, channel: Snowflake = 0) -> Sequence[str]:
        return await self.database.read(partial(reads_match.live_in, guild=guild, channel=channel))

    async def finished_of(
        self, guild: Snowflake, user: UserId, limit: int, offset: int = 0, against: UserId = 0, game: str = ""
    ) -> Sequence[Finished]:
        read = partial(reads_match.finished_of, guild=guild, user=user, limit=limit, offset=offset)
        return await self.database.read(partial(read, against=against, game=game))

    async def last_match(self, user: UserId, channel: Snowflake = 0, live: bool | None = None) -> str | None:
        return await self.database.read(partial(reads_match.last_match, user=user, channel=channel, live=live))

    async def rated_pairs_since(self, guild: Snowflake, users: Sequence[UserId], since: datetime) -> int:
        return await self.database.read(partial(reads_match.rated_pairs_since, guild=guild, users=users, since=since))

    # --- clocks and surfaces ------------------------------------------------------------------------------

    async def due(self, now: datetime, limit: int = 100) -> Sequence[Deadline]:
        return await self.database.read(partial(reads_table.due, now=now, limit=limit))

    async def next_due(self) -> datetime | None:
        return await self.database.read(reads_table.next_due)

    async def heartbeat(self) -> datetime | None:
        return await self.database.read(reads_table.heartbeat)

    async def behind(self, limit: int = 200) -> Sequence[Surface]:
        return await self.database.read(partial(reads_table.behind, limit=limit))

    async def surfaces(self, match: str) -> Sequence[Surface]:
        return await self.database.read(partial(reads_table.surfaces, owner=match))

    # --- people and ratings -------------------------------------------------------------------------------

    async def player(self, user: UserId) -> Player:
        return await self.database.read(partial(reads_people.player, user=user))

    async def guild(self, guild: Snowflake) -> GuildSettings:
        return await self.database.read(partial(reads_people.guild, id=guild))

    async def name_of(self, guild: Snowflake, user: UserId) -> str | None:
        return await self.database.read(partial(reads_people.name_of, guild=guild, user=user))

    async def blocked(self, by: UserId, user: UserId) -> bool:
        return await self.database.read(partial(reads_people.blocked, by=by, user=user))

    async def blocks(self, by: UserId) -> Sequence[UserId]:
        return await self.database.read(partial(reads_people.blocks, by=by))

    async def rating(self, guild: Snowflake, pool: str, user: UserId) -> Rating | None:
        return await self.database.read(partial(reads_people.rating, guild=guild, pool=pool, user=user))

    async def ratings(self, guild: Snowflake, pool: str) -> Sequence[Rating]:
        return await self.database.read(partial(reads_people.ratings, guild=guild, pool=pool))

    async def pools(self, guild: Snowflake, user: UserId = 0) -> Sequence[str]:
        return await self.database.read(partial(reads_people.pools, guild=guild, user=user))

    async def rating_history(self, guild: Snowflake, pool: str, user: UserId) -> Sequence[RatingEntry]:
        return await self.database.read(partial(reads_people.rating_history, guild=guild, pool=pool, user=user))

    async def note(self, key: str) -> str | None:
        return await self.database.read(partial(reads_people.note, key=key))
