"""Instructions of the processor for a bid, which others on the machine do not change: ours, with
OLD=/path/to/checkout another version of ours, and the bot that makes the same calls and keeps nothing (floor).

`load` measures seconds, and on a machine that others use, too, they vary by a fifth; these figures vary by a hundredth.
They leave out what a cache that is missed costs, and what the kernel does. One press is unanswered at a time, for under
valgrind (which has to be there) a bot is fifty times as slow, and what it does by the clock would come in between. A
heat in which a press was not answered in time does not count.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import statistics
import tempfile
from pathlib import Path

from tests.bench.load import OLD, Bot, Heat, keeping_bot, one_heat, plain_bot, quiet, shapes_of
from tests.bench.processes import Process
from tests.bench.wire import listening

PRESSED = 24
"""matches of a heat, both seats of each"""
HEATS = int(os.environ.get("ROUNDS", "2"))
WATCH = "callgrind"
TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def run() -> None:
    if shutil.which("callgrind_control") is None:
        print("There is no valgrind here: nothing was counted.")
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    print(f"{PRESSED} matches of a heat, one press unanswered at a time; millions of instructions a bid")
    Process.under = ("valgrind", f"--tool={WATCH}", "--instr-atstart=no", f"--callgrind-out-file={folder}/{WATCH}.%p")
    try:
        async with listening() as discord:
            bot = await keeping_bot(discord, folder, "ours", None)
            counted = {"ours": await counts(bot, folder)}
            shapes = shapes_of(bot.app)
            if OLD is not None:
                counted["old"] = await counts(await keeping_bot(discord, folder, "old", OLD), folder)
            counted["floor"] = await counts(await plain_bot(discord, folder, "floor", shapes), folder)
    finally:
        Process.under = ()
    ours = counted.pop("ours")
    for other, its in counted.items():
        if ours and its:
            print(f"ours / {other}: {statistics.mean(ours) / statistics.mean(its):.3f}")


async def counts(bot: Bot, folder: Path) -> list[float]:
    """Millions of instructions a bid, heat by heat; then it is stopped."""
    try:
        await quiet([bot])
        await one_heat([bot], bot, 0, PRESSED, 1)
        heats = [await _one(bot, folder, number + 1) for number in range(HEATS)]
        return [each for each, heat in heats if not heat.failed]
    finally:
        await bot.process.stop()


async def _one(bot: Bot, folder: Path, number: int) -> tuple[float, Heat]:
    pid = str(bot.process.process.pid)
    await _control("-i", "on", pid)
    heat = await one_heat([bot], bot, number, PRESSED, 1)
    await _control("-i", "off", pid)
    await _control("-d", f"heat {number}", pid)
    each = _total(folder, pid) / heat.bids / 1e6
    calls = ", ".join(f"{count / heat.bids:.2f} {call}" for call, count in sorted(heat.calls.items()))
    failed = f"  FAILED {heat.failed}: this heat does not count" if heat.failed else ""
    print(f"  {bot.name:<6}{each:7.3f}  {heat.bids} bids ({calls}){failed}", flush=True)
    return each, heat


def _total(folder: Path, pid: str) -> int:
    """Of every thread, since it was asked last."""
    total = 0
    for file in folder.glob(f"{WATCH}.{pid}*"):
        total += sum(int(one) for one in TOTAL.findall(file.read_text(encoding="utf-8", errors="replace")))
        file.unlink()
    return total


async def _control(*words: str) -> None:
    """Tell the program that watches what to do."""
    process = await asyncio.create_subprocess_exec(
        *("callgrind_control", *words), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0, f"callgrind_control {words} failed"
