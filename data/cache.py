"""Store with a write-through cache of surfaces, preferences, servers and their settings, which every press reads.

These values change rarely. Where several processes share the partitions, each caches what only it can change, and
preferences and settings: who changes them tells the others. The cache holds nothing that decides a match. A write that
fails, for example with a conflict, drops the values that it touched.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable, Iterable, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar, cast

from bot.engine.fast_values import replace_fields
from bot.errors import MovedDatabase, NoDriver
from bot.referee.model.changes import (
    Change,
    DropMatch,
    DropServer,
    DropSurface,
    Erase,
    MarkBehind,
    PutSurface,
    SaveGuild,
    SavePlayer,
    ShiftDeadlines,
    SurfaceShown,
)
from bot.referee.model.counts import NoteJoined, NoteLeft
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.model.partitions import partition_of
from bot.referee.model.people import Player
from bot.referee.model.surfaces import Surface, SurfaceState
from data.sql.schema import MOVED
from data.sqlite.database import SqliteDatabase
from data.sqlite.files import FileLock
from data.store import BotDatabase, SqlStore

if TYPE_CHECKING:
    from data.postgres.database import PostgresDatabase
    from data.postgres.leases import Leases

T = TypeVar("T")
Key: TypeAlias = tuple[str, Hashable]

GONE = SurfaceState.GONE

OWNED = ("surfaces", "member")
"""Kinds of values that only the owner of their partition caches."""

SHARED = ("player", "guild")
"""Kinds of values that each process caches, though others change them."""

STALE_AFTER, UNTOLD = 300.0, 2.0
"""Seconds after which a process reads shared values again: while all others can tell of changes, and while not."""

CAPACITY = 20_000
"""Number of cached values. Beyond it the least recently used value is evicted."""


class CachingStore(SqlStore[BotDatabase]):
    """Store with a cache. Use `open` or `join`."""

    @classmethod
    async def open(cls, where: Path | str, *, alone: bool = False) -> Self:
        """Open or create a file, or connect to a server by its address.

        With `alone`, no other bot or command can use it. Raise what `SqliteDatabase.open`, `FileLock` or
        `PostgresDatabase.open` raises.
        """
        if isinstance(where, Path):
            return await cls._open_file(where, alone)
        return cls(await _import_postgres().open(where, alone=alone))

    @classmethod
    async def open_beside(cls, where: Path | str, *, alone: bool) -> Self:
        """Open as `open` does. But if processes of a bot use the server, they own all partitions: the command asks them
        for changes by jobs."""
        if isinstance(where, str):
            database = _import_postgres()
            from data.postgres.inspection import is_in_use

            if await is_in_use(where):
                store = cls(await database.open(where))
                store._is_shared = True
                return store
        return await cls.open(where, alone=alone)

    @classmethod
    async def join(cls, address: str, peer: str = "") -> Self:
        """Connect as one of the processes of a bot, which joins them by `leases`. Nothing may be written before that.

        `peer` is the address at which other processes reach this one. Without it, one process owns all partitions.
        """
        database, leases = await _import_postgres().join(address, peer)
        store = cls(database)
        store.leases = leases
        store._is_shared = bool(peer)
        return store

    @classmethod
    async def _open_file(cls, path: Path, alone: bool) -> Self:
        async with AsyncExitStack() as undo:  # cleans up after every error, also when cancelled
            lock = FileLock(path) if alone else None
            if lock is not None:
                undo.callback(lock.release)
            store = cls(await SqliteDatabase.open(path))
            undo.push_async_callback(store.close)
            if alone and (to := await store.note(MOVED)):
                raise MovedDatabase(path, to)
            if lock is not None and not lock.is_held:
                lock = FileLock(path)  # there was no file to lock before
            store._lock = lock
            undo.pop_all()
        return store

    async def close(self) -> None:
        await super().close()
        if self._lock is not None:
            self._lock.release()

    def __init__(self, database: BotDatabase) -> None:
        super().__init__(database)
        self.leases: Leases | None = None
        """Those of a process of a bot on a server; None for a file and for commands."""
        self._is_shared = False
        self._lock: FileLock | None = None
        self._cache: OrderedDict[Key, Any] = OrderedDict()
        self._owners: dict[int, str] = {}
        """Match or lobby of each cached surface."""
        self._read_at: dict[Key, float] = {}
        """When a value was read; only where it is shared."""
        self.is_told: Callable[[], bool] = lambda: True
        """Returns False while a process that lives may have changed a shared value and could not tell."""
        self.on_changed: Callable[[int], None] = lambda _: None
        """Called with the person or server after a change of a shared value, and with 0 after one of several."""
        self._reads: dict[Key, object] = {}
        """Ticket of the pending read of each key whose result may be cached. A write that ends meanwhile removes it."""

    @property
    def process(self) -> int:
        return 0 if self.leases is None else self.leases.process

    @property
    def is_shared(self) -> bool:
        return self._is_shared

    def owns(self, key: str | int) -> bool:
        return not key or self.owns_partition(partition_of(key))

    def owns_partition(self, partition: int) -> bool:
        return not self._is_shared or (self.leases is not None and self.leases.owns(partition))

    def drop_partition(self, partition: int) -> None:
        """Forget what is cached of a partition: another process changes it from now on."""
        for key in [*self._cache]:
            if key[0] in OWNED and partition_of(cast("str | int", key[1])) == partition:
                self._discard(key)

    async def match(self, id: str) -> StoredMatch | None:
        """Read a match. If it is live, cache what each press on it needs: surfaces, and preferences of its players."""
        if not self.owns(id):
            return await super().match(id)
        with self._reading(key := ("surfaces", id)) as is_current:
            match, surfaces, players = await self.match_with_messages(id)
            if match is not None and match.live and is_current():
                self._put(key, surfaces)
                for player in players:
                    self._put(("player", player.user), player)
            return match

    async def surfaces(self, match: str) -> Sequence[Surface]:
        return await self._load(("surfaces", match), lambda: super(CachingStore, self).surfaces(match))

    def drop_cached(self, id: str) -> None:
        self._discard(("surfaces", id))

    def forget(self, id: int) -> None:
        """Read again the preferences of a person or settings of a server that were changed, for 0 those of all."""
        keys: Iterable[Key] = [(kind, id) for kind in SHARED] if id else [*self._cache]
        for key in keys:
            if key[0] in SHARED:
                self._discard(key)
        self._reads.clear()  # one of a match may bring preferences

    async def player(self, user: UserId) -> Player:
        return await self._load(("player", user), lambda: super(CachingStore, self).player(user))

    async def guild(self, guild: Snowflake) -> GuildSettings:
        return await self._load(("guild", guild), lambda: super(CachingStore, self).guild(guild))

    async def is_member(self, guild: Snowflake) -> bool:
        found = await self._load(("member", guild), lambda: super(CachingStore, self).is_member(guild))
        if not found:  # another process may note at any time that the bot has joined
            self._discard(("member", guild))
        return found

    async def write(self, change: Change) -> Sequence[int]:
        keys = self._affected_keys(change)
        if not keys:  # most presses
            return await super().write(change)
        try:
            answer = await super().write(change)
        except BaseException:  # also when cancelled: the change may or may not be committed
            for key in keys:
                self._discard(key)
            raise
        finally:
            for key in keys:  # a pending read may have seen the state before the commit
                self._reads.pop(key, None)
            if changed := {cast("int", id) for kind, id in keys if kind in SHARED}:
                self._reads.clear()  # one of a match may bring preferences
                self.on_changed(changed.pop() if len(changed) == 1 else 0)
        self._update_cache(change)
        return answer

    # --- cache --------------------------------------------------------------------------------------------

    async def _load(self, key: Key, read: Callable[[], Awaitable[T]]) -> T:
        if self._is_shared and key[0] in SHARED and self._is_stale(key):
            self._discard(key)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        if key[0] in OWNED and not self.owns(cast("str | int", key[1])):
            return await read()
        with self._reading(key) as is_current:
            value = await read()
            if is_current():
                self._put(key, value)
            return value

    @contextmanager
    def _reading(self, key: Key) -> Generator[Callable[[], bool]]:
        """Read a value, and others with it. What is yielded tells whether it may be cached: nothing was written
        meanwhile that changes it, and no later read of it has begun."""
        ticket = self._reads[key] = object()
        try:
            yield lambda: self._reads.get(key) is ticket
        finally:
            if self._reads.get(key) is ticket:
                del self._reads[key]

    def _is_stale(self, key: Key) -> bool:
        age = time.monotonic() - self._read_at.get(key, -STALE_AFTER)
        return age >= STALE_AFTER or (age >= UNTOLD and not self.is_told())

    def _put(self, key: Key, value: Any) -> None:
        self._cache[key] = value
        if self._is_shared and key[0] in SHARED:
            self._read_at[key] = time.monotonic()
        if key[0] == "surfaces":
            self._owners.update((surface.id, surface.match) for surface in cast("Sequence[Surface]", value))
        while len(self._cache) > CAPACITY:
            self._discard(next(iter(self._cache)))

    def _discard(self, key: Key) -> None:
        value = self._cache.pop(key, None)
        self._read_at.pop(key, None)
        if key[0] == "surfaces" and value is not None:
            for surface in cast("Sequence[Surface]", value):
                self._owners.pop(surface.id, None)

    def _affected_keys(self, change: Change) -> list[Key]:
        """Return the keys of all values that a change may affect."""
        keys: list[Key] = []
        for step in change:
            match step:
                case PutSurface(surface):
                    keys.append(("surfaces", surface.match))
                    if surface.id in self._owners:
                        keys.append(("surfaces", self._owners[surface.id]))
                case SurfaceShown(id) | DropSurface(id):
                    if id in self._owners:
                        keys.append(("surfaces", self._owners[id]))
                    else:  # a pending read of this surface must not be cached
                        self._reads.clear()
                case ShiftDeadlines():
                    keys += self._surface_keys()
                    self._reads.clear()
                case SavePlayer(player):
                    keys.append(("player", player.user))
                case SaveGuild(settings):
                    keys.append(("guild", settings.guild))
                case NoteJoined(guild) | NoteLeft(guild):
                    keys.append(("member", guild))
                case DropServer(guild):
                    keys += [("guild", guild), ("member", guild)]
                case DropMatch(match) | MarkBehind(match):
                    keys.append(("surfaces", match))
                case Erase():  # rare, and affects many values
                    keys += [key for key in self._cache if key[0] not in ("guild", "member")]
                    self._reads.clear()
                case _:
                    pass
        return keys

    def _update_cache(self, change: Change) -> None:
        """Apply a committed change to the cache. Drop lists with new surfaces: only the database has their ids."""
        for step in change:
            match step:
                case SurfaceShown(id):
                    self._update_surface(id, step)
                case PutSurface(surface) if self._owners.get(surface.id) == surface.match and surface.state is not GONE:
                    self._update_surface(surface.id, step)
                case SavePlayer(player):
                    self._put(("player", player.user), player)
                case SaveGuild(settings):
                    self._put(("guild", settings.guild), settings)
                case _:
                    for key in self._affected_keys((step,)):
                        self._discard(key)

    def _surface_keys(self) -> list[Key]:
        return [key for key in self._cache if key[0] == "surfaces"]

    def _update_surface(self, id: int, step: SurfaceShown | PutSurface) -> None:
        key: Key = ("surfaces", self._owners.get(id, ""))
        surfaces = [*cast("Sequence[Surface]", self._cache.get(key, ()))]
        for place, surface in enumerate(surfaces):
            if surface.id != id:
                continue
            if isinstance(step, PutSurface):
                surfaces[place] = step.surface
            elif surface.message == step.message:
                surfaces[place] = replace_fields(surface, shown=max(surface.shown, step.shown))
            self._cache[key] = surfaces


def _import_postgres() -> type[PostgresDatabase]:
    """Import the driver only if a server is used, because most installations lack it. Raise `NoDriver`."""
    try:
        from data.postgres.database import PostgresDatabase
    except ModuleNotFoundError as error:
        raise NoDriver from error
    return PostgresDatabase
