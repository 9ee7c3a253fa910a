"""A full, read-only or damaged disk: a typed error, a log line that says what to do, and reads that go on."""

import asyncio
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bot.referee.model import changes as c
from tests.conftest import ROOT
from tests.data import examples as ex
from tests.sqlite_store import SqliteStore


async def limit(store: SqliteStore, pages: int) -> None:
    """Let the file grow to so many pages, 0 for no further than now."""
    writer = store.database._writer  # pyright: ignore[reportPrivateUsage]
    assert writer is not None
    await writer.call(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages or 1}").fetchall())


async def test_a_full_disk(sqlite: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    await sqlite.write((c.NewMatch(ex.match()),))
    await limit(sqlite, 0)
    large = c.SaveNote("large", "x" * 100_000)
    results = await asyncio.gather(
        sqlite.write((c.SaveNote("a", "x"), c.SaveMatch(ex.match(version=2), 1))),
        sqlite.write((c.SaveNote("b", "x"), large)),
        return_exceptions=True,
    )
    assert [type(one) for one in results] == [c.StoreReadOnly, c.StoreReadOnly]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "free some space" in caplog.text
    assert await sqlite.match("K7Q2") == ex.match()
    assert [await sqlite.note(key) for key in ("a", "b", "large")] == [None, None, None]
    await limit(sqlite, 100_000)
    await sqlite.write((large,))
    assert await sqlite.note("large") == "x" * 100_000
    assert "can be written again" in caplog.text


def test_a_read_only_disk() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.data.sqlite.readonly_child", folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert len([line for line in said if "check owner and rights" in line]) == 4
    assert len([line for line in said if "can be written again" in line]) == 1


async def test_what_is_no_database(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "gops.sqlite3"
    path.write_text("This is a letter to my aunt.\n" * 500)
    with pytest.raises(c.StoreReadOnly):
        await SqliteStore.open(path)
    assert "gops restore" in caplog.text
    assert path.read_text().startswith("This is a letter")


def spoil(path: Path, table: str) -> None:
    page = root_pages(path)[table]
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


async def test_a_damaged_file_is_not_opened(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A page of one table is enough: a bot that is half alive takes bids that it cannot reveal."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(ex.match()), c.SaveNote("large", "x" * 100_000)))
    spoil(path, "deals")
    kept = path.read_bytes()
    with pytest.raises(c.StoreLost, match="the file is damaged"):
        await SqliteStore.open(path)
    assert path.read_bytes() == kept
    assert all("\n" not in record.getMessage() for record in caplog.records)


async def test_a_file_that_is_damaged_meanwhile_is_the_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(ex.match()), c.SaveNote("large", "x" * 100_000)))
    async with await SqliteStore.open(path) as store:
        spoil(path, "deals")
        with pytest.raises(c.StoreLost):
            await store.match("K7Q2")
        assert store.database.lost.is_set()
        assert "gops restore" in caplog.text
        for change in ((c.NewDeal("K7Q2", ex.rich_match().deals[0]),), (c.SaveNote("a", "x"),)):
            with pytest.raises(c.StoreLost):
                await store.write(change)
        assert await store.live_count(ex.ANA) == 1


def root_pages(path: Path) -> dict[str, int]:
    connection = sqlite3.connect(path)
    try:
        return dict(connection.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage"))
    finally:
        connection.close()


def test_whoever_forgets_to_close_can_leave(tmp_path: Path) -> None:
    script = f"""
import asyncio, pathlib, warnings
warnings.simplefilter("ignore")
from tests.sqlite_store import SqliteStore
async def main():
    store = await SqliteStore.open(pathlib.Path({str(tmp_path / "gops.sqlite3")!r}))
    raise SystemExit(7)
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (7, "")
