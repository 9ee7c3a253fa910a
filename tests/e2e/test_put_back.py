"""An old backup is put back: nobody plays the same rounds a second time, and everybody reads why."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.e2e.house import House, awaits, code_of, has, opened, told

SAID = "are older than what you saw here, so it is stopped and does not count."


def keep(house: House) -> None:
    """A backup, made while the bot runs."""
    with closing(sqlite3.connect(house.bot.database)) as ours, closing(sqlite3.connect(backup(house))) as theirs:
        ours.backup(theirs)


def backup(house: House) -> Path:
    return house.bot.database.with_name("backup")


async def put_back(house: House) -> None:
    """As somebody does who knows no better: the bot is stopped, the file copied, the bot started."""
    assert await house.bot.stop() == 0
    for file in house.bot.database.parent.glob("gops.sqlite3*"):
        file.unlink()
    shutil.copy(backup(house), house.bot.database)
    house.bot.database.chmod(0o600)
    await house.bot.start()


def row(house: House, sql: str) -> tuple[object, ...]:
    with closing(sqlite3.connect(house.bot.database)) as connection:
        return connection.execute(sql).fetchone()


async def test_a_newer_console_stops_the_match(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        board = await house.match()
        console = await house.ana.sees(awaits(1, dm=True))
        theirs = await house.ben.sees(awaits(1, dm=True))
        keep(house)
        await house.ana.press("7", in_=console)
        await house.ben.press("5", in_=theirs)
        newer = await house.ana.sees(awaits(2, dm=True))
        await house.ben.sees(awaits(2, dm=True))
        await put_back(house)
        said = told(await house.ana.press("8", in_=newer))
        assert f"My records of #{code_of(board)} {SAID}" in said
        await house.ben.sees(has("stopped in round 1", "My records of it are older than", "does not count"), in_=board)
        assert row(house, "SELECT live, prompt FROM matches") == (0, 0)
        assert row(house, "SELECT count(*) FROM rating_history") == (0,)
        assert house.bot.trouble() == []


async def test_a_result_that_the_store_does_not_know_stops_the_match(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        board = await house.match(cards=2)
        keep(house)
        await house.ana.press("A", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        result = await house.ben.sees(has("1st"), in_=board)
        await put_back(house)
        assert SAID in told(await house.ben.press("Rematch", in_=result))
        assert row(house, "SELECT live FROM matches") == (0,)
        assert house.bot.trouble() == []


async def test_the_board_of_an_open_challenge_ends_it(tmp_path: Path) -> None:
    """The same nonce would deal the same cards, to people who have seen them."""
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        keep(house)
        await house.ben.press("Accept", in_=challenge)
        board = house.ben.now(challenge)
        assert board is not None
        await house.ana.sees(awaits(1, dm=True))
        await put_back(house)
        await house.ana.press("Bid", in_=board)
        stub = await house.ben.sees(has(SAID), in_=board)
        assert stub.buttons == []
        assert row(house, "SELECT state FROM lobbies") == (6,)
        assert row(house, "SELECT count(*) FROM matches") == (0,)
        assert house.bot.trouble() == []


async def test_a_console_of_an_open_challenge_ends_it_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        keep(house)
        await house.ben.press("Accept", in_=challenge)
        console = await house.ana.sees(awaits(1, dm=True))
        await put_back(house)
        assert SAID in told(await house.ana.press("5", in_=console))
        assert row(house, "SELECT state FROM lobbies") == (6,)
        assert house.bot.trouble() == []


async def test_a_code_that_is_typed_ends_no_challenge(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        id = row(house, "SELECT id FROM lobbies")[0]
        assert "I know no match" in told(await house.ana.slash("/gops show", match=id))
        await house.ben.press("Accept", in_=challenge)
        assert row(house, "SELECT live FROM matches") == (1,)
