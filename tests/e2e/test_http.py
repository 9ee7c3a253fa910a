"""Interactions by HTTP: the same bot, and nobody notices."""

from pathlib import Path

from tests.e2e.house import awaits, has, opened, told
from tests.operate.ports import free_port


async def test_a_match_by_http(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        port = free_port()
        house.bot.settings |= {
            "GOPS_LISTEN": str(port),
            "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions",
        }
        await house.bot.start()
        board = await house.match(cards=2)
        await house.ana.press("A", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.bot.kill()
        await house.bot.start()
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("1st"), in_=board)
        assert "1 played, 1 won" in told(await house.ana.slash("/gops leaderboard"))
        calls = await house.stage.calls()
        assert calls.of("RESPONSE /interactions/*") >= 3
        assert calls.of("POST /interactions/*") >= 1, "the challenge is for everybody"
        # Switched off again, it is taken back from Discord.
        assert await house.bot.stop() == 0
        house.bot.settings.clear()
        await house.bot.start()
        before = (await house.stage.calls()).of("RESPONSE /interactions/*")
        assert "1 played" in told(await house.ben.slash("/gops leaderboard"))
        assert (await house.stage.calls()).of("RESPONSE /interactions/*") == before
        assert house.bot.trouble() == []
