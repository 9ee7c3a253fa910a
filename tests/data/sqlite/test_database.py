"""Transactions, group commit, and letting go of the file."""

import asyncio
import logging
import sqlite3
import threading
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.referee.model import changes as c
from bot.referee.model.model import StoredDeal
from data.sql.statement import Query, Read, Statement, one_row
from tests.data import examples as ex
from tests.data.examples import NOW
from tests.sqlite_store import SqliteStore


def note(key: str, value: str = "x") -> c.Change:
    return (c.SaveNote(key, value),)


def plain(key: str) -> list[Statement]:
    return [Statement("INSERT INTO notes VALUES (?, 'x')", (key,))]


async def commits(store: SqliteStore) -> int:
    """How many transactions the writer has committed: each changes this number of the file by one."""
    return await store.database.inspect(lambda connection: connection.execute("PRAGMA data_version").fetchone()[0])


async def test_the_file_is_set_up_for_crashes(sqlite: SqliteStore) -> None:
    def asked(connection: sqlite3.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    writer = sqlite.database._writer  # pyright: ignore[reportPrivateUsage]
    assert writer is not None
    assert await writer.call(asked) == ["wal", 2, 1, 2000]
    assert sqlite.database.path.stat().st_mode & 0o777 == 0o600


async def test_changes_that_wait_together_share_a_commit(sqlite: SqliteStore) -> None:
    before = await commits(sqlite)
    await sqlite.write(note("alone"))
    assert await commits(sqlite) - before == 1
    await asyncio.gather(*(sqlite.write(note(f"n{number}")) for number in range(50)))
    assert await commits(sqlite) - before == 2


async def test_a_conflict_undoes_only_itself(sqlite: SqliteStore) -> None:
    before = await commits(sqlite)
    deal = c.NewDeal("NONE", StoredDeal(0, ex.ZONES))
    results = await asyncio.gather(
        sqlite.write(note("a")),
        sqlite.write((*note("b"), deal)),
        sqlite.write((c.PutSurface(ex.surface()),)),
        sqlite.write((*note("d"), c.SaveMatch(ex.match(version=2), 1))),
        sqlite.write((*note("e"), c.SaveNote("e", object()))),  # pyright: ignore[reportArgumentType]
        sqlite.write(note("a", "later")),
        return_exceptions=True,
    )
    assert [type(one) for one in results] == [list, c.Conflict, list, c.Conflict, sqlite3.ProgrammingError, list]
    assert [await sqlite.note(key) for key in "abde"] == ["later", None, None, None]
    assert len(await sqlite.surfaces("K7Q2")) == 1
    assert await commits(sqlite) - before == 1


async def test_nobody_is_answered_before_the_commit(sqlite: SqliteStore) -> None:
    """A foreign key that is looked at last makes the COMMIT itself fail: then all of them fail."""
    orphan = Statement("INSERT INTO deals (match_id, number, zones) VALUES ('NONE', 0, '{}')")
    results = await asyncio.gather(
        sqlite.database.write(plain("a")),
        sqlite.database.write([Statement("PRAGMA defer_foreign_keys = ON"), orphan]),
        sqlite.write((*note("c"), c.SaveMatch(ex.match(version=2), 1))),
        return_exceptions=True,
    )
    assert [type(one) for one in results] == [sqlite3.IntegrityError] * 3
    assert await sqlite.note("a") is None
    await sqlite.write(note("a"))
    assert await sqlite.note("a") == "x"


class Dying(sqlite3.Connection):
    """A disk that fails when it matters."""

    dying = False

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:  # pyright: ignore[reportIncompatibleMethodOverride]
        if sql == "COMMIT" and Dying.dying:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error
        return super().execute(sql, *args)  # pyright: ignore[reportArgumentType]


async def test_a_failed_flush_is_told_to_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Dying))
    async with await SqliteStore.open(tmp_path / "gops.sqlite3") as store:
        monkeypatch.setattr(Dying, "dying", True)
        for _ in range(2):
            results = await asyncio.gather(*(store.write(note(key)) for key in "abc"), return_exceptions=True)
            assert [type(one) for one in results] == [c.StoreReadOnly] * 3
        assert [record.levelname for record in caplog.records] == ["ERROR"]  # once, not for every write
        assert "check it" in caplog.text
        assert await store.note("a") is None
        monkeypatch.setattr(Dying, "dying", False)
        await store.write(note("a"))
        assert await store.note("a") == "x"
        assert "can be written again" in caplog.text


async def test_who_gives_up_waiting_does_not_disturb_the_others(sqlite: SqliteStore) -> None:
    first = asyncio.create_task(sqlite.write(note("a")))
    second = asyncio.create_task(sqlite.write(note("b")))
    third = asyncio.create_task(sqlite.write(note("c")))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(first, third)
    assert [await sqlite.note(key) for key in "abc"] == ["x", None, "x"]
    with pytest.raises(asyncio.CancelledError):
        await second


