"""Somebody was at the store, or a crash took a note of it: the bot finds out, or finds again what was lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.driver import Seen
from tests.e2e.house import House, awaits, code_of, has, opened, plain, told
from tests.e2e.test_offers import offered


async def while_it_is_down(house: House, *changes: tuple[str, tuple[object, ...]]) -> None:
    """The bot remembers matches; what lies in the file is read again after a start."""
    assert await house.bot.stop() == 0
    await house.stage.bot_gone()
    with closing(sqlite3.connect(house.bot.database)) as connection, connection:
        for sql, params in changes:
            assert connection.execute(sql, params).rowcount == 1, sql
    await house.bot.start()


async def test_a_seal_that_does_not_fit_is_told_to_players_and_owner(tmp_path: Path) -> None:
    """A sealed bid was changed in the database: no round is played with it, and who can look into it is told."""
    async with opened(tmp_path) as house:
        owner = await house.stage.person("gops team")
        board = await house.match()
        await house.ana.press("7", in_=await house.ana.sees(awaits(1, dm=True)))
        theirs = await house.ben.sees(awaits(1, dm=True))
        await house.ana.sees(has("✔ has bid"), in_=board)
        code = code_of(board)
        await while_it_is_down(
            house, ("UPDATE seals SET choice = replace(choice, '7', '8') WHERE match_id = ?", (code,))
        )
        await house.ben.press("5", in_=theirs)
        stopped = plain((await house.ben.sees(has("stopped in round 1", "does not count"), in_=board)).text)
        assert "♠8" not in stopped
        said = await owner.sees(f"I stopped #{code}, and it does not count", in_="dm")
        assert "a sealed bid in my database has changed" in said.text
        with closing(sqlite3.connect(house.bot.database)) as connection:
            assert connection.execute("SELECT live FROM matches").fetchone() == (0,)
            assert connection.execute("SELECT count(*) FROM decisions").fetchone() == (0,)
            assert connection.execute("SELECT count(*) FROM rating_history").fetchone() == (0,)
        assert house.bot.trouble() == []


def lost(posted: Seen) -> tuple[tuple[str, tuple[object, ...]], ...]:
    """The process ended after the message was sent, and before that was noted."""
    message = (int(posted.id),)
    return (
        ("UPDATE lobbies SET message = NULL WHERE message = ?", message),
        ("DELETE FROM surfaces WHERE message = ?", message),
    )


async def test_the_message_of_a_challenge_is_looked_for(tmp_path: Path) -> None:
    """Who accepts by DM agrees to what this message shows; so it is searched in the channel, and becomes the board."""
    async with opened(tmp_path) as house:
        posted, offer = await offered(house)
        await while_it_is_down(house, *lost(posted))
        assert "The match of Ana and Ben has begun." in told(await house.ben.press("Rematch", in_=offer))
        board = await house.ana.sees(has("round 1 of 3"), in_=posted)
        assert board.id == posted.id
        with closing(sqlite3.connect(house.bot.database)) as connection:
            found = connection.execute("SELECT agreement FROM matches WHERE live = 1").fetchone()[0]
        assert f'"message":"{posted.id}"'.encode() in bytes(found)
        assert house.bot.trouble() == []


async def test_one_that_is_nowhere_starts_nothing(tmp_path: Path) -> None:
    """Lost, and deleted as well: nobody could compare what they were dealt with what they were shown."""
    async with opened(tmp_path) as house:
        posted, offer = await offered(house)
        await while_it_is_down(house, *lost(posted))
        await house.stage.delete(posted)
        said = told(await house.ben.press("Rematch", in_=offer))
        assert "The match of Ana and Ben has begun." not in said
        assert said == "The message of this challenge is not ready yet. Press again in a moment."
        with closing(sqlite3.connect(house.bot.database)) as connection:
            assert connection.execute("SELECT count(*) FROM matches WHERE live = 1").fetchone() == (0,)
        assert house.bot.trouble() == []


async def test_one_that_is_known_and_was_deleted_ends_the_challenge(tmp_path: Path) -> None:
    """Deleted while the bot was away, so that nobody told it."""
    async with opened(tmp_path) as house:
        posted, offer = await offered(house)
        assert await house.bot.stop() == 0
        await house.stage.bot_gone()
        await house.stage.delete(posted)
        await house.bot.start()
        said = told(await house.ben.press("Rematch", in_=offer))
        assert "This challenge has ended" in said
        with closing(sqlite3.connect(house.bot.database)) as connection:
            assert connection.execute("SELECT count(*) FROM matches WHERE live = 1").fetchone() == (0,)
            assert connection.execute("SELECT count(*) FROM lobbies WHERE state = 1").fetchone() == (0,)
        assert house.bot.trouble() == []
