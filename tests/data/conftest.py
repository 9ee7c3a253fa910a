"""Every kind of store, fresh for each test."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.referee.changes import Change
from bot.referee.ports import Store
from data.store import SqliteStore
from tests.memory_store import MemoryStore


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


@pytest.fixture(params=["sqlite", "reopened", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    path = tmp_path / "gops.sqlite3"
    kinds = {"sqlite": SqliteStore.open, "reopened": ReopenedStore.open}
    opened = MemoryStore() if request.param == "memory" else await kinds[request.param](path)
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with await SqliteStore.open(tmp_path / "gops.sqlite3") as opened:
        yield opened