async def test_two_processes_on_one_file(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as one, await SqliteStore.open(path) as two:
        await one.write((c.NewMatch(ex.match()),))
        assert await two.match("K7Q2") == ex.match()
        for version in range(1, 30):
            saves = [
                store.write((c.SaveMatch(ex.match(version=version + 1, away=n), version),))
                for n, store in enumerate((one, two))
            ]
            landed = await asyncio.gather(*saves, return_exceptions=True)
            assert sorted(type(result).__name__ for result in landed) == ["Conflict", "list"]
            winner = next(n for n, result in enumerate(landed) if isinstance(result, list))
            assert await one.match("K7Q2") == await two.match("K7Q2") == ex.match(version=version + 1, away=winner)


async def test_no_card_and_no_token_in_any_log(sqlite: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = ("S3CRETCARD", "S3CRETTOKEN", "S3CRETSALT")
    seal = ex.seal(choice=secrets[0], salt=secrets[2].encode())
    change = (c.PutSurface(ex.surface(token=secrets[1])), c.PutSeal("K7Q2", 1, seal))
    with pytest.raises(c.Conflict):
        await sqlite.write(change)
    await sqlite.write((c.NewMatch(ex.match()), *change))
    with pytest.raises(c.Conflict):
        await sqlite.write((c.PutSeal("K7Q2", 2, seal),))
    await sqlite.match("K7Q2")
    await sqlite.surfaces("K7Q2")
    assert caplog.records
    for secret in secrets:
        assert secret not in caplog.text
        assert secret not in repr([Statement("x", (secret,))])


async def test_closing_twice_and_late_guests(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "gops.sqlite3"
    store = await SqliteStore.open(path)
    last = asyncio.create_task(store.write(note("last")))
    await asyncio.sleep(0)
    await store.close()
    await store.close()
    await last
    with pytest.raises(c.StoreReadOnly, match="closed"):
        await store.write(note("late"))
    with pytest.raises(c.StoreBusy, match="closed"):
        await store.note("last")
    assert [one.name for one in path.parent.iterdir()] == ["gops.sqlite3"]  # the log went back into the file
    async with await SqliteStore.open(path) as again:
        assert await again.note("last") == "x"


async def test_a_file_that_cannot_be_opened_leaves_no_thread_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(c.StoreReadOnly):
        await SqliteStore.open(tmp_path / "file" / "gops.sqlite3")
    for one in threading.enumerate():
        if "_connection_worker_thread" in one.name:  # it has been told to end, and may not have had its turn yet
            await asyncio.to_thread(one.join, 60)
            assert not one.is_alive()


async def test_locked_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path, busy=timedelta()) as store:
        await store.write(note("before"))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO notes VALUES ('other', 'x')")
        results = await asyncio.gather(store.write(note("a")), store.write(note("b")), return_exceptions=True)
        assert [type(one) for one in results] == [c.StoreBusy, c.StoreBusy]
        assert results[0] is not results[1]
        assert [await store.note(key) for key in ("before", "a", "other")] == ["x", None, None]
        async with await SqliteStore.open(path, busy=timedelta()) as second:  # writing goes on, only not just now
            assert await second.note("before") == "x"
            other.execute("COMMIT")
            other.close()
            await second.write(note("second"))
        await store.write(note("a"))
        assert [await store.note(key) for key in ("a", "other", "second")] == ["x", "x", "x"]


async def test_locked_while_it_is_made(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(c.StoreBusy):
        await SqliteStore.open(path, busy=timedelta())
    other.close()
    async with await SqliteStore.open(path, busy=timedelta()) as store:
        await store.write((c.Heartbeat(NOW),))


async def test_a_snapshot_does_not_move(sqlite: SqliteStore) -> None:
    """What one call reads is of one moment, whatever another connection commits meanwhile."""

    def read(connection: sqlite3.Connection) -> list[object]:
        first = connection.execute("SELECT count(*) FROM notes").fetchone()[0]
        other = sqlite3.connect(sqlite.database.path, isolation_level=None)
        other.execute("INSERT INTO notes VALUES ('other', 'x')")
        other.close()
        return [first, connection.execute("SELECT count(*) FROM notes").fetchone()[0]]

    assert await sqlite.database.inspect(read) == [0, 0]
    assert await sqlite.note("other") == "x"


async def test_a_read_of_several_queries_is_of_one_moment(sqlite: SqliteStore) -> None:
    def counted(count: int) -> int:
        """Somebody writes while the rows of a query are taken."""
        other = sqlite3.connect(sqlite.database.path, isolation_level=None)
        other.execute("INSERT INTO notes SELECT count(*), 'x' FROM notes")
        other.close()
        return count

    count = Query("SELECT count(*) FROM notes", (), counted)
    found = await sqlite.database.read(Read((count, count, count), lambda *counts: counts))
    assert found == ([0], [0], [0])
    assert await sqlite.database.read(one_row("SELECT count(*) FROM notes", (), int)) == 3


async def test_a_reader_cannot_write(sqlite: SqliteStore) -> None:
    with pytest.raises(c.StoreReadOnly):
        await sqlite.database.inspect(lambda connection: connection.execute("INSERT INTO notes VALUES ('a', 'b')"))
