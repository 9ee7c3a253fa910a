"""The daily deal in its channel, over sockets: set by a moderator, posted once, played by everybody."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.referee.model.daily_posts import next_post
from tests.driver import Channel
from tests.e2e.house import House, banner, has, newcomer, plain, told
from tests.e2e.test_daily import NOON, play, to
from tests.e2e.test_settings import moderator

pytestmark = pytest.mark.by_http

SEND = "POST /channels/*/messages"
POST = "A new deal: 7 cards against the house"


async def staged(house: House) -> tuple[House, Channel]:
    """A server with a channel for the daily deal, at noon; Ana has played today."""
    stage = house.stage
    server = await stage.server("Club", ["games", "news"])
    ana, ben = await newcomer(stage, "Ana", server), await newcomer(stage, "Ben", server)
    here, news = House(stage, house.bot, ana, ben, server), server.channels[1]
    await to(here, NOON)
    mod = await moderator(here)
    card = (await mod.slash("/gops settings show")).shown
    saved = banner(await mod.choose(news, select="No channel", in_=card))
    assert saved == [f"✔ Daily channel: no channel → <#{news.id}>"]
    await play(ana, (await ana.slash("/gops daily")).shown)
    return here, news


async def to_post(house: House, late: float = 1) -> None:
    """Let the time come in which the next deal is posted."""
    now = datetime.fromtimestamp(
        datetime.now(UTC).timestamp() + float(house.bot.clock_file.read_text(encoding="utf-8")), UTC
    )
    await house.stage.forward((next_post(int(house.server.id), now) - now).total_seconds() + late)


async def test_the_deal_of_each_day_is_posted_once_and_played_from_any_post(house: House) -> None:
    here, news = await staged(house)
    ana, ben = here.ana, here.ben
    await to_post(here)
    old = await ben.sees(has(POST, "Yesterday, Daily", "1. Ana", "[Play]"), in_=news)
    assert not old.is_ephemeral
    console = (await ben.press("Play", in_=old)).shown
    assert console.is_ephemeral
    assert "round 1 of 7" in plain(console.text)
    await play(ben, console)
    await house.bot.stop()
    await house.bot.start()
    await to_post(here)
    await ana.sees(lambda seen: POST in seen.text and "1. Ben" in plain(seen.text), in_=news)
    assert len(ana.screen.messages(news.id)) == 2
    assert "round 1 of 7" in told(await ana.press("Play", in_=old)), "the deal of today, from the post of another day"


async def test_a_kill_before_the_call_posts_nothing_twice(house: House) -> None:
    here, news = await staged(house)
    stage, bot = house.stage, house.bot
    await stage.fault("slow", SEND, seconds=600, when="before")
    await stage.reset_calls()
    await to_post(here)
    await stage.begun(SEND)
    await bot.kill()
    await stage.clear_faults()
    await bot.start()
    await here.ben.slash("/gops games")
    before = len(here.ben.screen.messages(news.id))
    assert before <= 1
    await stage.reset_calls()
    await to_post(here)
    await here.ben.sees(lambda seen: len(here.ben.screen.messages(news.id)) == before + 1, in_=news)
    assert (await stage.calls()).of(SEND) == 1, "only the post of the next day"
