"""The database file is taken away under the running bot: nothing is acknowledged any more, and it ends."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.driver.person import InteractionFailed
from tests.e2e.house import House, awaits, opened

EXIT_SETUP = 78


def unlinked(house: House) -> None:
    house.bot.database.unlink()


def replaced(house: House) -> None:
    """A backup is moved to its place, as people do."""
    backup = house.bot.database.with_name("backup")
    with closing(sqlite3.connect(house.bot.database)) as ours, closing(sqlite3.connect(backup)) as theirs:
        ours.backup(theirs)
    backup.replace(house.bot.database)


def without_log(house: House) -> None:
    house.bot.database.with_name("gops.sqlite3-wal").unlink()


def moved(house: House) -> None:
    """To the rubbish, with all that lies beside it."""
    (rubbish := house.bot.database.parent / "rubbish").mkdir()
    for file in house.bot.database.parent.glob("gops.sqlite3*"):
        shutil.move(file, rubbish)


async def ended(house: House) -> int:
    process = house.bot.process
    assert process is not None
    return await asyncio.wait_for(process.wait(), 60)


@pytest.mark.parametrize("attack", [unlinked, replaced, without_log, moved])
async def test_nothing_is_acknowledged_and_the_bot_ends(tmp_path: Path, attack: object) -> None:
    assert callable(attack)
    async with opened(tmp_path) as house:
        await house.match()
        owner = await house.stage.person("gops team")
        console = await house.ana.sees(awaits(1, dm=True))
        attack(house)
        try:
            said = (await house.ana.press("7", in_=console)).shown.text
        except InteractionFailed:  # a write of its own had told it first, and it was on its way out
            said = "I can't save right now, so nothing changed."
        assert "is sealed" not in said
        assert "I can't save right now, so nothing changed." in said
        await owner.sees("I stopped, and I saved nothing since then:", in_="dm")
        assert await ended(house) == EXIT_SETUP
        assert house.bot.trouble() == []


async def test_it_is_noticed_though_nobody_presses(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        owner = await house.stage.person("gops team")
        unlinked(house)
        await owner.sees("is gone", in_="dm")
        assert await ended(house) == EXIT_SETUP
        assert house.bot.trouble() == []


async def test_a_backup_copied_over_the_very_file(tmp_path: Path) -> None:
    """`cp`, while the bot runs: neither name nor number of the file change. The next start finds what was copied."""
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        database, backup = house.bot.database, house.bot.database.with_name("backup")
        with closing(sqlite3.connect(database)) as ours, closing(sqlite3.connect(backup)) as theirs:
            ours.backup(theirs)
        await house.ben.press("Accept", in_=challenge)
        console = await house.ana.sees(awaits(1, dm=True))
        with closing(sqlite3.connect(database)) as beside:
            beside.execute("PRAGMA wal_checkpoint(PASSIVE)")
        owner = await house.stage.person("gops team")
        await house.ben.press("5", in_=await house.ben.sees(awaits(1, dm=True)))
        shutil.copyfile(backup, database)
        said = await house.ana.press("7", in_=console)
        assert "I can't save right now, so nothing changed." in said.shown.text
        await owner.sees("was written over", in_="dm")
        assert await ended(house) == EXIT_SETUP
        await house.stage.bot_gone()
        await house.bot.start()
        with closing(sqlite3.connect(database)) as after:
            assert after.execute("PRAGMA quick_check").fetchall() == [("ok",)]
            assert after.execute("SELECT count(*) FROM matches").fetchone() == (0,)
            assert after.execute("SELECT state FROM lobbies").fetchone() == (1,)
        await house.ana.press("8", in_=console)  # its challenge is open again, and would deal the same cards
        with closing(sqlite3.connect(database)) as after:
            assert after.execute("SELECT state FROM lobbies").fetchone() == (6,)
        assert house.bot.trouble() == []
