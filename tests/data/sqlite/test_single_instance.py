"""One bot at a time on a file."""

import asyncio
from pathlib import Path

import pytest

from bot.errors import DatabaseError
from data.cache import CachingStore


@pytest.mark.parametrize("new", [True, False])
async def test_a_second_bot_is_refused(tmp_path: Path, new: bool) -> None:
    path = tmp_path / "gops.sqlite3"
    if not new:
        await (await CachingStore.open(path)).close()
    async with await CachingStore.open(path, alone=True):
        with pytest.raises(DatabaseError, match=r"Another bot runs on .*gops\.sqlite3\. Only one may"):
            await CachingStore.open(path, alone=True)
        async with await CachingStore.open(path) as beside:  # what only looks may
            assert await beside.note("x") is None
    store = await CachingStore.open(path, alone=True)
    await asyncio.gather(store.close(), store.close())


async def test_one_that_could_not_be_opened_is_let_go_of(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    path.write_bytes(b"no database" * 100)
    for _ in range(2):
        with pytest.raises(Exception, match="this is no database"):
            await CachingStore.open(path, alone=True)
