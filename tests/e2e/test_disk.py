"""A disk that is full, a database from another time: the player gets an answer, and nothing is lost."""

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bot.process.base.version import own_version
from data.sql.schema import load_migrations
from data.sqlite.migrate import migrate
from tests.conftest import ROOT
from tests.data.sqlite.readonly_child import NOBODY
from tests.e2e.house import House, awaits, opened
from tests.test_commands import environment_without


def full(house: House) -> None:
    """From now on the bot's process can make no file longer than it is."""
    assert house.bot.process is not None
    largest = max(path.stat().st_size for path in house.bot.database.parent.glob("gops.sqlite3*"))
    resource.prlimit(house.bot.process.pid, resource.RLIMIT_FSIZE, (min(largest, 4096), resource.RLIM_INFINITY))


def roomy(house: House) -> None:
    assert house.bot.process is not None
    resource.prlimit(house.bot.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


async def test_a_full_disk_accepts_nothing_and_loses_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        await house.match()
        ana, ben = house.ana, house.ben
        owner = await house.stage.person("gops team")
        console = await ana.sees(awaits(1, dm=True))
        theirs = await ben.sees(awaits(1, dm=True))
        await ben.press("5", in_=theirs)
        full(house)
        await ana.press("7", in_=console)
        await ana.sees("I can't save right now, so nothing changed.")
        assert "is sealed" not in (ana.now(console) or console).text
        await owner.sees("I can't save: the disk ", in_="dm")
        await ana.press("8", in_=console)
        await ana.slash("/gops games")
        await ana.sees("Your running matches")
        roomy(house)
        await ana.press("7", in_=console)
        board = await ana.sees("Round 1:")
        assert "♠7 beats ♥5" in board.text
        assert "the disk" in house.bot.logged()
        assert len(owner.finds("I can't save", in_="dm")) == 1
        assert house.bot.trouble() == []


def test_a_database_from_a_newer_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    database = tmp_path / "gops.sqlite3"
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        migrate(connection, load_migrations())
        connection.execute("PRAGMA user_version = 99")
    database.chmod(0o600)
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        env={**environment_without("DISCORD_TOKEN"), "DISCORD_TOKEN": "x", "GOPS_DATABASE": str(database)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (78, "")
    version, sentence = done.stderr.splitlines()
    assert f"GOPS referee {own_version()}" in version
    assert "version 99" in sentence
    assert "update the bot" in sentence


def test_a_file_that_lacks_its_end_is_refused_with_a_sentence(tmp_path: Path) -> None:
    database = tmp_path / "gops.sqlite3"
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        migrate(connection, load_migrations())
    database.write_bytes(database.read_bytes()[:-4096])
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "bot", "run"],
            env={**environment_without("DISCORD_TOKEN"), "DISCORD_TOKEN": "x", "GOPS_DATABASE": str(database)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (78, "")
        _, sentence = done.stderr.splitlines()
        assert "is damaged: its end is missing" in sentence


AS_NOBODY = f"""
import os, sys
import uvloop
from bot import app
from bot.__main__ import main
if os.geteuid() == 0:  # root may write anywhere
    os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
    os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
sys.exit(main(["run", "--env", "/none"]))
"""


def test_a_disk_that_is_read_only_is_refused_with_a_sentence() -> None:
    """The bot would take no bid, and starting it again would not help."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "gops.sqlite3"
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            migrate(connection, load_migrations())
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.chown(database, NOBODY, NOBODY)
        database.chmod(0o400)
        Path(folder).chmod(0o500)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY],
            cwd=ROOT,
            env={**environment_without("DISCORD_TOKEN"), "DISCORD_TOKEN": "x", "GOPS_DATABASE": str(database)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (78, ""), done.stderr
    assert done.stderr.splitlines()[-1].startswith("gops run: the file cannot be written: check owner and rights")
