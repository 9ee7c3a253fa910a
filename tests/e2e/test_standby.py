"""Several processes on one database: one leads, and a standby takes over when the leader is killed or hangs."""

from __future__ import annotations

import signal
from pathlib import Path

from tests import postgres
from tests.e2e.house import Bot, House, awaits, has, opened, told


class Standby(Bot):
    """A bot that waits for the lead."""

    command = (*Bot.command, "--role", "standby")

    @classmethod
    def beside(cls, house: House, name: str) -> Standby:
        standby = cls(house.stage, house.bot.database, house.bot.clock_file, house.bot.log.with_name(name))
        standby.settings = dict(house.bot.settings)
        if "GOPS_LISTEN" in standby.settings:  # a leader that hangs keeps its port
            standby.listen()
        return standby

    async def stand_by(self) -> None:
        """Start, and wait until it sees that another process leads."""
        await self.spawn()
        await self.logs("another process leads")


async def test_standby_takes_over_when_the_leader_is_killed(tmp_path: Path, server: postgres.Server) -> None:
    async with opened(tmp_path, start=False) as house:
        house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        first, second = Standby.beside(house, "first.log"), Standby.beside(house, "second.log")
        try:
            await first.start()
            await second.stand_by()
            board = await house.match(cards=2, clock=30)
            await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
            assert "connected" not in second.logged()
            await first.kill()
            await house.stage.bot_ready(patience=30)
            await second.logs("this process leads")
            await house.stage.forward(40)
            await house.ana.sees(has("1st", "1 bid by the clock"), in_=board)
            assert "1 played, 1 won" in told(await house.ana.slash("/gops leaderboard"))
            third = await third_leads(house, second)
            assert "1 played, 0 won" in told(await house.ben.slash("/gops leaderboard"))
            assert third.trouble() == []
            assert await third.stop() == 0
            assert first.trouble() + second.trouble() == []
        finally:
            for one in (first, second):
                await one._end(signal.SIGKILL)


async def third_leads(house: House, second: Standby) -> Standby:
    """Let the leader hang until a third process leads, then resume it: it must exit with 1."""
    third, hangs = Standby.beside(house, "third.log"), second.process
    assert hangs is not None
    await third.stand_by()
    hangs.send_signal(signal.SIGSTOP)
    await third.logs("connected as")
    hangs.send_signal(signal.SIGCONT)
    assert await hangs.wait() == 1, "whoever supervises it starts it again"
    return third
