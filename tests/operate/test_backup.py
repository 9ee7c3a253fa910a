"""A backup is complete and readable by its owner alone, and old backups are deleted."""

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.errors import BackupError, NewerDatabase
from bot.operate import backups
from bot.operate.backups import Backup
from bot.operate.database_check import check_database
from bot.referee.model.changes import SaveNote
from data.sql.schema import load_migrations
from data.sqlite import whole
from tests.data.sqlite.test_migrate import at_version
from tests.e2e.house import awaits, opened
from tests.operate.commands import beside, gops
from tests.referee.stage import ANA, Table
from tests.sqlite_store import SqliteStore


def played(path: Path) -> None:
    """Play a match to its end, and start another with a sealed bid."""

    async def play() -> None:
        async with await SqliteStore.open(path) as store:
            table = Table(store)
            over = await table.start(cards=3, ties="discard")
            await table.play_out(over, (1, 2, 3), (2, 3, 1))
            live = await table.start(cards=3, ties="discard")
            await table.seal(live, ANA.user, 2)

    asyncio.run(play())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "gops.sqlite3"
    played(path)
    return path


def changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql)


def content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def aged(folder: Path, days: int) -> Backup:
    """One that was made so long ago."""
    made = datetime.now(UTC).replace(microsecond=0) - timedelta(days=days)
    one = Backup(folder / made.strftime(backups.NAME), made)
    backups.newest_backup(folder).path.rename(one.path)
    backups.note_check(one, made)
    return one


