"""Killed in the middle of folding a match: it is there as it was, or folded, and never half of both."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.referee.ports import changes as c
from bot.referee.ports.model import EarlierSeal, StoredMatch
from data.sql.writes import statements
from data.store import SqliteStore
from tests.data import examples as ex
from tests.migrated import migrated

OVER = ex.over("OVER", deals=ex.rich_match().deals)
STEPS = statements((c.FoldMatch(OVER, (ex.earlier(),)),))


async def found(path: Path) -> tuple[StoredMatch | None, list[EarlierSeal], list[str]]:
    async with await SqliteStore.open(path) as store:
        return await store.match("OVER"), [*await store.earlier_seals("OVER")], [*await store.unfolded(ex.at(9), 9)]


async def test_it_takes_four_statements() -> None:
    assert len(STEPS) == 4


@pytest.mark.parametrize("done", range(len(STEPS) + 2))
async def test_killed_after_each_statement(tmp_path: Path, done: int) -> None:
    """What lies on the disk at that moment is all that the next process has."""
    path, left = migrated(tmp_path / "gops.sqlite3"), tmp_path / "left.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(OVER), c.KeepSeal("OVER", ex.earlier())))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # so that it writes before the commit, too
        connection.execute("BEGIN IMMEDIATE")
        for step in STEPS[:done]:
            assert connection.execute(step.sql, step.params).rowcount == step.rows
        if done > len(STEPS):
            connection.execute("COMMIT")
        for ending in ("", "-wal"):
            shutil.copyfile(f"{path}{ending}", f"{left}{ending}")
    left.chmod(0o600)
    assert await found(left) == (OVER, [ex.earlier()], ["OVER"] if done <= len(STEPS) else [])
