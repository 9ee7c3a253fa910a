from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import SqliteStore
from tests.migrated import migrated
from tests.referee.stage import Table


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    store = await SqliteStore.open(migrated(tmp_path / "gops.sqlite3"))
    yield Table(store)
    await store.close()
