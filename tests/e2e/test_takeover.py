"""Several processes on one database: one plays, and another takes over when it is killed or hangs."""

from __future__ import annotations

import signal
from pathlib import Path

from tests import postgres
from tests.e2e.hall import Hall
from tests.e2e.house import Bot, House, awaits, has, opened, told


class Process(Bot):
    """One of several processes."""

    @classmethod
    def beside(cls, house: House | Hall, name: str) -> Process:
        process = cls(house.stage, house.bot.database, house.bot.clock_file, house.bot.log.with_name(name))
        process.settings = dict(house.bot.settings)
        if "GOPS_LISTEN" in process.settings:  # a process that hangs keeps its port
            process.listen()
        return process

    async def stand_by(self) -> None:
        """Start, and wait until it sees that another process plays."""
        await self.spawn()
        await self.logs("another process owns the partitions")


async def test_another_process_takes_over_when_one_is_killed(tmp_path: Path, server: postgres.Server) -> None:
    async with opened(tmp_path, start=False) as house:
        house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        first, second = Process.beside(house, "first.log"), Process.beside(house, "second.log")
        try:
            await first.start()
            await second.stand_by()
            board = await house.match(cards=2, clock=30)
            await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
            assert "connected" not in second.logged()
            await first.kill()
            await house.stage.bot_ready(patience=30)
            await second.logs("this process owns all partitions")
            await house.stage.forward(40)
            result = await house.ana.sees(has("[Rematch]"), in_=board)
            assert "Time ran out for 1 bid" in told(await house.ana.press("More", in_=result))
            assert "1 played, 1 won" in told(await house.ana.slash("/gops leaderboard"))
            third = await third_takes_over(house, second)
            assert "1 played, 0 won" in told(await house.ben.slash("/gops leaderboard"))
            assert third.trouble() == []
            assert await third.stop() == 0
            assert first.trouble() + second.trouble() == []
        finally:
            for one in (first, second):
                await one._end(signal.SIGKILL)


async def third_takes_over(house: House, second: Process) -> Process:
    """Let the second process hang until a third one plays, then resume it: it must exit with 1."""
    third, hangs = Process.beside(house, "third.log"), second.process
    assert hangs is not None
    await third.stand_by()
    hangs.send_signal(signal.SIGSTOP)
    await third.logs("connected as")
    hangs.send_signal(signal.SIGCONT)
    assert await hangs.wait() == 1, "whoever supervises it starts it again"
    return third