def test_backup_equals_the_database_and_only_its_owner_can_read_it(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    before = os.umask(0)
    try:
        backup, contents = backups.make_backup(database, folder)
    finally:
        os.umask(before)
    assert content(backup.path) == content(database)
    assert (contents.version, contents.live, contents.finished) == (len(load_migrations()), 1, 1)
    assert (contents.verified, contents.doubtful) == (2, ())
    assert backup.checked is not None
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {
        backup.path.name: 0o600,
        f"{backup.path.name}.checked": 0o600,
    }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not list(tmp_path.glob("gops.sqlite3-*")), "nothing is left open"


async def test_backup_holds_every_write_acknowledged_before_it(tmp_path: Path) -> None:
    """Other tasks write all the time; no write waits for the backup to end."""
    path, copy = tmp_path / "gops.sqlite3", tmp_path / "copy"
    async with await SqliteStore.open(path) as store:
        await store.write(tuple(SaveNote(f"large {n}", "x" * 4000) for n in range(2000)))
        acknowledged: list[int] = []
        stop, begun = asyncio.Event(), asyncio.Event()

        async def write() -> None:
            while not stop.is_set():
                await store.write((SaveNote(f"bid {len(acknowledged)}", "x"),))
                acknowledged.append(1)
                begun.set()

        writing = asyncio.create_task(write())
        await begun.wait()
        before = len(acknowledged)
        await asyncio.to_thread(whole.copy_database, path, copy)
        during = len(acknowledged) - before
        stop.set()
        await writing
        with closing(sqlite3.connect(copy)) as connection:
            [(kept,)] = connection.execute("SELECT count(*) FROM notes WHERE key LIKE 'bid %'")
            assert whole.find_damage(connection) == ""
        assert before <= kept <= len(acknowledged)
        assert during > 0, "nobody had to wait until it was done"


async def test_backup_can_be_made_while_a_match_is_played(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        await house.match()
        await house.ana.press("7", in_=await house.ana.sees(awaits(1, dm=True)))
        said = await beside(house, "backup")
        assert said.code == 0, said
        assert "complete, version" in said.out
        assert "Matches finished: 0, live: 1, checked by the referee: 1." in said.out
        listed = await beside(house, "backup", "--list")
        assert listed.out.count("checked 2") == 1
        again = await beside(house, "backup", "--check")
        assert (again.code, again.out) == (0, said.out)
        assert house.bot.trouble() == []


def test_oldest_backups_are_deleted(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    theirs = [folder / name for name in ("gops-mine.sqlite3", "gops.sqlite3", "notes.txt")]
    for file in theirs:
        file.write_text("mine")
    left_over = folder / "gops-20200101T000000Z.sqlite3.partial"
    left_over.touch()
    os.utime(left_over, (0, 0))
    kept: list[Backup] = []
    for days in (3, 2, 1):
        backups.make_backup(database, folder)
        kept.append(aged(folder, days))
    new, _ = backups.make_backup(database, folder, keep=2)
    assert [one.path for one in backups.list_backups(folder)] == [kept[2].path, new.path]
    assert not (folder / f"{kept[0].path.name}.checked").exists()
    assert not left_over.exists()
    assert all(file.exists() for file in theirs)


def test_clock_set_back_deletes_no_new_backup(database: Path, tmp_path: Path) -> None:
    """The new backup was once deleted as the oldest, and `restore latest` went back too far."""
    folder = tmp_path / "backups"
    backups.make_backup(database, folder)
    ahead = aged(folder, -1)
    changed(database, "DELETE FROM seals")
    for _ in range(2):
        new, _ = backups.make_backup(database, folder, keep=1)
        assert backups.list_backups(folder) == [backups.newest_backup(folder)] == [new]
        assert new.made > ahead.made
        assert content(new.path) == content(database)


def test_backup_with_a_doubtful_match_replaces_no_older_backup(database: Path, tmp_path: Path) -> None:
    """A bid changed in the database does not delete the backup with the original bid."""
    folder = tmp_path / "backups"
    backups.make_backup(database, folder)
    older = aged(folder, 1)
    changed(database, "UPDATE decisions SET choice = '3' WHERE place = 0")
    backup, contents = backups.make_backup(database, folder, keep=1)
    assert len(contents.doubtful) == 1
    assert [one.path for one in backups.list_backups(folder)] == [older.path, backup.path]


@pytest.mark.parametrize(
    "sql", ["UPDATE seals SET choice = '3'", "UPDATE decisions SET choice = '\"♠\"'", "UPDATE deals SET zones = '{}'"]
)
def test_check_finds_a_changed_match(database: Path, sql: str) -> None:
    assert check_database(database).doubtful == ()
    changed(database, sql)
    assert check_database(database).doubtful != ()


def test_damaged_database_gives_no_backup(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    data = bytearray(database.read_bytes())
    data[len(data) // 2 : -4096] = os.urandom(len(data) - 4096 - len(data) // 2)
    database.write_bytes(data)
    with pytest.raises(BackupError):
        backups.make_backup(database, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("what", ["flipped", "cut", "letter"])
def test_check_finds_a_backup_damaged_later(database: Path, tmp_path: Path, what: str) -> None:
    backup, _ = backups.make_backup(database, tmp_path / "backups")
    data = bytearray(backup.path.read_bytes())
    if what == "flipped":
        data[-1] ^= 1
    backup.path.write_bytes({"flipped": data, "cut": data[:-4096], "letter": b"Dear aunt," * 500}[what])
    with pytest.raises(BackupError, match="has changed since it was checked"):
        backups.check_backup(backup)
    if what != "flipped":
        (backup.path.with_name(f"{backup.path.name}.checked")).unlink()
        with pytest.raises(BackupError, match="is damaged"):
            backups.check_backup(backup)


@pytest.mark.usefixtures("second_migration")
def test_backup_of_an_older_version_is_checked_as_it_would_be_opened(tmp_path: Path) -> None:
    database, folder = tmp_path / "gops.sqlite3", tmp_path / "backups"
    at_version(database, 1)
    backup, contents = backups.make_backup(database, folder)
    assert (contents.version, contents.live) == (1, 1)
    with closing(sqlite3.connect(backup.path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,), "the backup itself stays as it was"


def test_backup_of_a_newer_database_is_refused(database: Path, tmp_path: Path) -> None:
    changed(database, "PRAGMA user_version = 99")
    with pytest.raises(NewerDatabase, match="update the bot"):
        backups.make_backup(database, tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("backup",), 1, "There is no database"),
        (("backup", "--check"), 1, "There is no backup in"),
        (("backup", "--list"), 0, ""),
        (("backup", "--keep", "0"), 2, "must be a number of backups, at least 1"),
        (("restore", "latest"), 1, "There is no backup in"),
        (("restore", "nowhere"), 1, "nowhere is damaged, or no database at all: unable to open database file."),
    ],
)
async def test_impossible_backup_and_restore_are_refused_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    said = await gops({"GOPS_DATABASE": str(tmp_path / "gops.sqlite3")}, *arguments, folder=tmp_path)
    assert (said.code, said.out) == (code, "")
    assert says in said.err
    assert said.err.count("\n") == (1 if says else 0)
    assert os.listdir(tmp_path) == []


def test_backup_folder_that_is_a_file_is_refused(database: Path, tmp_path: Path) -> None:
    (tmp_path / "backups").touch()
    with pytest.raises(BackupError, match="must be a folder"):
        backups.make_backup(database, tmp_path / "backups")
