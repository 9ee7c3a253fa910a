"""Every kind of store, fresh for each test."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.referee.model.changes import Change
from data.cache import CachingStore
from data.postgres import routines
from data.store import Store
from tests import postgres
from tests.data.examples import ANA, BEN, GUILD
from tests.memory_store import MemoryStore
from tests.migrated import migrated
from tests.postgres import PostgresStore
from tests.sqlite_store import SqliteStore


class ReopenedStore:
    """Nothing but the file carries over from one write to what follows."""

    def __init__(self, path: Path, store: SqliteStore) -> None:
        self.path = path
        self.store = store

    @classmethod
    async def open(cls, path: Path) -> "ReopenedStore":
        return cls(path, await SqliteStore.open(path))

    async def write(self, change: Change) -> Any:
        try:
            return await self.store.write(change)
        finally:
            await self.store.close()
            self.store = await SqliteStore.open(self.path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class AskedStore(CachingStore):
    """Remembers as much as it can: what the tests write is asked for before each write and after it."""

    async def write(self, change: Change) -> Sequence[int]:
        await self.ask()
        try:
            return await super().write(change)
        finally:
            await self.ask()

    async def ask(self) -> None:
        """Everything that it may keep."""
        for match in ("K7Q2", "LIVE", "SLOW"):
            await self.surfaces(match)
        for user in (ANA, BEN):
            await self.player(user)
        await self.guild(GUILD)


KINDS: dict[str, Callable[[Path], Awaitable[Any]]] = {
    "sqlite": SqliteStore.open,
    "reopened": ReopenedStore.open,
    "caching": CachingStore.open,
    "asked": AskedStore.open,
}


@pytest.fixture(params=[*KINDS, "postgres", "memory"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Store]:
    opened: Any
    monkeypatch.setattr(routines, "CREATE_AFTER", 1)  # every change is a function
    if request.param == "memory":
        opened = MemoryStore()
    elif request.param == "postgres":
        opened = await PostgresStore.open(await postgres.emptied(request.getfixturevalue("server")))
    else:
        opened = await KINDS[request.param](migrated(tmp_path / "gops.sqlite3"))
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as opened:
        yield opened
