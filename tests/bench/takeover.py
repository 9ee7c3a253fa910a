"""Measure a takeover: two processes on one PostgreSQL server, and the leader is killed, or stopped so that it hangs.

Prints the seconds until the standby leads, and until it is connected to Discord (the stand-in) and presses arrive.
"""

from __future__ import annotations

import asyncio
import signal
import statistics
import tempfile
import time
from pathlib import Path

from tests import postgres
from tests.e2e.house import opened
from tests.e2e.test_standby import Standby

KILLS, STOPS = 10, 5


def run() -> None:
    server = postgres.started()
    try:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(Path(folder), server))
    finally:
        server.end()


async def measure(folder: Path, server: postgres.Server) -> None:
    async with opened(folder, start=False) as house:
        house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        leader = Standby.beside(house, "0.log")
        await leader.start()
        number = 0
        try:
            for how, times in ((signal.SIGKILL, KILLS), (signal.SIGSTOP, STOPS)):
                led, connected = list[float](), list[float]()
                for _ in range(times):
                    number += 1
                    other = Standby.beside(house, f"{number}.log")
                    await other.stand_by()
                    leads, connects = await taken_over(leader, other, how)
                    led.append(leads)
                    connected.append(connects)
                    leader = other
                name = "killed" if how is signal.SIGKILL else "hangs"
                print(f"leader {name}, {times} times: another leads after {told(led)}, connected {told(connected)}")
        finally:
            await leader.stop()


async def taken_over(leader: Standby, other: Standby, how: signal.Signals) -> tuple[float, float]:
    assert leader.process is not None
    began = time.monotonic()
    leader.process.send_signal(how)
    await other.logs("this process leads")
    leads = time.monotonic() - began
    await other.logs("connected as")
    connects = time.monotonic() - began
    leader.process.send_signal(signal.SIGKILL)
    await leader.process.wait()
    return leads, connects


def told(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.1f} s (most {max(seconds):.1f})"
