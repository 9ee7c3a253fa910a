from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.migrated import migrated
from tests.referee.stage import Table
from tests.sqlite_store import SqliteStore


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    store = await SqliteStore.open(migrated(tmp_path / "gops.sqlite3"))
    yield Table(store)
    await store.close()
