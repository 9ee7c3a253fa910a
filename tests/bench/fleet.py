"""CPU of a bid when processes share the matches on one PostgreSQL server, beside one process on a SQLite file.

The bots are one process on a file (one), and 1, 2, 4 and 8 processes on a server that flushes each commit to the disk.
Each has as many shards as processes, and a press comes by any shard, so most presses are forwarded. All get the same
number of presses each second (RATE), and take turns in each round (ROUNDS). The CPU that everything takes while nobody
presses is measured in each round, and subtracted. MATCHES changes the size.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from bot.playground.postgres import SETTINGS, Server, find_programs, start_server
from bot.referee.model.partitions import PARTITIONS
from tests.bench.generator import App
from tests.bench.load import COME, FILL, keys, put_papers
from tests.bench.processes import TICKS, Process
from tests.bench.shapes import console_id, person_id
from tests.bench.stored import match_id
from tests.bench.wire import Discord, listening
from tests.operate.ports import free_port

SIZES = (1, 2, 4, 8)
MATCHES = int(os.environ.get("MATCHES", "1000"))
ROUNDS = min(int(os.environ.get("ROUNDS", "9")), 11)
"""A match of 13 cards has 12 rounds with a choice, and one heat is to warm up."""
RATE = float(os.environ.get("RATE", "60"))
PRESSED = min(150, MATCHES)
"""Matches of a heat: both seats of each bid."""

DURABLE = {
    **SETTINGS,
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "shared_buffers": "256MB",
    "max_connections": "400",
}
ONE = "one"
"""name of the process on a file"""
SERVER = "server"
SHARES = "SELECT count(*) FROM partitions WHERE owner <> 0 GROUP BY owner"
BEGUN = "in all"
"""words of the log of a process that has begun with partitions"""


@dataclass(frozen=True, slots=True)
class Fleet:
    """The processes of one bot."""

    name: str
    app: App
    processes: Sequence[Process]

    def cpu(self) -> float:
        return sum(process.cpu for process in self.processes)


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds of a bid, and its time."""

    processes: float
    server: float
    late: float
    """99th percentile of the time until the answer, in milliseconds"""
    failed: int

    @property
    def whole(self) -> float:
        return self.processes + self.server


Round = dict[str, Cost]


def run() -> None:
    run_on_server(measure)


def run_on_server(measure: Callable[[Path, Server], Coroutine[Any, Any, None]]) -> None:
    """Measure in a folder of its own, on a server that flushes each commit to the disk."""
    programs = find_programs()
    if programs is None:
        raise SystemExit("there is no PostgreSQL server on this machine")
    server = start_server(programs, DURABLE)
    try:
        with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
            asyncio.run(measure(Path(folder), server))
    finally:
        server.end()


async def measure(folder: Path, server: Server) -> None:
    print(f"{MATCHES} live matches, {2 * PRESSED} presses in a heat, {RATE:g} a second")
    async with listening() as discord, started(discord, folder, server) as fleets:
        for fleet in fleets:
            await one_heat(fleet, server, 0, {})
        rounds: list[Round] = []
        for number in range(1, ROUNDS + 1):
            idle = await measure_idle(fleets, server)
            turn = number % len(fleets)
            found: Round = {}
            for fleet in [*fleets[turn:], *fleets[:turn]]:  # nobody always comes first
                cost = found[fleet.name] = await one_heat(fleet, server, number, idle)
                print(
                    f"  {fleet.name:<4} cpu a bid {cost.whole:5.2f} ms, of these the server {cost.server:4.2f}"
                    f"  p99 {cost.late:5.1f} ms  failed {cost.failed}",
                    flush=True,
                )
            rounds.append(found)
        sum_up([fleet.name for fleet in fleets], rounds)


# --- the bots ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def started(discord: Discord, folder: Path, server: Server) -> AsyncGenerator[list[Fleet]]:
    fleets: list[Fleet] = []
    try:
        file = folder / "one.sqlite3"
        await run_program("-c", FILL, str(file), str(MATCHES), "fill")
        fleets.append(await start_fleet(discord, folder, ONE, [{"GOPS_DATABASE": str(file)}]))
        for size in SIZES:
            address = await fill_server(folder, server, f"fleet{size}")
            peers = [{"GOPS_PEER": f"127.0.0.1:{free_port()}"} for _ in range(size)]
            settings = [{"GOPS_DATABASE": address, **each} for each in peers]
            fleets.append(await start_fleet(discord, folder, str(size), settings))
        yield fleets
    finally:
        await asyncio.gather(*(process.stop() for fleet in fleets for process in fleet.processes))


async def start_fleet(discord: Discord, folder: Path, name: str, settings: Sequence[dict[str, str]]) -> Fleet:
    app = discord.app(name)
    app.shards = len(settings)
    for number in range(MATCHES):
        put_papers(app, number, [keys(f"g1:co:{match_id(number)}:0")] * 2, keys("g1:bd"))
    common = {
        "DISCORD_TOKEN": name,
        "DISCORD_API_URL": f"{discord.address}/api/v10",
        "GOPS_LOG": "json",
        "GOPS_FACES": "off",
        "GOPS_SHARDS": str(app.shards),
    }
    fleet = Fleet(name, app, processes := list[Process]())
    try:
        for number, each in enumerate(settings):
            log = folder / f"{name}-{number}.log"
            processes.append(await Process.start("bot", "run", log=log, home=None, **common, **each))
            if "GOPS_PEER" in each:
                await until_shared(each["GOPS_DATABASE"], processes, log)
        await asyncio.wait_for(app.ready.wait(), COME)
    except BaseException:
        await asyncio.gather(*(process.stop() for process in processes))
        raise
    return fleet


