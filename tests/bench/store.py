"""The store on a file: reading a match, and writing alone and together.

The baseline is one flush to the same disk, which no durable write can do without. PATH_OF_STORE names another folder.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import StoredDeal
from data.store import SqlStore
from tests.bench.measure import row, seconds
from tests.data import examples as ex
from tests.sqlite_store import SqliteStore

MATCHES = 200


def run() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        baseline = row("append 4 kB and flush it", seconds(Flush(Path(folder) / "flush"), 300))
        asyncio.run(measure(Path(folder) / "gops.sqlite3", baseline))


class Flush:
    def __init__(self, path: Path) -> None:
        self.file = path.open("ab", buffering=0)

    def __call__(self) -> None:
        self.file.write(b"x" * 4096)
        os.fdatasync(self.file.fileno())


async def measure(path: Path, baseline: float) -> None:
    async with await SqliteStore.open(path) as store:
        await put_matches(store, MATCHES)

        async def read() -> None:
            assert await store.match("M7") is not None

        row("read a match of 24 decisions", await times(read, 2000), baseline)
        row("a round trip to the reader's thread", await times(lambda: store.note("none"), 2000), baseline)
        version = 1

        async def write() -> None:
            nonlocal version
            await store.write(
                (
                    c.PutSeal("M7", 1, ex.seal()),
                    c.SaveMatch(ex.match("M7", version=version + 1), version),
                    c.SetDeadline(ex.deadline("M7", due=version)),
                )
            )
            version += 1

        alone = await times(write, 500)
        row("write a sealed bid, alone", alone, baseline)
        print(f"  {len(alone) / sum(alone):8.0f} a second")
        for together in (10, 50, 200):
            found = await rate(store, together)
            print(f"  {found:8.0f} a second, {together} at once: {found * baseline:.1f} times one flush for each")


async def put_matches(store: SqlStore[Any], count: int) -> None:
    """Store so many live matches, each with 24 decisions, a sealed bid, a board and two consoles."""
    for number in range(count):
        id = f"M{number}"
        deals = (StoredDeal(0, {"stock": list(range(13)), "hands": [list(range(13))] * 2}, ex.decisions(24)),)
        match = ex.match(id, deals=deals, sealed=(ex.seal(),))
        surfaces = [c.PutSurface(ex.surface(id, user=user)) for user in (0, ex.ANA, ex.BEN)]
        await store.write((c.NewMatch(match), *surfaces))


async def times(work: Callable[[], Awaitable[object]], runs: int) -> list[float]:
    taken: list[float] = []
    for _ in range(runs):
        start = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - start)
    return taken


async def rate(store: SqlStore[Any], together: int, duration: float = 2) -> float:
    """Writes a second, when so many matches write as fast as they are answered."""
    end = time.perf_counter() + duration
    done = 0

    async def play(id: str) -> None:
        nonlocal done
        match = await store.match(id)
        assert match is not None
        version = match.version
        while time.perf_counter() < end:
            seal = c.PutSeal(id, 1, ex.seal())
            await store.write((seal, c.SaveMatch(ex.match(id, version=version + 1), version)))
            version += 1
            done += 1

    start = time.perf_counter()
    await asyncio.gather(*(play(f"M{number}") for number in range(together)))
    return done / (time.perf_counter() - start)
