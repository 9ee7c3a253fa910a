"""The store with a memory: what every press asks for is read once, and kept right by our own writes.

Surfaces, preferences and server settings change rarely and only with this store's writes. What another process writes
is not seen at once; nothing that decides a match is remembered here, and a conflict forgets what it was about.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
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
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Snowflake, Surface, SurfaceState, UserId
from bot.referee.model.people import Player
from data.sql.schema import MOVED
from data.sqlite.database import SqliteDatabase
from data.sqlite.files import FileLock
from data.store import BotDatabase, SqlStore

if TYPE_CHECKING:
    from data.postgres.database import PostgresDatabase

T = TypeVar("T")
Key: TypeAlias = tuple[str, Hashable]

GONE = SurfaceState.GONE

MOST = 20_000
"""values kept; beyond that the one that was not asked for the longest goes"""


class RememberingStore(SqlStore[BotDatabase]):
    """Implements `bot.referee.model.Store`, as its base does. Use `open`."""

    @classmethod
    async def open(cls, where: Path | str, *, alone: bool = False) -> Self:
        """Open or create a file, or connect to a server by its address; `alone` refuses one on which a bot runs. Raises
        what those raise."""
        if isinstance(where, Path):
            return await cls._on_file(where, alone)
        return cls(await _postgres().open(where, alone=alone))

    @classmethod
    async def stand_by(cls, address: str) -> tuple[Self, Callable[[], Awaitable[None]]]:
        """As one of several keepers on a server; and what waits until this one leads, before which nothing may be
        written."""
        database, lead = await _postgres().stand_by(address)
        return cls(database), lead

    @classmethod
    async def _on_file(cls, path: Path, alone: bool) -> Self:
        async with AsyncExitStack() as undo:  # whatever goes wrong, and cancelled too
            held = FileLock(path) if alone else None
            if held is not None:
                undo.callback(held.end)
            store = cls(await SqliteDatabase.open(path))
            undo.push_async_callback(store.close)
            if alone and (to := await store.note(MOVED)):
                raise MovedDatabase(path, to)
            if held is not None and not held.holds:
                held = FileLock(path)  # there was none before
            store._held = held
            undo.pop_all()
        return store

    async def close(self) -> None:
        await super().close()
        if self._held is not None:
            self._held.end()

    def __init__(self, database: BotDatabase) -> None:
        super().__init__(database)
        self._held: FileLock | None = None
        self._known: OrderedDict[Key, Any] = OrderedDict()
        self._owners: dict[int, str] = {}
        """whose the remembered surfaces are"""
        self._writing: Counter[Key] = Counter()
        self._reading: dict[Key, set[object]] = {}
        """reads under way whose answer may be kept: a write that begins meanwhile strikes them off"""

    async def surfaces(self, match: str) -> Sequence[Surface]:
        key = ("surfaces", match)
        if key in self._known:
            return self._at_hand(key)
        return await self._remembered(key, lambda: super(RememberingStore, self).surfaces(match))

    def let_go(self, id: str) -> None:
        self._forget(("surfaces", id))

    async def player(self, user: UserId) -> Player:
        key = ("player", user)
        if key in self._known:
            return self._at_hand(key)
        return await self._remembered(key, lambda: super(RememberingStore, self).player(user))

    async def guild(self, guild: Snowflake) -> GuildSettings:
        return await self._remembered(("guild", guild), lambda: super(RememberingStore, self).guild(guild))

    async def write(self, change: Change) -> Sequence[int]:
        touched = self._touched(change)
        if not touched:  # most presses
            return await super().write(change)
        with self._touching(touched):
            answer = await super().write(change)
        self._learn(change)
        return answer

    # --- remembering --------------------------------------------------------------------------------------

    def _at_hand(self, key: Key) -> Any:
        self._known.move_to_end(key)
        return self._known[key]

    async def _remembered(self, key: Key, read: Callable[[], Awaitable[T]]) -> T:
        if key in self._known:
            return self._at_hand(key)
        ticket = object()
        self._reading.setdefault(key, set()).add(ticket)
        try:
            found = await read()
            if key not in self._writing and ticket in self._reading.get(key, ()):
                self._keep(key, found)
            return found
        finally:
            tickets = self._reading.get(key, set())
            tickets.discard(ticket)
            if not tickets:
                self._reading.pop(key, None)

    def _keep(self, key: Key, value: Any) -> None:
        self._known[key] = value
        if key[0] == "surfaces":
            self._owners.update((one.id, one.match) for one in cast("Sequence[Surface]", value))
        while len(self._known) > MOST:
            self._forget(next(iter(self._known)))

    def _forget(self, key: Key) -> None:
        value = self._known.pop(key, None)
        if key[0] == "surfaces" and value is not None:
            for one in cast("Sequence[Surface]", value):
                self._owners.pop(one.id, None)

    def _touched(self, change: Change) -> list[Key]:
        """Everything that may be remembered and that a change is about."""
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
                    else:  # whoever reads it just now must not keep it
                        self._reading.clear()
                case ShiftDeadlines():
                    keys += self._all_surfaces()
                    self._reading.clear()
                case SavePlayer(player):
                    keys.append(("player", player.user))
                case SaveGuild(settings):
                    keys.append(("guild", settings.guild))
                case DropServer(guild):
                    keys.append(("guild", guild))
                case DropMatch(match) | MarkBehind(match):
                    keys.append(("surfaces", match))
                case Erase():  # rare, and about much
                    keys += [key for key in self._known if key[0] != "guild"]
                    self._reading.clear()
                case _:
                    pass
        return keys

    @contextmanager
    def _touching(self, keys: Sequence[Key]) -> Generator[None]:
        """While a change is written nothing of it is kept; if it fails, nothing of it is remembered."""
        self._writing.update(keys)
        for key in keys:
            self._reading.pop(key, None)
        try:
            yield
        except BaseException:  # cancelled too: whether it was written is not known
            for key in keys:
                self._forget(key)
            raise
        finally:
            for key in keys:
                self._writing[key] -= 1
                if self._writing[key] <= 0:
                    del self._writing[key]

    def _learn(self, change: Change) -> None:
        """What was committed is what is remembered. New surfaces have got their ids, so they are read anew."""
        for step in change:
            match step:
                case SurfaceShown(id):
                    self._change_surface(id, partial(_drawn, step))
                case PutSurface(surface) if self._owners.get(surface.id) == surface.match and surface.state is not GONE:
                    self._change_surface(surface.id, lambda _, new=surface: new)
                case PutSurface(surface):
                    self._forget(("surfaces", self._owners.get(surface.id, "")))
                    self._forget(("surfaces", surface.match))
                case DropSurface(id):
                    self._forget(("surfaces", self._owners.get(id, "")))
                case ShiftDeadlines():
                    self._reading.clear()  # whoever read meanwhile must not keep it
                    for key in self._all_surfaces():
                        self._forget(key)
                case Erase():
                    self._reading.clear()
                    for key in [key for key in self._known if key[0] != "guild"]:
                        self._forget(key)
                case SavePlayer(player):
                    self._keep(("player", player.user), player)
                case SaveGuild(settings):
                    self._keep(("guild", settings.guild), settings)
                case DropServer(guild):
                    self._forget(("guild", guild))
                case DropMatch(match) | MarkBehind(match):
                    self._forget(("surfaces", match))
                case _:
                    pass

    def _all_surfaces(self) -> list[Key]:
        return [key for key in self._known if key[0] == "surfaces"]

    def _change_surface(self, id: int, change: Callable[[Surface], Surface]) -> None:
        key: Key = ("surfaces", self._owners.get(id, ""))
        known = cast("Sequence[Surface] | None", self._known.get(key))
        if known is not None:
            self._known[key] = [change(one) if one.id == id else one for one in known]


def _drawn(step: SurfaceShown, one: Surface) -> Surface:
    return replace_fields(one, shown=max(one.shown, step.shown)) if one.message == step.message else one


def _postgres() -> type[PostgresDatabase]:
    """Only where a server is wanted: most do without its driver. Raises `NoDriver`."""
    try:
        from data.postgres.database import PostgresDatabase
    except ModuleNotFoundError as error:
        raise NoDriver from error
    return PostgresDatabase
