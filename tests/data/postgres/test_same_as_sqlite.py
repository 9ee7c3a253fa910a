"""A PostgreSQL store answers every change and read as a SQLite store does."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from bot.referee.model import changes as c
from data.postgres import routines
from tests import postgres
from tests.data.test_cache import CHANGES, everything, outcome
from tests.migrated import migrated
from tests.postgres import PostgresStore
from tests.sqlite_store import SqliteStore


@pytest.mark.parametrize("often", [1, 2, 999])
@settings(max_examples=4)
@given(changes=CHANGES)
def test_on_a_server_as_on_disk(server: postgres.Server, often: int, changes: list[c.Change]) -> None:
    """Each change as a function that is made for it, those that come again, or none."""

    async def run(path: Path) -> None:
        address = await postgres.emptied(server)
        async with await PostgresStore.open(address) as there, await SqliteStore.open(path) as sqlite:
            for change in changes:
                assert await outcome(there, change) == await outcome(sqlite, change), change
            assert await everything(there) == await everything(sqlite)

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(routines, "CREATE_AFTER", often)
        asyncio.run(run(migrated(Path(folder) / "gops.sqlite3")))
