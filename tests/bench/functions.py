"""Functions and modules of the product that run for the first bid of a match: from the press at the gateway until board
and consoles show it. The reveal, which the other player's bid brings, is not part of it."""

from __future__ import annotations

import asyncio
import json
import signal
import tempfile
from collections import Counter
from pathlib import Path

from tests.e2e.house import House, awaits, has, key, opened

PARTS = ("bot/messages/", "bot/rest/", "bot/interactions/", "cogs/")
"""folders that carry a press to the referee and its answer back"""
QUIET = 0.6
"""seconds after the last drawing in which deferred work ends, like the note of what was shown"""


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for line in asyncio.run(count(Path(folder))):
            print(line)


async def count(folder: Path) -> list[str]:
    out = folder / "functions.json"
    async with opened(folder, start=False) as house:
        house.bot.forked = False
        house.bot.settings["GOPS_CLOCK_FILE"] = ""  # a clock that tests can move is looked at often
        house.bot.command = ("-m", "tests.bench.traced_bot", str(out), "run")
        await house.bot.start()
        await _bid(house, out)
    names = [(file, name) for file, name in json.loads(out.read_text(encoding="utf-8"))]
    return [*_totals(names), *_layers(names)]


async def _bid(house: House, out: Path) -> None:
    await house.match(cards=13)
    console = await house.ana.sees(awaits(1, dm=True))
    await house.ben.sees(awaits(1, dm=True))
    await asyncio.sleep(QUIET)
    process = house.bot.process
    assert process is not None
    process.send_signal(signal.SIGUSR2)
    await house.ana.press(key(5), in_=console)
    await house.ben.sees(has("✔ has bid"))
    await asyncio.sleep(QUIET)
    process.send_signal(signal.SIGUSR2)
    while not out.exists():  # noqa: ASYNC110, ASYNC240 - a file tells nobody that it is there
        await asyncio.sleep(0.05)


def _totals(names: list[tuple[str, str]]) -> list[str]:
    modules = {file for file, _ in names}
    parts = [file for file, _ in names if file.startswith(PARTS)]
    return [
        f"in all {len(names)} functions of {len(modules)} modules",
        f"of {', '.join(part.rstrip('/') for part in PARTS)}: {len(parts)} functions of {len(set(parts))} modules",
    ]


def _layers(names: list[tuple[str, str]]) -> list[str]:
    layers = Counter("/".join(file.split("/")[:2]) for file, _ in names)
    return [f"  {count:4} {layer}" for layer, count in layers.most_common()]
