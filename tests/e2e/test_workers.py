"""Workers and keepers on one database: whoever answers, every bid that was confirmed is played, on one board."""

from __future__ import annotations

import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.playground.balancer import Balancer
from tests import postgres
from tests.e2e.house import Bot, House, awaits, has, opened, told
from tests.e2e.test_keepers import Keeper
from tests.operate.ports import free_port


class WorkerBot(Bot):
    """One of several."""

    command = (*Bot.command, "--role", "worker")

    @classmethod
    def beside(cls, house: House, name: str) -> WorkerBot:
        worker = cls(house.stage, house.bot.database, house.bot.clock_file, house.bot.log.with_name(f"{name}.log"))
        worker.port = free_port()
        worker.settings = {**house.bot.settings, "GOPS_LISTEN": str(worker.port)}
        return worker

    port: int

    async def start(self) -> None:
        await self.spawn()
        await self.logs("this worker answers")


class Fleet:
    """Keepers and workers of a house, with a balancer before them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.workers: list[WorkerBot] = []
        self.keepers: list[Keeper] = []
        self.turn: list[int] = []
        """the ports of the workers, in the order in which the next press goes to them"""

    def keeper(self) -> Keeper:
        one = Keeper.beside(self.house, f"keeper-{len(self.keepers)}.log")
        one.settings = {**self.house.bot.settings, "GOPS_LISTEN": str(free_port())}
        self.keepers.append(one)
        return one

    async def worker(self) -> WorkerBot:
        one = WorkerBot.beside(self.house, f"worker-{len(self.workers)}")
        self.workers.append(one)
        self.turn.append(one.port)
        await one.spawn()
        return one

    def to(self, worker: WorkerBot) -> None:
        """What is pressed from now on comes to this one alone."""
        self.turn[:] = [worker.port]

    def trouble(self) -> list[str]:
        return [line for one in (*self.workers, *self.keepers) for line in one.trouble()]


@asynccontextmanager
async def fleet(folder: Path, server: postgres.Server, workers: int = 2) -> AsyncGenerator[Fleet]:
    """A keeper that leads, and so many workers."""
    async with opened(folder, start=False) as house:
        these = Fleet(house)
        balancer = Balancer(lambda: these.turn)
        port = await balancer.open()
        house.bot.settings |= {
            "GOPS_DATABASE": await postgres.emptied(server),
            "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions",
        }
        try:
            for _ in range(workers):
                await these.worker()
            await these.keeper().start()
            for one in these.workers:
                await one.logs("this worker answers")
            await these.keepers[0].logs("told Discord that interactions go to")
            yield these
            assert these.trouble() == []
        finally:
            for one in (*these.workers, *these.keepers):
                await one._end(signal.SIGKILL)
            await balancer.close()


async def test_a_match_through_two_workers(tmp_path: Path, server: postgres.Server) -> None:
    async with fleet(tmp_path, server) as these:
        house, (first, second) = these.house, these.workers
        board = await house.match(cards=3)
        these.to(first)
        mine = await house.ana.press("3", in_=await house.ana.sees(awaits(1, dm=True)))
        assert "**3 is sealed.**" in told(mine)
        these.to(second)
        again = await house.ana.press("2", in_=mine.shown)
        assert "**2 is sealed.**" in told(again)
        these.to(first)
        await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(awaits(2, dm=True))
        await house.ben.press("2", in_=await house.ben.sees(awaits(2, dm=True)))
        these.to(second)
        await house.ana.press("3", in_=await house.ana.sees(awaits(2, dm=True)))
        await house.ana.sees(has("1st"), in_=board)
        assert "1 played" in told(await house.ana.slash("/gops leaderboard"))
