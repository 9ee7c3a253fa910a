"""Resident memory, and how soon a click is answered after a start with many live matches in the store.

The baseline is the same bot with an empty store in the same run. STORED in the environment changes the size of the
second store.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.bench.crowd import Crowd, gather
from tests.bench.processes import Process, Town, town

LIVE = 1000
STORED = int(os.environ.get("STORED", "10000"))
APART = 6.0
"""seconds of a process after its press, because Discord begins no second session within 5 s"""
AWAY = 60
"""Seconds without a process, so that all messages show a deadline too early. They really pass: a file that was changed
long after the last heartbeat is a restored one."""


def run() -> None:
    asyncio.run(measure())


async def measure() -> None:
    idle = await _idle()
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        await _live(Path(folder), idle)
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        await _start(Path(folder))


async def _idle() -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with town(Path(folder)) as place:
            bot = await place.bot()
            await asyncio.sleep(3)
            idle = bot.resident
            await bot.stop()
    print(f"{'resident, idle':<60}{idle:7.0f} MB")
    return idle


async def _live(folder: Path, idle: float) -> None:
    async with town(folder) as place:
        crowd = await gather(place, LIVE)
        bot = await place.bot()
        for seat in crowd.seats:
            await place.stage.link.call("POST", "/presses", {"on": seat, "like": "g1:co:*", "at_once": 16})
        await asyncio.sleep(3)
        print(
            f"{f'resident, {LIVE} live matches, a round of each played':<60}{bot.resident:7.0f} MB"
            f"  ({bot.resident / idle:.2f} x idle)"
        )
        await bot.stop()


async def _start(folder: Path) -> None:
    async with town(folder) as place:
        crowd = await gather(place, STORED)
        for number in range(3):
            await _first_click(place, crowd, number, f"{STORED} live matches, all up to date")
        await asyncio.sleep(AWAY)
        await _first_click(place, crowd, 3, f"the same after {AWAY} s away, {3 * STORED} messages behind")


async def _first_click(place: Town, crowd: Crowd, number: int, what: str) -> None:
    """From the start of the process to the first answer; the person presses as soon as the bot is connected."""
    started = time.perf_counter()
    bot = await place.bot_begun()
    await place.stage.bot_ready("Bot", patience=120)
    connected = time.perf_counter() - started
    took = await _pressed(place, crowd, number)
    answered = time.perf_counter() - started
    await asyncio.sleep(APART)
    print(f"start to first answered click, {what}: {answered:.2f} s (connected after {connected:.2f} s)")
    if not took:
        print("  the click was not answered in time; that is until the next one was")
    await _stopped(place, bot)


async def _pressed(place: Town, crowd: Crowd, number: int) -> bool:
    """Press until it is answered; whether the first press was."""
    first = True
    while True:
        body = {"on": [crowd.seats[0][number]], "like": "g1:co:*", "at_once": 1}
        if (await place.stage.link.call("POST", "/presses", body))["milliseconds"]:
            return first
        first = False


async def _stopped(place: Town, bot: Process) -> None:
    bot.process.kill()
    await bot.stop()
    await place.stage.bot_gone("Bot")
