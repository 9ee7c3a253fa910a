"""The database file: for its owner alone, and the one that was opened, or nothing is acknowledged."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.errors import DamagedDatabase
from bot.referee.model import changes as c
from data.sqlite import connection
from data.sqlite.files import OpenedFiles, restrict_permissions
from tests.data import examples as ex
from tests.data.examples import ANA
from tests.sqlite_store import SqliteStore


def modes(path: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.glob("gops.sqlite3*")}


async def test_database_log_and_index_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    before = os.umask(0)
    try:
        async with await SqliteStore.open(path) as store:
            await store.write((c.NewMatch(ex.match()),))
            assert modes(path) == dict.fromkeys(("gops.sqlite3", "gops.sqlite3-wal", "gops.sqlite3-shm"), 0o600)
    finally:
        os.umask(before)


def copied(folder: Path) -> None:
    for file in folder.glob("gops.sqlite3*"):
        shutil.copy(file, folder / file.name.replace("gops", "copy"))


def renamed(folder: Path, old: str, new: str, mode: int = 0o600) -> None:
    for file in list(folder.glob(f"{old}*")):
        file.chmod(mode)
        file.rename(folder / file.name.replace(old, new))


@pytest.mark.parametrize("wide", [0o644, 0o666, 0o640, 0o604])
async def test_what_is_wider_is_narrowed_and_told(tmp_path: Path, wide: int, caplog: pytest.LogCaptureFixture) -> None:
    """A copy that was made by hand, or a bot that was killed when its log was open to all."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(ex.match()),))
        copied(tmp_path)
    renamed(tmp_path, "copy", "gops", wide)
    async with await SqliteStore.open(path) as store:
        assert await store.match("K7Q2") == ex.match()
        assert modes(path) == dict.fromkeys(("gops.sqlite3", "gops.sqlite3-wal", "gops.sqlite3-shm"), 0o600)
    told = [record.getMessage() for record in caplog.records]
    assert [line for line in told if "could be read by others" in line] == told
    assert len(told) == 3