async def until_shared(address: str, processes: Sequence[Process], log: Path) -> None:
    """Wait until each process owns its share. A log does not tell that: what a process hands over is not in it."""
    connection = await asyncpg.connect(address)
    try:
        async with asyncio.timeout(COME):
            while not await is_shared(connection, len(processes)) or BEGUN not in read_log(log):
                if any(process.process.returncode is not None for process in processes):
                    raise SystemExit(f"a process ended; the log of the last one:\n{read_log(log)[-2000:]}")
                await asyncio.sleep(0.1)
    finally:
        await connection.close()


def read_log(log: Path) -> str:
    return log.read_text(encoding="utf-8")


async def is_shared(connection: asyncpg.Connection, size: int) -> bool:
    """Return True if so many processes own all partitions, each as many as any other or one more."""
    counts = [count for (count,) in await connection.fetch(SHARES)]
    return (len(counts), sum(counts)) == (size, PARTITIONS) and max(counts) - min(counts) <= 1


async def fill_server(folder: Path, server: Server, name: str) -> str:
    """Fill a database of the server with the same matches."""
    connection = await asyncpg.connect(server.address())
    try:
        await connection.execute(f"CREATE DATABASE {name}")
    finally:
        await connection.close()
    file, address = folder / f"{name}.sqlite3", server.address(name)
    await run_program("-c", FILL, str(file), str(MATCHES), "fill")
    await run_program("-m", "bot", "move", str(file), address, "--env", os.devnull)
    return address


async def run_program(*arguments: str) -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.DEVNULL)
    if code := await process.wait():
        raise SystemExit(f"{' '.join(arguments[:3])} ended with exit code {code}")


# --- heats ------------------------------------------------------------------------------------------------


def server_cpu(server: Server) -> float:
    """Return the CPU seconds of the server so far, with all its processes."""
    first = int((server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = stat.read_text(encoding="utf-8").partition(" (")
        except (FileNotFoundError, ProcessLookupError):  # it has just ended, and its parent counts it
            continue
        fields = rest.rpartition(")")[2].split()
        if int(pid) == first:
            ticks += sum(map(int, fields[11:15]))  # with those of its processes that ended
        elif int(fields[1]) == first:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


Idle = dict[str, float]
"""CPU seconds a second while nobody presses, of each bot and of the server."""


async def measure_idle(fleets: Sequence[Fleet], server: Server) -> Idle:
    meters: dict[str, Callable[[], float]] = {fleet.name: fleet.cpu for fleet in fleets}
    meters[SERVER] = lambda: server_cpu(server)
    before, began = {name: meter() for name, meter in meters.items()}, time.perf_counter()
    await asyncio.sleep(2 * PRESSED / RATE)
    seconds = time.perf_counter() - began
    idle = {name: (meter() - before[name]) / seconds for name, meter in meters.items()}
    print("  idle, cpu milliseconds a second: " + ", ".join(f"{name} {1000 * cpu:.0f}" for name, cpu in idle.items()))
    return idle


async def one_heat(fleet: Fleet, server: Server, number: int, idle: Idle) -> Cost:
    """Play a round of some matches: the first seats seal, then the others, which reveals. Wait until all is shown."""
    app = fleet.app
    app.read()
    chosen = [(number * PRESSED + place) % MATCHES for place in range(PRESSED)]
    seats = [(match, seat) for seat in (0, 1) for match in chosen]
    papers = [(app.papers[console_id(*each)], person_id(*each)) for each in seats]
    own, its, began = fleet.cpu(), server_cpu(server), time.perf_counter()
    _, heat = await app.press(papers, "g1:co:", 0, RATE)
    await quiet(app)
    seconds, bids = time.perf_counter() - began, len(heat.milliseconds)
    own, its = fleet.cpu() - own, server_cpu(server) - its
    own -= idle.get(fleet.name, 0.0) * seconds
    its -= idle.get(SERVER, 0.0) * seconds
    late = sorted(heat.milliseconds)[int(0.99 * (bids - 1))]
    return Cost(own / bids * 1000, 0.0 if fleet.name == ONE else its / bids * 1000, late, len(papers) - bids)


async def quiet(app: App) -> None:
    """Wait until the bot has made no call for a while."""
    before = -1
    while (calls := app.calls.total()) != before:
        before = calls
        await asyncio.sleep(1.5)


# --- the sum ----------------------------------------------------------------------------------------------


def sum_up(names: Sequence[str], rounds: list[Round]) -> None:
    print(f"medians of {len(rounds)} rounds")
    for name in names:
        whole = statistics.median(each[name].whole for each in rounds)
        server = statistics.median(each[name].server for each in rounds)
        print(f"  {name:<4} cpu a bid {whole:5.2f} ms, of these the server {server:4.2f}")
    print("ratios within a round: median (5% to 95%)")
    targets = {"2": "   (target: at most 1.75)"}
    pairs = [(name, ONE, targets.get(name, "")) for name in names[1:]]
    for one, other, target in [*pairs, ("8", "2", "   (target: at most 1.10)")]:
        ratios = sorted(each[one].whole / each[other].whole for each in rounds)
        low, high = ratios[int(0.05 * len(ratios))], ratios[min(len(ratios) - 1, int(0.95 * len(ratios)))]
        print(f"  {one} / {other}: {statistics.median(ratios):.2f} ({low:.2f} to {high:.2f}){target}")
