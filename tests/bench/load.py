"""Durable bids through gateway, referee and disk with many live matches, beside a bot that only acknowledges.

The stand-in is the load generator: it makes every press, takes every answer, and measures the time between. Both
bots are up during the whole run; rounds of presses go to one and then to the other. MATCHES and ROUNDS in the
environment change the size; there are at most 10 rounds, for a match of 13 cards has no more of them to measure.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.bench.crowd import Crowd, Target, gather
from tests.bench.processes import Process, Town, town

MATCHES = int(os.environ.get("MATCHES", "1000"))
ROUNDS = min(int(os.environ.get("ROUNDS", "5")), 10)
AT_ONCE = 32
FULL = 0.8
"""the share of a core beyond which the generator, not the bot, is what is measured"""


@dataclass(frozen=True, slots=True)
class Heat:
    """One round of presses on one bot."""

    bids: int
    seconds: float
    milliseconds: list[float]
    failed: int
    skipped: int
    cpu: float
    generator: float

    @property
    def rate(self) -> float:
        return self.bids / self.seconds

    def at(self, share: float) -> float:
        return sorted(self.milliseconds)[int(share * (len(self.milliseconds) - 1))]

    @property
    def each(self) -> float:
        """CPU milliseconds of the bot for a bid."""
        return self.cpu / self.bids * 1000

    def line(self, name: str) -> str:
        note = "  GENERATOR FULL: does not count" if self.generator > FULL else ""
        odd = f"  failed {self.failed} skipped {self.skipped}" if self.failed or self.skipped else ""
        return (
            f"  {name:<5}{self.rate:7.0f} a second  p50 {self.at(0.5):6.1f}  p99 {self.at(0.99):6.1f} ms"
            f"  cpu {self.each:5.2f} ms a bid  generator {self.generator:4.0%} of a core{odd}{note}"
        )


def run() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    async with town(folder) as place:
        crowd = await gather(place, MATCHES, bare=True)
        shape = folder / "shape.json"
        shape.write_text(json.dumps(crowd.shape), encoding="utf-8")
        bot, bare = await place.bot(), await place.bare_bot(shape)
        try:
            print(f"{MATCHES} live matches, {AT_ONCE} presses unanswered at a time")
            await _ours(place, bot, crowd)  # one round each that does not count
            await _bare(place, bare, crowd)
            await _quiet(place)
            pairs: list[tuple[Heat, Heat]] = []
            for _ in range(ROUNDS):
                ours, theirs = await _ours(place, bot, crowd), await _bare(place, bare, crowd)
                print(ours.line("ours"))
                print(theirs.line("bare"))
                pairs.append((ours, theirs))
                await _quiet(place)
            _sum_up(pairs)
        finally:
            await asyncio.gather(bot.stop(), bare.stop())


def _sum_up(pairs: list[tuple[Heat, Heat]]) -> None:
    counted = [pair for pair in pairs if all(heat.generator <= FULL for heat in pair)]
    print(f"medians of the {len(counted)} of {len(pairs)} rounds that count")
    pairs = counted or pairs

    def median(values: list[float]) -> float:
        return statistics.median(values)

    rate = median([ours.rate / bare.rate for ours, bare in pairs])
    cpu = median([ours.each / bare.each for ours, bare in pairs])
    late = median([ours.at(0.99) for ours, _ in pairs])
    print(f"durable bids as a share of the bare rate   {rate:6.2f}   (target: at least 0.6)")
    print(f"CPU for a bid, times the bare bot's        {cpu:6.2f}   (target: at most 1.7)")
    print(f"acknowledged, 99th percentile, ms          {late:6.1f}   (target: under 250)")


async def _ours(place: Town, bot: Process, crowd: Crowd) -> Heat:
    """A whole round of every match: the one seats seal, then the others, which reveals."""
    before = _durable(place.database)
    first = await _press(place, bot, crowd.seats[0], "g1:co:*")
    second = await _press(place, bot, crowd.seats[1], "g1:co:*")
    durable = _durable(place.database) - before
    return Heat(
        durable,
        first.seconds + second.seconds,
        first.milliseconds + second.milliseconds,
        first.failed + second.failed,
        first.skipped + second.skipped,
        first.cpu + second.cpu,
        max(first.generator, second.generator),
    )


async def _bare(place: Town, bare: Process, crowd: Crowd) -> Heat:
    return await _press(place, bare, crowd.bare, "bare:co:*")


async def _press(place: Town, bot: Process, targets: list[Target], like: str) -> Heat:
    cpu, generator = bot.cpu, place.stand_in.cpu
    told = await place.stage.link.call("POST", "/presses", {"on": targets, "like": like, "at_once": AT_ONCE})
    cpu, generator = bot.cpu - cpu, place.stand_in.cpu - generator
    answered: list[float] = told["milliseconds"]
    seconds: float = told["seconds"]
    return Heat(len(answered), seconds, answered, told["failed"], told["skipped"], cpu, generator / seconds)


def _durable(database: Path) -> int:
    """Bids that are on the disk, revealed or sealed."""
    connection = sqlite3.connect(database)
    try:
        query = "SELECT (SELECT count(*) FROM decisions) + (SELECT count(*) FROM seals)"
        return int(connection.execute(query).fetchone()[0])
    finally:
        connection.close()


async def _quiet(place: Town) -> None:
    """Until nobody calls any more: boards are brought up to date behind a budget."""
    calls, before = (await place.stage.calls()).counted, -1
    while calls != before:
        await asyncio.sleep(1.5)
        calls, before = (await place.stage.calls()).counted, calls
