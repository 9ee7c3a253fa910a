"""How soon a press in another match is answered while Sage thinks its longest thought, and what its process weighs.

The longest thought of a match of 13 cards is at 9 cards left, where the chance to win is solved: it takes every core
for seconds. The same presses before it, with nobody thinking, are the baseline of the run.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path

from tests.bench.crowd import Crowd, gather
from tests.bench.processes import Process, Town, town
from tests.driver import Person, Seen

PRESSES = 100
LONG = 5
"""the round of the long thought"""


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    async with town(folder) as place:
        crowd = await gather(place, 2 * PRESSES)
        bot = await place.bot()
        ana = await place.stage.person("Ana")
        ana.patience = 60
        try:
            await _press(place, crowd, slice(PRESSES))  # warm
            idle = await _press(place, crowd, slice(PRESSES), seat=1)
            console = await _until_long(ana)
            busy = await _press(place, crowd, slice(PRESSES, None))
            if not _thinks(ana, console):
                print("Sage was done before the presses were: does not count")
            memory = _children(bot)
            await ana.sees(f"round {LONG + 1} of", in_=console)
        finally:
            await bot.stop()
    print(f"{PRESSES} presses, one after the other, each in another match; milliseconds until they were answered")
    for name, took in (("nobody thinks", idle), ("Sage thinks", busy)):
        late = sorted(took)[int(0.99 * (len(took) - 1))]
        print(f"  {name:<14} median {statistics.median(took):6.1f}  p99 {late:6.1f}")
    print("  (target while it thinks: under 100)")
    print(f"resident, the process that thinks: {memory:.0f} MB")


async def _press(place: Town, crowd: Crowd, which: slice, seat: int = 0) -> list[float]:
    body = {"on": crowd.seats[seat][which], "like": "g1:co:*", "at_once": 1}
    return (await place.stage.link.call("POST", "/presses", body))["milliseconds"]


async def _until_long(ana: Person) -> Seen:
    """Ana bids against Sage until it has 9 cards left, and seals hers first."""
    console = (await ana.slash("/gops practice", level="sage", cards=13)).shown
    for number in range(1, LONG):
        await ana.press("A" if number == 1 else str(number), in_=console)
        console = await ana.sees(f"round {number + 1} of", in_=console)
    await ana.press(str(LONG), in_=console)
    assert _thinks(ana, console)
    return console


def _thinks(ana: Person, console: Seen) -> bool:
    return bool(ana.finds("is thinking", in_=console))


def _children(bot: Process) -> float:
    """Megabytes of the largest process that the bot has started."""
    most = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines() if ":" in line)
        except OSError:
            continue
        if int(fields["PPid"]) == bot.process.pid and "VmRSS" in fields:
            most = max(most, int(fields["VmRSS"].split()[0]) / 1024)
    return most
