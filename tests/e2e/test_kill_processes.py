"""Nothing is lost when several processes share the matches: one of them is killed again and again, at any instant."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests import postgres
from tests.e2e.hall import Hall, opened_hall
from tests.e2e.house import Bot
from tests.e2e.test_kill import NAMES, SEEDS, Play, at_some_instant, holds, shows_the_store
from tests.e2e.test_takeover import Process
from tests.operate.ports import free_port

PROCESSES = 3
KILLS = int(os.environ.get("KILLS", "6"))
"""KILLS=60 SEEDS=4711 for more of them, and another order"""
SHARES = 120.0
"""seconds in which a process that starts gets partitions"""


class Fleet:
    """Processes that share the partitions, on so many shards. One that ends is started again."""

    def __init__(self, hall: Hall, count: int, shards: int = 1) -> None:
        self.hall = hall
        self.shards = shards
        self.processes = [Process.beside(hall, f"bot-{number}.log") for number in range(1, count + 1)]
        for process in self.processes:
            process.settings["GOPS_PEER"] = f"127.0.0.1:{free_port()}"
            process.unhurried = hall.bot.unhurried
        self._began: dict[Bot, int] = {}
        """where in its log the life of each begins"""
        self._supervisors: list[asyncio.Task[None]] = []

    async def restart(self) -> None:
        self._supervisors = [asyncio.create_task(self._keep(process)) for process in self.processes]
        for process in self.processes:
            await self.shares(process)
        await self.hall.stage.bot_ready(patience=SHARES, shards=self.shards)
        self.hall.up.set()

    async def _keep(self, process: Process) -> None:
        while True:
            self._began[process] = process.log.stat().st_size if process.log.exists() else 0
            await process.spawn()
            assert process.process is not None
            await process.process.wait()

    async def shares(self, process: Bot, former: object = None) -> None:
        """Wait until a process, or the one that comes after its `former` life, has partitions."""

        def has_partitions() -> bool:
            with process.log.open("rb") as log:
                log.seek(self._began[process])
                return b"in all" in log.read()

        async with asyncio.timeout(SHARES):
            while process.process is former or not has_partitions():  # noqa: ASYNC110 - a file tells nobody that it has grown
                await asyncio.sleep(0.01)

    async def kill_one(self, play: Play) -> None:
        """Kill any of the processes at some instant, and start it again."""
        process = play.rng.choice(self.processes)
        killed = process.process
        assert killed is not None

        def strike() -> None:
            if killed.returncode is None:
                os.kill(killed.pid, signal.SIGKILL)

        await at_some_instant(self.hall, play, strike)
        strike()
        await killed.wait()
        await self.shares(process, killed)

    async def stop_one(self, rng: random.Random) -> None:
        """Stop any of the processes as a supervisor does it, and start it again."""
        process = rng.choice(self.processes)
        stops = process.process
        assert stops is not None
        stops.send_signal(signal.SIGTERM)
        await stops.wait()
        await self.shares(process, stops)

    async def down(self) -> None:
        """Kill all of them."""
        self.hall.up.clear()
        await self._end(signal.SIGKILL)
        await self.hall.stage.bot_gone()

    async def stop(self) -> None:
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        for supervisor in self._supervisors:
            supervisor.cancel()
        await asyncio.gather(*self._supervisors, return_exceptions=True)
        await asyncio.gather(*(process._end(number) for process in self.processes))

    def trouble(self) -> list[str]:
        return [line for process in self.processes for line in process.trouble()]


async def trouble(fleet: Fleet, play: Play) -> None:
    for _ in range(KILLS):
        await fleet.kill_one(play)
    play.ended.set()


@pytest.mark.timeout(900)
async def test_nothing_is_lost_while_processes_are_killed(tmp_path: Path, server: postgres.Server) -> None:
    print(f"seed {SEEDS[0]}")
    async with opened_hall(tmp_path, server=await postgres.emptied(server), start=False) as hall:
        fleet = Fleet(hall, PROCESSES)
        try:
            await fleet.restart()
            await hall.crowd(NAMES)
            play = Play(hall, random.Random(SEEDS[0]))
            play.calm.set()
            play.still.set()
            tables = [asyncio.create_task(play.table()) for _ in range(4)]
            troubles = asyncio.create_task(trouble(fleet, play))
            finished, _ = await asyncio.wait([troubles, *tables], return_when=asyncio.FIRST_EXCEPTION)
            for task in finished:
                task.result()
            await shows_the_store(hall, play)
        finally:
            await fleet.stop()
        with redirect_stdout(StringIO()):  # it counts the kills of its own test
            await holds(hall, play)
        assert fleet.trouble() == []
