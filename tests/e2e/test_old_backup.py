"""An old backup is put back: nobody plays the same rounds a second time, and everybody reads why."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from tests import postgres
from tests.e2e.house import House, awaits, code_of, has, opened, told
from tests.operate.commands import beside

SAID = "that you saw, so the match is stopped and does not count."


def keep(house: House) -> None:
    """A backup, made while the bot runs."""
    with closing(sqlite3.connect(house.bot.database)) as ours, closing(sqlite3.connect(backup(house))) as theirs:
        ours.backup(theirs)


def backup(house: House) -> Path:
    return house.bot.database.with_name("backup")


async def put_back(house: House, seconds: int = 0, *, start: bool = True) -> None:
    """As an operator may do: the bot is stopped, the file copied, the bot started so much later."""
    assert await house.bot.stop() == 0
    later(house, seconds)
    for file in house.bot.database.parent.glob("gops.sqlite3*"):
        file.unlink()
    shutil.copy(backup(house), house.bot.database)
    house.bot.database.chmod(0o600)
    now = house.bot.database.stat().st_mtime + seconds
    os.utime(house.bot.database, (now, now))
    if start:
        await house.bot.start()


async def copy_tables(server: postgres.Server, source: str, target: str) -> None:
    """Make a database out of another one, as `pg_restore` makes it out of a file. Nobody may be connected to either."""
    link = await asyncpg.connect(server.address("postgres"))
    try:
        await link.execute(f"DROP DATABASE IF EXISTS {target} WITH (FORCE)")
        await link.execute(f"CREATE DATABASE {target} TEMPLATE {source}")
    finally:
        await link.close()


async def play_round(house: House, first: str = "7", second: str = "5") -> None:
    await house.ana.press(first, in_=await house.ana.sees(awaits(1, dm=True)))
    await house.ben.press(second, in_=await house.ben.sees(awaits(1, dm=True)))


async def checked(house: House) -> str:
    """What `gops restore --check` says."""
    said = await beside(house, "restore", "--check")
    assert (said.code, said.err) == (0, ""), said
    return said.out


def later(house: House, seconds: int) -> None:
    """The clock of bot and stand-in goes on."""
    house.bot.clock_file.write_text(str(seconds), encoding="utf-8")


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
        assert f"My database lost a part of #{code_of(board)} {SAID}" in said
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
        result = await house.ben.sees(has("[Rematch]"), in_=board)
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
        assert "No match #" in told(await house.ana.slash("/gops show", match=id))
        await house.ben.press("Accept", in_=challenge)
        assert row(house, "SELECT live FROM matches") == (1,)


async def test_the_start_stops_what_people_saw_further_before_it_draws(tmp_path: Path) -> None:
    """After an hour nobody has to press: a start compares what stands on Discord, and only then draws."""
    async with opened(tmp_path) as house:
        board = await house.match()
        cem, dan = await house.person("Cem"), await house.person("Dan")
        await cem.slash("/gops challenge", opponent=dan)
        asked = await dan.sees("challenges you")
        await dan.press("Accept", in_=asked)
        theirs = await cem.sees(awaits(1, dm=True))
        keep(house)
        await play_round(house)
        await house.ben.sees("round 2 of", in_=board)
        await house.stage.reset_calls()
        await put_back(house, 3600)
        for person in (house.ana, house.ben):
            shown = await person.sees(has("stopped in round 1", "are older than what you saw"), in_=board)
            assert "round 1 of" not in shown.text
            await person.sees(has("does not count"), in_="dm")
        log = [f"{one['method']} {one['path']}" for one in await house.stage.call_log()]
        assert next(one.split()[0] for one in log if one.endswith(f"/messages/{board.id}")) == "GET"
        assert "4 is sealed" in told(await cem.press("4", in_=theirs))
        assert row(house, "SELECT sum(live) FROM matches") == (1,)
        assert house.bot.trouble() == []


async def test_the_start_ends_a_challenge_that_had_begun(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        cem = await house.person("Cem")
        await house.ana.slash("/gops challenge", opponent=cem)
        other = await cem.sees("challenges you")
        keep(house)
        await house.ben.press("Accept", in_=challenge)
        await house.ana.sees(awaits(1, dm=True))
        await put_back(house, 3600)
        stub = await house.ben.sees(has(SAID), in_=challenge)
        assert stub.buttons == []
        await cem.press("Accept", in_=other)
        await cem.sees("round 1 of", in_=other)
        assert row(house, "SELECT count(*) FROM lobbies WHERE state = 8") == (1,)
        assert house.bot.trouble() == []


LOOK = "GET /channels/*/messages/*"


async def test_a_start_after_a_short_absence_looks_at_no_message(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        board = await house.match()
        await house.ana.press("7", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.challenge()
        assert await house.bot.stop() == 0
        await house.stage.reset_calls()
        await house.bot.start()
        await house.ben.press("5", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ben.sees("round 2 of", in_=board)
        assert (await house.stage.calls()).of(LOOK) == 0
        assert house.bot.trouble() == []


async def test_the_check_stops_what_people_saw_further_and_lets_others_go_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        board = await house.match()
        cem, dan = await house.person("Cem"), await house.person("Dan")
        await cem.slash("/gops challenge", opponent=dan)
        await dan.press("Accept", in_=await dan.sees("challenges you"))
        theirs = await cem.sees(awaits(1, dm=True))
        keep(house)
        assert (await beside(house, "restore", "--check")).err.startswith("gops restore: A bot has ")
        await play_round(house)
        await house.ben.sees("round 2 of", in_=board)
        await put_back(house, start=False)
        await house.stage.reset_calls()
        assert (
            "Live matches stopped: 1. Open challenges ended: 0. Results that do not count any more: 0."
            in await checked(house)
        )
        assert (await house.stage.calls()).of("[!G]*") == 0
        await house.bot.start()
        await house.ben.sees(has("stopped in round 1", "are older than what you saw"), in_=board)
        assert "4 is sealed" in told(await cem.press("4", in_=theirs))
        assert house.bot.trouble() == []


async def test_the_check_unrates_what_went_on_unread(tmp_path: Path) -> None:
    """Discord did not show the messages when the bot started; then the match was played a second time."""
    async with opened(tmp_path) as house:
        other = await house.person("Cem")
        await house.ana.slash("/gops challenge", opponent=other)
        asked = await other.sees("challenges you")
        board = await house.match(cards=2)
        keep(house)
        await play_round(house, "A", "2")
        await house.ben.sees(has("[Rematch]"), in_=board)
        await house.stage.fault("answer", LOOK, status=403, times=20)
        await put_back(house, 3600)
        await house.bot.logs("rated matches without a message that shows how far they were played: 1; they continue")
        await play_round(house, "2", "A")
        await house.ana.sees(has("[Rematch]"), in_=board)
        assert "1 played" in told(await house.ana.slash("/gops leaderboard"))
        assert await house.bot.stop() == 0
        assert (
            "Live matches stopped: 0. Open challenges ended: 1. Results that do not count any more: 1."
            in await checked(house)
        )
        assert (
            "Live matches stopped: 0. Open challenges ended: 0. Results that do not count any more: 0."
            in await checked(house)
        )
        await house.stage.clear_faults()
        await house.bot.start()
        assert "1 played" not in told(await house.ana.slash("/gops leaderboard"))
        await house.ben.sees(has("Not rated: my records of it were older than what you saw here."), in_=board)
        assert (await other.sees(has(SAID), in_=asked)).buttons == []
        assert house.bot.trouble() == []


@pytest.mark.parametrize("way", ["start", "check"])
async def test_restored_tables_of_a_server_are_known(tmp_path: Path, server: postgres.Server, way: str) -> None:
    """They are others than those that the bot noted, even where nearly no time has passed."""
    async with opened(tmp_path, start=False) as house:
        address = await postgres.emptied(server)
        house.bot.settings["GOPS_DATABASE"] = address
        name = f"t{os.getpid()}"  # as `emptied` calls it
        await house.bot.start()
        board = await house.match()
        await house.ana.sees(awaits(1, dm=True))
        await house.ben.sees(awaits(1, dm=True))
        assert await house.bot.stop() == 0
        await copy_tables(server, name, f"{name}_copy")
        await house.stage.reset_calls()
        await house.bot.start()
        assert (await house.stage.calls()).of(LOOK) == 0
        await play_round(house)
        await house.ben.sees("round 2 of", in_=board)
        assert await house.bot.stop() == 0
        await copy_tables(server, f"{name}_copy", name)
        if way == "check":
            assert "Live matches stopped: 1." in await checked(house)
        await house.bot.start()
        for person in (house.ana, house.ben):
            await person.sees(has("stopped in round 1", "are older than what you saw"), in_=board)
            await person.sees(has("does not count"), in_="dm")
        assert postgres.rows(address, "SELECT live FROM matches", ()) == [(0,)]
        assert house.bot.trouble() == []