def test_what_cannot_be_narrowed_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gops.sqlite3"
    path.touch(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    restrict_permissions(path)
    assert "run chmod 600" in caplog.text


def unlinked(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    with closing(sqlite3.connect(path)) as ours, closing(sqlite3.connect(path.with_name("b"))) as theirs:
        ours.backup(theirs)
    path.with_name("b").replace(path)


def without_log(path: Path) -> None:
    path.with_name(path.name + "-wal").unlink()


def another_log(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    shutil.copy(log, log.with_name("b"))
    log.with_name("b").replace(log)


@pytest.mark.parametrize("attack", [unlinked, replaced, without_log, another_log])
async def test_no_write_is_acknowledged_after_it(tmp_path: Path, attack: Callable[[Path], None]) -> None:
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(ex.match()),))
        attack(path)
        for _ in range(2):
            with pytest.raises(c.StoreLost, match=r"is gone|is another file"):
                await store.write((c.SaveNote("a", "x"),))
        assert store.database.lost.is_set()


async def test_what_was_put_in_its_place_is_left_alone(tmp_path: Path) -> None:
    """The end of the old bot must not touch the new file or its log."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.SaveNote("old", "1"),))
        renamed(tmp_path, "gops", "away")
        new = await SqliteStore.open(path)
        await new.write((c.SaveNote("new", "1"),))
        with pytest.raises(c.StoreLost):
            await store.write((c.SaveNote("late", "1"),))
    assert [await new.note(key) for key in ("old", "new", "late")] == [None, "1", None]
    await new.write((c.SaveNote("more", "1"),))
    await new.close()


def backed_up(path: Path) -> Path:
    """As a careful person does, through SQLite."""
    copy = path.with_name("backup")
    with closing(sqlite3.connect(path)) as ours, closing(sqlite3.connect(copy)) as theirs:
        ours.backup(theirs)
    return copy


def checkpoint(path: Path) -> None:
    """The log is put back into the file, as happens by itself every thousand pages."""
    with closing(sqlite3.connect(path)) as beside:
        beside.execute("PRAGMA wal_checkpoint(PASSIVE)")


def by_cp(copy: Path, path: Path) -> None:
    """The same file has another content: neither its name nor its number changes."""
    which = path.stat().st_ino
    shutil.copyfile(copy, path)
    assert path.stat().st_ino == which


def in_place(copy: Path, path: Path) -> None:
    """As rsync --inplace does: the file is never empty."""
    with path.open("r+b") as file:
        file.write(copy.read_bytes())


def emptied(copy: Path, path: Path) -> None:
    os.truncate(path, 0)


async def filled(store: SqliteStore, path: Path) -> Path:
    """A backup of a while ago: since then things were noted, and put back into the file."""
    await store.write((c.SaveNote("n", "old"),))
    copy = backed_up(path)
    await store.write((c.SaveNote("n", "new"),))
    checkpoint(path)
    await store.write((c.SaveNote("n", "newer"),))
    return copy


@pytest.mark.parametrize("attack", [by_cp, in_place, emptied])
async def test_a_copy_over_the_same_file_is_noticed(tmp_path: Path, attack: Callable[[Path, Path], None]) -> None:
    """`cp backup gops.sqlite3` under the running bot: what it wrote from then on was put between pages of the copy."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        copy = await filled(store, path)
        attack(copy, path)
        left = path.read_bytes()
        for _ in range(2):
            with pytest.raises(c.StoreLost, match="was written over"):
                await store.write((c.SaveNote("a", "x"),))
        assert store.database.lost.is_set()
    assert path.read_bytes() == left  # our log was not put into it at the end


@pytest.mark.parametrize("attack", [by_cp, emptied])
async def test_a_reader_that_stumbles_over_a_copy_knows_why(
    tmp_path: Path, attack: Callable[[Path, Path], None]
) -> None:
    """Half of one file and half of another looks like damage, and its owner was told to keep it and go back."""
    path = tmp_path / "gops.sqlite3"

    def stumbles(_: sqlite3.Connection) -> None:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    async with await SqliteStore.open(path) as store:
        copy = await filled(store, path)
        attack(copy, path)
        with pytest.raises(c.StoreLost, match="was written over"):
            await store.database.inspect(stumbles)


async def test_a_copy_over_the_same_file_can_be_gone_on_with(tmp_path: Path) -> None:
    """What was put there is what is found at the next start, whole; the log of the old file is not played over it."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        by_cp(await filled(store, path), path)
        with pytest.raises(c.StoreLost):
            await store.write((c.SaveNote("a", "x"),))
    assert modes(path)["gops.sqlite3-wal.lost"] == 0o600
    async with await SqliteStore.open(path) as store:
        assert [await store.note(key) for key in ("n", "a")] == ["old", None]
        await store.write((c.SaveNote("n", "newest"),))
        assert await store.note("n") == "newest"


async def test_what_a_reader_stumbles_over_first_is_not_played_over_it_either(tmp_path: Path) -> None:
    """Nothing is written any more after the copy; then the bot is stopped."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        copy = await filled(store, path)
        by_cp(copy, path)
    assert path.read_bytes() == copy.read_bytes()


async def test_a_copy_of_this_very_moment_is_no_loss(tmp_path: Path) -> None:
    """The log goes on where it ends."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.SaveNote("n", "1"),))
        by_cp(backed_up(path), path)
        await store.write((c.SaveNote("n", "2"),))
        checkpoint(path)
        await store.write((c.SaveNote("m", "3"),))
    async with await SqliteStore.open(path) as store:
        assert [await store.note(key) for key in "nm"] == ["2", "3"]


async def test_the_count_of_commits_may_come_round(tmp_path: Path) -> None:
    """It has 32 bits: a busy bot comes to its end in a year or two."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.SaveNote("n", "0"),))
    for start in (2**31 - 2, -2):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA application_id = {start}")
        async with await SqliteStore.open(path) as store:
            for number in range(5):
                await store.write((c.SaveNote("n", str(number)),))
                checkpoint(path)
            copy = backed_up(path)
            await store.write((c.SaveNote("n", "5"),))
            checkpoint(path)
            await store.write((c.SaveNote("n", "6"),))
            assert not store.database.lost.is_set()
            by_cp(copy, path)
            with pytest.raises(c.StoreLost, match="was written over"):
                await store.write((c.SaveNote("n", "7"),))


async def test_a_file_of_another_bot_is_noticed(tmp_path: Path) -> None:
    """It may have counted further than ours."""
    other, path = tmp_path / "other", tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(other) as store:
        for number in range(20):
            await store.write((c.SaveNote("n", str(number)),))
    async with await SqliteStore.open(path) as store:
        await store.write((c.SaveNote("n", "ours"),))
        by_cp(other, path)
        with pytest.raises(c.StoreLost, match="was written over"):
            await store.write((c.SaveNote("n", "more"),))


async def test_another_process_beside_it_is_no_loss(tmp_path: Path) -> None:
    """It commits and puts the log back whenever it likes."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as one, await SqliteStore.open(path) as two:
        for number in range(6):
            await one.write((c.SaveNote("n", f"one {number}"),))
            await two.write((c.SaveNote("n", f"two {number}"),))
            checkpoint(path)
            with closing(sqlite3.connect(path)) as beside, beside:
                beside.execute("INSERT OR REPLACE INTO notes VALUES ('m', ?)", (str(number),))
        assert not one.database.lost.is_set()
        assert not two.database.lost.is_set()


async def test_a_backup_or_a_reader_beside_it_is_no_loss(tmp_path: Path) -> None:
    """Others may open the file, and close it again: the names go on leading to what was opened."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        for number in range(3):
            await store.write((c.SaveNote("n", str(number)),))
            with closing(sqlite3.connect(path)) as beside, closing(sqlite3.connect(tmp_path / "b")) as copy:
                beside.backup(copy)
                beside.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await store.write((c.SaveNote("n", "9"),))
        assert not store.database.lost.is_set()


def test_a_file_that_is_none_yet_is_not_lost(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        assert OpenedFiles(tmp_path / "none").find_loss(connection) == ""


# --- what is no whole database -----------------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def left_with_a_log(folder: Path) -> Path:
    """A database whose last bids lie in its log alone, as a kill leaves it."""
    made = folder / "made"
    made.mkdir()
    async with await SqliteStore.open(made / "gops.sqlite3") as store:
        await store.write((c.NewMatch(ex.match()),))
        for ending in ("", "-wal"):
            shutil.copy(made / f"gops.sqlite3{ending}", folder)
    shutil.rmtree(made)
    assert (folder / "gops.sqlite3-wal").stat().st_size
    return folder / "gops.sqlite3"


@pytest.mark.parametrize("what", ["gone", "empty", "one byte", "without its last page"])
async def test_what_is_no_whole_database_is_refused_and_untouched(tmp_path: Path, what: str) -> None:
    path = await left_with_a_log(tmp_path)
    whole = path.read_bytes()
    if what == "gone":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "one byte": b"S", "without its last page": whole[:-4096]}[what])
    before = contents(tmp_path)
    with pytest.raises(DamagedDatabase, match="go back to a backup with `gops restore`"):
        await SqliteStore.open(path)
    assert contents(tmp_path) == before


