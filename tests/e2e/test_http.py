"""Interactions by HTTP: the same bot, and nobody notices."""

from pathlib import Path

from tests.e2e.house import awaits, has, opened, through_a_kill, told
from tests.operate.ports import free_port


async def test_match_is_played_through_http_interactions(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        port = free_port()
        house.bot.settings |= {
            "GOPS_LISTEN": str(port),
            "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions",
        }
        await house.bot.start()
        await through_a_kill(house)
        calls = await house.stage.calls()
        assert calls.of("RESPONSE /interactions/*") >= 2
        assert calls.of("POST /interactions/*") >= 1, "the challenge is for everybody"
        # Switched off again, it is taken back from Discord.
        assert await house.bot.stop() == 0
        house.bot.settings.clear()
        await house.bot.start()
        before = (await house.stage.calls()).of("RESPONSE /interactions/*")
        assert "1 played" in told(await house.ben.slash("/gops leaderboard"))
        assert (await house.stage.calls()).of("RESPONSE /interactions/*") == before
        assert house.bot.trouble() == []


async def test_clocks_go_on_without_a_gateway_while_the_api_answers(tmp_path: Path) -> None:
    """Presses arrive and boards can be edited, so people can play."""
    async with opened(tmp_path, start=False) as house:
        port = free_port()
        house.bot.settings |= {
            "GOPS_LISTEN": str(port),
            "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions",
        }
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
