"""A season over sockets: set by a moderator, ended by the calendar while the bot is off, told once, kept for good."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bot.ratings.pool import find_next_end
from tests.e2e.house import House, awaits, banner, has, key, opened, told
from tests.e2e.test_settings import moderator

DAY = 24 * 3600


async def test_a_season_ends_while_the_bot_is_off(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        stage = house.stage
        server = await stage.server("Club", ["games", "news"])
        ana, ben = await stage.person("ana", server=server), await stage.person("ben", server=server)
        here = House(stage, house.bot, ana, ben, server)
        mod = await moderator(here)
        _, news = server.channels
        card = (await mod.slash("/gops settings show")).shown
        await mod.press("Seasons", in_=card)
        assert banner(await mod.choose("Monthly", select="Seasons", in_=card)) == ["✔ Seasons: off → monthly"]
        saved = banner(await mod.choose(news, select="Nowhere", in_=card))
        assert saved == [f"✔ Champions channel: nowhere → <#{news.id}>"]
        assert told(await ana.slash("/gops settings show")) == "You need the Manage Server permission for this."
        await here.match(cards=2)
        for person, card_of in ((ana, 1), (ben, 2)):
            await person.sees(awaits(1, dm=True))
            await person.press(key(card_of), in_="dm")
        await ana.sees(has("wins", "[Rematch]"), in_="games")
        assert "This season ends" in told(await ana.slash("/gops leaderboard"))
        now = datetime.now(UTC)
        until = (find_next_end(1, now) - now).total_seconds()
        await house.bot.stop()
        await stage.forward(until + DAY)
        await house.bot.start()
        said = await ben.sees(has("is over.", "Its champions:", "Classic", "ben"), in_=news)
        assert "has begun" in said.text
        await house.bot.stop()
        await house.bot.start()
        board = (await ana.slash("/gops leaderboard")).shown
        assert "No rated match has ended in this season yet." in board.text
        was = told(await ana.choose(said.text.split("is over")[0].strip("* "), select="Another season", in_=board))
        assert "of 2 · " in was
        assert "Its ranking does not change any more" in was
        everything = (await ana.slash("/gops leaderboard", season="All time")).shown
        assert "all time" in everything.text
        assert "Classic" in told(await ana.slash("/gops history", season="1"))
        assert told(await ana.slash("/gops history", season="2")) == "No such match found."
        assert told(await ana.slash("/gops history", season="7")) == "No such season. Choose one from the list."
        assert [one.id for one in ben.screen.messages(news.id)] == [said.id]