async def test_checkpoint_that_was_killed_loses_nothing(tmp_path: Path) -> None:
    """It writes the pages in their order, so the new number of pages stands in the file before the last of them."""
    path, names = tmp_path / "gops.sqlite3", [c.NameMember(guild, ANA, "Ana" * 50) for guild in range(1, 200)]
    async with await SqliteStore.open(path):
        pass
    short = path.stat().st_size
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(ex.match()), *names))
        log = path.with_name("gops.sqlite3-wal").read_bytes()
        with closing(sqlite3.connect(path)) as beside:
            beside.execute("PRAGMA wal_checkpoint(PASSIVE)")
        whole = path.read_bytes()
    assert len(whole) > short
    path.write_bytes(whole[:short])
    path.with_name("gops.sqlite3-wal").write_bytes(log)
    async with await SqliteStore.open(path) as store:
        assert await store.match(ex.match().id) is not None
    with closing(sqlite3.connect(path)) as beside:
        assert beside.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_an_empty_file_alone_is_no_new_database(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    path.touch()
    with pytest.raises(DamagedDatabase, match="has 0 bytes"):
        await SqliteStore.open(path)
    assert contents(tmp_path) == {"gops.sqlite3": b""}


async def test_nothing_of_a_person_is_left_in_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where SQLite is built to leave deleted rows in the file."""
    connect = connection._connect

    def careless(*args: Any) -> sqlite3.Connection:
        made = connect(*args)
        made.execute("PRAGMA secure_delete = OFF")
        return made

    monkeypatch.setattr(connection, "_connect", careless)
    name = "Anastasia Unmistakable"
    async with await SqliteStore.open(tmp_path / "gops.sqlite3") as store:
        people = [c.NameMember(guild, ANA, f"{name} {guild}") for guild in range(1, 200)]
        await store.write((c.NewMatch(ex.over("OVER", agreement=b"{}")), *people))
        for guild in range(1, 200, 2):
            await store.write((c.NameMember(guild, ANA, f"{name} again"),))
        assert name.encode() in b"".join(contents(tmp_path).values())
        await store.write((c.Erase(ANA, -1, (c.Erased("OVER", b"{}", ""),), ex.NOW, ex.NOW),))
        assert name.encode() not in b"".join(contents(tmp_path).values())
        assert not (tmp_path / "gops.sqlite3-wal").stat().st_size


@pytest.mark.parametrize(("later", "restored"), [(10, False), (20, True)])
async def test_a_file_that_changed_after_the_last_sign_of_life_was_restored(
    tmp_path: Path, later: int, restored: bool
) -> None:
    """The bot ends within ten seconds; what changes the file after that is no bot."""
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        assert not await store.database.is_restored(datetime.now(UTC))
    written = path.stat().st_ctime
    async with await SqliteStore.open(path) as store:
        assert await store.database.is_restored(datetime.fromtimestamp(written - later, UTC)) is restored
