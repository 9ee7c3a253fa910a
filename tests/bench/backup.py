"""A backup of many matches while bids come in: how long the slowest bid waits for its commit, with and without it.

The baseline is the same stream of bids without a backup. MATCHES_OF_BACKUP names another number than 100,000.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.clock import SystemClock, SystemEntropy
from bot.referee.referee import Referee
from data.store import SqliteStore
from tests.bench.shapes import person_id
from tests.bench.stored import fill, match_id

MATCHES = int(os.environ.get("MATCHES_OF_BACKUP", "100000"))
BIDS = 300
"""a second"""

QUIET = 10.0
"""seconds of bids without a backup, before it"""


def run() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        database = Path(folder) / "gops.sqlite3"
        fill(database, MATCHES)
        database.chmod(0o600)
        size = database.stat().st_size
        print(f"{MATCHES} matches that have just begun: {size / 1e6:.0f} MB, {size / MATCHES:.0f} B each")
        asyncio.run(measure(database))


async def measure(database: Path) -> None:
    async with await SqliteStore.open(database) as store:
        referee = Referee(store, SystemClock(), SystemEntropy())
        stop, numbers = asyncio.Event(), iter(range(MATCHES))
        waiting = asyncio.get_running_loop().call_later(QUIET, stop.set)
        tell("without", await bids(referee, stop, numbers))
        waiting.cancel()
        stop = asyncio.Event()
        streaming = asyncio.create_task(bids(referee, stop, numbers))
        began = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "backup", "--to", str(database.parent / "backups")),
            env={**os.environ, "GOPS_DATABASE": str(database), "DISCORD_TOKEN": ""},
        )
        assert await process.wait() == 0
        took = time.perf_counter() - began
        stop.set()
        tell(f"during a backup of {took:.1f} s", await streaming)


def tell(name: str, taken: list[float]) -> None:
    figures = statistics.median(taken), sorted(taken)[int(len(taken) * 0.99)], max(taken)
    half, late, most = (f"{one * 1e3:.1f} ms" for one in figures)
    print(f"{name:<28} {len(taken)} bids, median {half}, 99 of 100 {late}, slowest {most}")


async def bids(referee: Referee, stop: asyncio.Event, numbers: Iterator[int], a_second: int = BIDS) -> list[float]:
    """Each in another match, as many a second as there are to be."""
    taken: list[float] = []

    async def bid(number: int) -> None:
        began = time.perf_counter()
        await referee.matches.seal(match_id(number), person_id(number, 0), 0, number % 13 + 1, referee.clock.now())
        taken.append(time.perf_counter() - began)

    start, sent = time.perf_counter(), 0
    async with asyncio.TaskGroup() as group:
        while not stop.is_set():
            while sent < (time.perf_counter() - start) * a_second:
                group.create_task(bid(next(numbers)))
                sent += 1
            await asyncio.sleep(1 / a_second)
    return taken
