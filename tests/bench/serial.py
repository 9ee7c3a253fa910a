"""The parts of a fleet that work one thing after the other, each alone at full rate: what ends first when bids grow.

The loop of one process, on a file and on a server: with so many presses unanswered (AT_ONCE) that it is never idle. The
reader of one shard: a process that forwards each press, because the other one owns its match. The writer of PostgreSQL:
the store of one process seals and saves bids of many matches at once, with each commit flushed. A second of CPU of a
part is what it can take at most: bids are counted for each. MATCHES and ROUNDS change the size.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg

from bot.playground.postgres import Server
from bot.referee.model.partitions import partition_of
from data.postgres.database import PostgresDatabase
from data.store import SqlStore
from tests.bench.fleet import (
    MATCHES,
    Fleet,
    fill_server,
    quiet,
    run_on_server,
    run_program,
    server_cpu,
    start_fleet,
)
from tests.bench.generator import App
from tests.bench.load import AT_ONCE, FILL
from tests.bench.processes import Process
from tests.bench.shapes import console_id, person_id
from tests.bench.store import put_matches, rate
from tests.bench.stored import match_id
from tests.bench.wire import Discord, listening
from tests.operate.ports import free_port

ROUNDS = min(int(os.environ.get("ROUNDS", "5")), 11)
PRESSED = min(300, MATCHES // 3)
TOGETHER = (1, 8, 64, 256)
"""how many matches the writer is asked to save at once"""
OWNERS = "SELECT partition, address FROM partitions JOIN processes ON id = owner"


def run() -> None:
    run_on_server(measure)


async def measure(folder: Path, server: Server) -> None:
    async with listening() as discord:
        file = folder / "file.sqlite3"
        await run_program("-c", FILL, str(file), str(MATCHES), "fill")
        async with started(discord, folder, "file", str(file), [""]) as fleet:
            await measure_loop(fleet)
        address = await fill_server(folder, server, "loop")
        async with started(discord, folder, "server", address, free_peers(1)) as fleet:
            await measure_loop(fleet)
        address = await fill_server(folder, server, "reader")
        peers = free_peers(2)
        async with started(discord, folder, "reader", address, peers) as fleet:
            await measure_reader(fleet, peers, address)
    await measure_writer(server)


def free_peers(count: int) -> list[str]:
    return [f"127.0.0.1:{free_port()}" for _ in range(count)]


@asynccontextmanager
async def started(
    discord: Discord, folder: Path, name: str, address: str, peers: Sequence[str]
) -> AsyncGenerator[Fleet]:
    settings = [{"GOPS_DATABASE": address} | ({"GOPS_PEER": peer} if peer else {}) for peer in peers]
    fleet = await start_fleet(discord, folder, name, settings)
    try:
        yield fleet
    finally:
        await asyncio.gather(*(process.stop() for process in fleet.processes))


async def measure_loop(fleet: Fleet) -> None:
    """One process on a store: presses until it can answer no faster."""
    [process] = fleet.processes
    found = [await one_heat(fleet.app, process, range(MATCHES), number) for number in range(ROUNDS + 1)][1:]
    tell(f"loop of one process on a {fleet.name}", "bids", found)


async def measure_reader(fleet: Fleet, peers: Sequence[str], address: str) -> None:
    """Two processes, and presses by one shard: on matches of the process that does not connect it."""
    connection = await asyncpg.connect(address)
    try:
        owner: dict[int, str] = dict(await connection.fetch(OWNERS))
    finally:
        await connection.close()
    theirs = [number for number in range(MATCHES) if owner[partition_of(match_id(number))] != owner[0]]
    fleet.app.only_shard = 0
    reader = fleet.processes[peers.index(owner[0])]
    found = [await one_heat(fleet.app, reader, theirs, number) for number in range(ROUNDS + 1)][1:]
    tell("reader of one shard, which forwards", "presses", found)


Rates = tuple[float, float]
"""presses a second, and presses for a second of CPU"""


async def one_heat(app: App, process: Process, matches: Sequence[int], number: int) -> Rates:
    """Play a round of some matches, all at full rate."""
    app.read()
    chosen = [matches[(number * PRESSED + place) % len(matches)] for place in range(min(PRESSED, len(matches)))]
    seats = [(match, seat) for seat in (0, 1) for match in chosen]
    papers = [(app.papers[console_id(*each)], person_id(*each)) for each in seats]
    cpu = process.cpu
    seconds, heat = await app.press(papers, "g1:co:", AT_ONCE)
    await quiet(app)
    pressed = len(heat.milliseconds)
    if failed := len(papers) - pressed:
        print(f"presses without an answer in time: {failed}")
    return pressed / seconds, pressed / (process.cpu - cpu)


async def measure_writer(server: Server) -> None:
    connection = await asyncpg.connect(server.address())
    try:
        await connection.execute("CREATE DATABASE writer")
    finally:
        await connection.close()
    database, leases = await PostgresDatabase.join(server.address("writer"), "127.0.0.1:1")
    async with database:
        await leases.acquire()
        store = SqlStore(database)
        await put_matches(store, max(TOGETHER))
        for together in TOGETHER:
            found: list[Rates] = []
            for _ in range(ROUNDS):
                cpu, began = server_cpu(server), time.perf_counter()
                each = await rate(store, together)
                used = (server_cpu(server) - cpu) / (time.perf_counter() - began)
                found.append((each, each / used))
            tell(f"writer of PostgreSQL, {together} at once", "seals", found)


def tell(part: str, what: str, found: Sequence[Rates]) -> None:
    """Print the medians."""
    rates, limits = ([each[place] for each in found] for place in (0, 1))
    low, high = min(limits), max(limits)
    print(
        f"{part}: {statistics.median(rates):.0f} {what} a second,"
        f" {statistics.median(limits):.0f} for a second of its CPU ({low:.0f} to {high:.0f})",
        flush=True,
    )
