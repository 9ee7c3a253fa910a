"""Interactions by HTTP: the same bot, and nobody notices."""

from pathlib import Path

import pytest

from bot.playground.world import interaction
from tests.driver.stage import Server
from tests.e2e.forge import Forger
from tests.e2e.hall import opened_hall
from tests.e2e.house import awaits, has, opened, through_a_kill, told

SERVERS, ASKED = "GET /users/@me/guilds", "GET /oauth2/applications/@me"


async def test_match_is_played_through_http_interactions(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        await house.bot.use_http()
        await house.bot.start()
        await through_a_kill(house)
        calls = await house.stage.calls()
        assert calls.of("RESPONSE /interactions/*") >= 1, "the leaderboard is for Ana alone"
        assert calls.of("POST /interactions/*") >= 4, "a challenge, Accept, two bids: only a call tells that it arrived"
        # Switched off again, it is taken back from Discord.
        assert await house.bot.stop() == 0
        house.bot.settings.clear()
        await house.bot.start()
        before = (await house.stage.calls()).of("RESPONSE /interactions/*")
        assert "1 played" in told(await house.ben.slash("/gops leaderboard"))
        assert (await house.stage.calls()).of("RESPONSE /interactions/*") == before
        assert house.bot.trouble() == []


async def test_nobody_notices_that_discord_knows_a_token_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest time that was seen; the consoles are edited by their tokens when the other player has bid."""
    monkeypatch.setattr(interaction, "SELDOM", 0)
    async with opened(tmp_path, start=False) as house:
        await house.bot.use_http()
        await house.bot.start()
        ana, ben = house.ana, house.ben
        board = await house.match(cards=2)
        mine, hers = (await ben.press("Bid", in_=board)).shown, (await ana.press("Bid", in_=board)).shown
        await ana.press("A", in_=hers)
        await ben.press("2", in_=mine)
        await ana.sees(has("[Rematch]"), in_=hers)
        await ben.sees(has("[Rematch]"), in_=mine)
        await ana.sees(has("[Rematch]"), in_=board)
        assert house.bot.trouble() == []


async def test_clocks_go_on_without_a_gateway_while_the_api_answers(tmp_path: Path) -> None:
    """Presses arrive and boards can be edited, so people can play."""
    async with opened(tmp_path, start=False) as house:
        await house.bot.use_http()
        await house.bot.start()
        board = await house.match()
        await house.stage.gateway("refuse", times=1000)
        await house.stage.gateway("close", code=4000)
        await house.stage.bot_gone()
        await house.ana.press("5", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.stage.forward(3 * 60)
        over = await house.ana.sees(has("round 2 of 13"), in_=board)
        assert "was away" not in over.text
        await house.stage.gateway("refuse", times=0)
        await house.stage.bot_ready()
        await house.ana.press("6", in_=await house.ana.sees(awaits(2, dm=True)))
        assert house.bot.trouble() == []


async def test_who_presses_again_after_each_answer_is_never_too_quick(tmp_path: Path) -> None:
    """However soon: a press that was answered is not counted among those under way."""
    async with opened_hall(tmp_path, by_http=True) as hall:
        [ana] = await hall.crowd(["Ana"])
        profile, forger = (await ana.slash("/gops profile")).shown, Forger(hall.playground)
        for _ in range(12):
            answer = await forger.press(ana, profile, "g1:pr:0:nothing")
            assert answer == "That button is out of date; nothing changed."


async def test_match_is_played_without_a_gateway(tmp_path: Path) -> None:
    """The API says in which servers the bot is."""
    async with opened(tmp_path, start=False) as house:
        await house.bot.use_http()
        house.bot.settings["GOPS_GATEWAY"] = "off"
        await house.bot.spawn()
        await house.stage.called(SERVERS)
        board = await house.match(cards=2)
        await house.ana.press("A", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.bot.kill()
        await house.bot.spawn()
        await house.stage.called(SERVERS, 2)
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("[Rematch]"), in_=board)
        await house.bot.kill()
        [server] = (await house.stage.world())["servers"]
        await house.stage.leave(Server(server["id"], server["name"], ()), "GOPS")
        await house.bot.spawn()
        await house.bot.logs(f"removed from server {server['id']}")
        assert (await house.stage.calls()).of("GET /gateway/bot") == 0
        assert house.bot.trouble() == []


async def test_clocks_stop_without_a_gateway_while_the_api_is_away(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        await house.bot.use_http()
        house.bot.settings["GOPS_GATEWAY"] = "off"
        await house.bot.spawn()
        await house.stage.called(SERVERS)
        await house.match()
        await house.ana.press("5", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.stage.fault("answer", ASKED, status=403, times=999)
        await house.stage.called(ASKED, (await house.stage.calls()).of(ASKED) + 1)
        await house.stage.forward(3 * 60)
        await house.stage.clear_faults()
        await house.ben.press("6", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ben.sees(awaits(2, dm=True))
        assert house.bot.trouble() == []
