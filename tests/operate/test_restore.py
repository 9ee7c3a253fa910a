"""Restoring a backup stops its matches, informs the players, and keeps the replaced database."""

import asyncio
import os
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.errors import BackupError, ChangedMigration, NewerDatabase
from bot.operate import backups
from bot.operate.restore import restore
from data.sql.schema import load_migrations
from tests.e2e.house import House, awaits, has, opened, plain, told
from tests.operate.commands import beside
from tests.operate.test_backup import changed, content, played
from tests.sqlite_store import SqliteStore


def row(path: Path, sql: str) -> tuple[object, ...]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchone()


def kept(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.before-*"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "gops.sqlite3"
    played(path)
    return path


@pytest.fixture
def backup(database: Path, tmp_path: Path) -> Path:
    return backups.make_backup(database, tmp_path / "backups")[0].path


async def again(house: House) -> None:
    """Stop the bot, go back to the newest backup, start it."""
    assert await house.bot.stop() == 0
    said = await beside(house, "restore", "latest")
    assert said.code == 0, said
    await house.bot.start()


async def test_players_read_that_a_restore_stopped_their_match(tmp_path: Path) -> None:
    """The boards and consoles change without a press."""
    async with opened(tmp_path) as house:
        board = await house.match()
        console = await house.ana.sees(awaits(1, dm=True))
        theirs = await house.ben.sees(awaits(1, dm=True))
        assert (await beside(house, "backup")).code == 0
        await house.ana.press("7", in_=console)
        await house.ben.press("5", in_=theirs)
        await house.ana.sees(awaits(2, dm=True))
        await again(house)
        for person in (house.ana, house.ben):
            stopped = await person.sees(
                has("My records of it are older than what you saw here.", "does not count"), in_=board
            )
            assert "stopped in round 1" in plain(stopped.text)
            await person.sees(has("does not count"), in_="dm")
        assert row(house.bot.database, "SELECT live FROM matches") == (0,)
        assert row(house.bot.database, "SELECT count(*) FROM rating_history") == (0,)
        new = await house.match(cards=2)
        assert "round 1 of 2" in new.text
        assert house.bot.trouble() == []


async def test_restore_ends_open_challenges_and_tables(tmp_path: Path) -> None:
    """A restored challenge would deal the same cards to people who have seen them, shown as a board or not."""
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        table = (await house.ana.slash("/gops open", game="vultures", seats=3)).shown
        assert (await beside(house, "backup")).code == 0
        await house.ben.press("Accept", in_=challenge)
        await house.ana.sees(awaits(1, dm=True))
        await again(house)
        for message in (challenge, table):
            ended = await house.ben.sees(has("that you saw, so the match is stopped"), in_=message)
            assert ended.buttons == []
        assert house.bot.trouble() == []


async def test_restore_is_refused_while_the_bot_runs(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        await house.match()
        assert (await beside(house, "backup")).code == 0
        said = await beside(house, "restore", "latest")
        assert (said.code, said.out) == (1, "")
        assert said.err == f"gops restore: A bot has {house.bot.database} open: stop it first.\n"
        console = await house.ana.sees(awaits(1, dm=True))
        assert "7 is sealed" in told(await house.ana.press("7", in_=console))
        assert house.bot.trouble() == []


async def test_restore_repairs_a_damaged_database(tmp_path: Path) -> None:
    """The bot names the command, and the command works."""
    async with opened(tmp_path) as house:
        await house.match()
        assert (await beside(house, "backup")).code == 0
        await house.bot.stop()
        database = house.bot.database
        database.write_bytes(b"A letter to my aunt. " * 1000)
        refused = await beside(house, "run")
        assert refused.code == 78
        assert "go back to a backup with `gops restore`" in refused.err
        await again(house)
        assert [one.read_bytes()[:8] for one in kept(database)] == [b"A letter"]
        assert house.bot.trouble() == []


def test_restore_keeps_the_replaced_database(database: Path, backup: Path) -> None:
    changed(database, "INSERT INTO notes (key, value) VALUES ('later', 'x')")
    before = content(database)
    restored = restore(backup, database)
    assert (restored.matches, restored.lobbies) == (1, 0)
    assert restored.aside is not None
    assert [restored.aside] == kept(database)
    assert content(restored.aside) == before
    assert row(database, "SELECT count(*) FROM notes WHERE key = 'later'") == (0,)
    assert row(database, "SELECT count(*) FROM matches WHERE live = 1") == (0,)
    assert row(database, "SELECT count(*) FROM seals") == (0,)
    assert {stat.S_IMODE(one.stat().st_mode) for one in database.parent.glob("gops.sqlite3*")} == {0o600}
    assert not list(database.parent.glob(".*"))


def test_write_ahead_log_of_a_killed_bot_stays_with_the_replaced_database(tmp_path: Path) -> None:
    database = tmp_path / "gops.sqlite3"
    played(database)
    backup = backups.make_backup(database, tmp_path / "backups")[0].path
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO notes (key, value) VALUES ('in the log', 'x')")
        left = {file.name: file.read_bytes() for file in tmp_path.glob("gops.sqlite3-wal")}
        assert left
    (tmp_path / "gops.sqlite3-wal").write_bytes(left["gops.sqlite3-wal"])
    restored = restore(backup, database)
    assert restored.aside is not None
    assert row(restored.aside, "SELECT value FROM notes WHERE key = 'in the log'") == ("x",)
    assert row(database, "SELECT count(*) FROM notes WHERE key = 'in the log'") == (0,)
    assert row(database, "PRAGMA integrity_check") == ("ok",)


@pytest.mark.parametrize("there", [True, False])
def test_restore_by_root_keeps_the_owner_of_the_database(
    database: Path, backup: Path, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the right to change owners, the test checks only the call to the system."""
    for one in (database, database.parent):
        with suppress(PermissionError):
            os.chown(one, 65534, 65534)
    owner = (database if there else database.parent).stat()
    if not there:
        database.unlink()
    given: list[tuple[int, int]] = []
    chown = os.chown

    def told(file: Path, user: int, group: int) -> None:
        given.append((user, group))
        chown(file, user, group)

    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: 0)
        patched.setattr(os, "chown", told)
        restore(backup, database)
    assert given == [(owner.st_uid, owner.st_gid)]
    assert (database.stat().st_uid, database.stat().st_gid) == given[0]
    os.chown(database.parent, os.geteuid(), os.getegid())


def test_backup_is_restored_on_a_new_machine(backup: Path, tmp_path: Path) -> None:
    restored = restore(backup, tmp_path / "elsewhere" / "gops.sqlite3")
    assert restored.aside is None
    assert row(tmp_path / "elsewhere" / "gops.sqlite3", "SELECT count(*) FROM matches") == (2,)


def test_backup_of_an_older_bot_is_migrated(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    old, database = tmp_path / "old.sqlite3", tmp_path / "new" / "gops.sqlite3"
    played(old)
    request.getfixturevalue("second_migration")
    database.parent.mkdir()
    restored = restore(old, database)
    assert (restored.matches, restored.lobbies) == (1, 0)
    assert len(load_migrations()) == 2
    assert row(database, "PRAGMA user_version") == (len(load_migrations()),)
    assert row(old, "PRAGMA user_version") == (1,)


@pytest.mark.parametrize("what", ["newer", "another bot's", "cut", "a letter", "somebody else's", "itself"])
def test_refused_restore_changes_nothing(database: Path, backup: Path, what: str) -> None:
    refusals: dict[str, tuple[type[Exception], str]] = {
        "newer": (NewerDatabase, "update the bot, or go back to a backup of that time with `gops restore`"),
        "another bot's": (ChangedMigration, "made by another version of the bot"),
        "cut": (BackupError, "is damaged"),
        "a letter": (BackupError, "is damaged, or no database"),
        "somebody else's": (BackupError, "is a database, but not one of this bot"),
        "itself": (BackupError, "is the database itself"),
    }
    if what == "newer":
        changed(backup, f"PRAGMA user_version = {len(load_migrations()) + 1}")
    elif what == "another bot's":
        changed(backup, "UPDATE migrations SET checksum = 'x' WHERE number = 1")
    elif what == "cut":
        backup.write_bytes(backup.read_bytes()[:-4096])
    elif what == "a letter":
        backup.write_bytes(b"A letter to my aunt. " * 1000)
    elif what == "somebody else's":
        backup.unlink()
        changed(backup, "CREATE TABLE songs (name TEXT)")
    before = database.read_bytes()
    error, says = refusals[what]
    with pytest.raises(error, match=says):
        restore(database if what == "itself" else backup, database)
    assert database.read_bytes() == before
    assert kept(database) == []
    assert not list(database.parent.glob(".*"))


def test_older_bot_names_restore_for_a_newer_database(database: Path) -> None:
    """This bot opens a database that a newer bot has changed."""
    changed(database, f"PRAGMA user_version = {len(load_migrations()) + 1}")
    with pytest.raises(NewerDatabase, match="gops restore"):
        asyncio.run(SqliteStore.open(database))


def test_restore_is_refused_while_another_process_reads_the_database(database: Path, backup: Path) -> None:
    """The other process would go on with a file that no longer has a name."""
    reader, writer = os.pipe()
    ready, tell = os.pipe()
    child = os.fork()
    if not child:
        connection = sqlite3.connect(database)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT count(*) FROM notes").fetchone()
        os.write(tell, b"x")
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    os.read(ready, 1)
    with pytest.raises(BackupError, match="stop it first"):
        restore(backup, database)
    os.close(writer)
    os.waitpid(child, 0)
    for handle in (reader, ready, tell):
        os.close(handle)
    assert restore(backup, database).aside is not None
