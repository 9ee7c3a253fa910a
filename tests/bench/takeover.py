"""Measure a takeover: two processes on one PostgreSQL server, and the one that plays is killed, or hangs.

Prints the seconds until the other owns all partitions, and until it is connected to Discord (the stand-in) and presses
arrive.
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
from tests.e2e.test_takeover import Process

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
        playing = Process.beside(house, "0.log")
        await playing.start()
        number = 0
        try:
            for how, times in ((signal.SIGKILL, KILLS), (signal.SIGSTOP, STOPS)):
                owned, connected = list[float](), list[float]()
                for _ in range(times):
                    number += 1
                    other = Process.beside(house, f"{number}.log")
                    await other.stand_by()
                    owns, connects = await taken_over(playing, other, how)
                    owned.append(owns)
                    connected.append(connects)
                    playing = other
                name = "killed" if how is signal.SIGKILL else "hangs"
                print(
                    f"process {name}, {times} times: another owns all after {told(owned)}, connected {told(connected)}"
                )
        finally:
            await playing.stop()


async def taken_over(playing: Process, other: Process, how: signal.Signals) -> tuple[float, float]:
    assert playing.process is not None
    began = time.monotonic()
    playing.process.send_signal(how)
    await other.logs("this process owns all partitions")
    owns = time.monotonic() - began
    await other.logs("connected as")
    connects = time.monotonic() - began
    playing.process.send_signal(signal.SIGKILL)
    await playing.process.wait()
    return owns, connects


def told(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.1f} s (most {max(seconds):.1f})"
