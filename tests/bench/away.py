"""Giving time back to many live matches: an absence of 5 s and one of 60 s, on SQLite and on PostgreSQL.

After that the messages are marked as behind, which other changes do not wait for; told are all of it and its longest
transaction.

MATCHES names the number of live matches, each with a board, two consoles, a clock, its warning and its nudge.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import DeadlineKind
from bot.referee.repository.surfaces import Surfaces
from data.store import SqlStore
from tests import postgres
from tests.bench.measure import row
from tests.data import examples as ex
from tests.postgres import PostgresStore
from tests.sqlite_store import SqliteStore

MATCHES = int(os.environ.get("MATCHES", "20000"))
RUNS = 5
KINDS = (DeadlineKind.BID, DeadlineKind.WARNING, DeadlineKind.NUDGE)


def run() -> None:
    asyncio.run(measure())


async def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with await SqliteStore.open(Path(folder) / "gops.sqlite3") as store:
            await measure_store("SQLite", store)
    server = postgres.started()
    try:
        async with await PostgresStore.open(await postgres.emptied(server)) as store:
            await measure_store("PostgreSQL", store)
    finally:
        server.end()


async def measure_store(name: str, store: SqlStore[Any]) -> None:
    await fill(store)
    for seconds, unseen in ((5, True), (60, False)):
        taken: list[float] = []
        for _ in range(RUNS):
            start = time.perf_counter()
            await store.write((c.ShiftDeadlines(timedelta(seconds=seconds), unseen=unseen), c.Heartbeat(ex.NOW)))
            taken.append(time.perf_counter() - start)
        row(f"{name}, {MATCHES} live: give {seconds} s back", taken)
    parts: list[float] = []
    write = store.write

    async def timed(change: c.Change) -> Sequence[int]:
        start = time.perf_counter()
        try:
            return await write(change)
        finally:
            parts.append(time.perf_counter() - start)

    store.write = timed
    start = time.perf_counter()
    await Surfaces(store).mark_behind()
    whole = time.perf_counter() - start
    print(
        f"{name}: all messages marked after {whole:.2f} s, the longest of {len(parts)} writes {max(parts) * 1e3:.1f} ms"
    )


async def fill(store: SqlStore[Any]) -> None:
    """Shown as they are."""
    for first in range(0, MATCHES, 500):
        change: list[c.Step] = []
        for number in range(first, min(first + 500, MATCHES)):
            id = f"M{number}"
            change.append(c.NewMatch(ex.match(id)))
            change += [c.PutSurface(ex.surface(id, user=user, shown=1)) for user in (0, ex.ANA, ex.BEN)]
            change += [c.SetDeadline(ex.deadline(id, kind, 60)) for kind in KINDS]
        await store.write(tuple(change))
