"""CPU of a bid when two bots, or eight, share nothing but the machine and its PostgreSQL server: a control for `fleet`.

Each is one process with a database of its own. All eight run all the time. In each round (ROUNDS) the same number of
presses a second goes to two of them, and to all eight. So what eight take more than two is not for leases, partitions
or forwarding, but because eight programs take turns on this machine.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.playground.postgres import Server
from tests.bench.fleet import (
    MATCHES,
    PRESSED,
    RATE,
    ROUNDS,
    SERVER,
    Fleet,
    Idle,
    fill_server,
    measure_idle,
    quiet,
    run_on_server,
    server_cpu,
    start_fleet,
)
from tests.bench.shapes import console_id, person_id
from tests.bench.wire import Discord, listening

FEW, ALL = 2, 8
Used = tuple[float, float]
"""CPU seconds of the bots, and of the server"""


def run() -> None:
    run_on_server(measure)


async def measure(folder: Path, server: Server) -> None:
    bots: list[Fleet] = []
    async with listening() as discord:
        try:
            while len(bots) < ALL:
                await start(bots, discord, folder, server)
            await press(bots, server)
        finally:
            await asyncio.gather(*(bot.processes[0].stop() for bot in bots))


async def start(bots: list[Fleet], discord: Discord, folder: Path, server: Server) -> None:
    """Start one more bot."""
    name = f"apart{len(bots)}"
    database = await fill_server(folder, server, name)
    bots.append(await start_fleet(discord, folder, name, [{"GOPS_DATABASE": database}]))


async def press(bots: Sequence[Fleet], server: Server) -> None:
    print(f"{2 * PRESSED} presses in a heat, {RATE:g} a second for all bots together")
    turns, rounds = Counter[str](), list[dict[int, float]]()
    for count in (ALL, FEW):
        await one_heat(bots, server, count, turns, {})
    for number in range(ROUNDS):
        idle = await measure_idle(bots, server)
        found = dict[int, float]()
        for count in (FEW, ALL) if number % 2 else (ALL, FEW):
            own, its = await one_heat(bots, server, count, turns, idle)
            found[count] = own + its
            print(f"  {count} bots: cpu a bid {own + its:5.2f} ms, of these the server {its:4.2f}", flush=True)
        rounds.append(found)
    ratios = sorted(each[ALL] / each[FEW] for each in rounds)
    print(f"{ALL} / {FEW}: {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def used(bots: Sequence[Fleet], server: Server) -> Used:
    return sum(bot.cpu() for bot in bots), server_cpu(server)


async def one_heat(bots: Sequence[Fleet], server: Server, count: int, turns: Counter[str], idle: Idle) -> Used:
    """Press on some bots at once. Return CPU milliseconds for a bid."""
    before, began = used(bots, server), time.perf_counter()
    shares = [PRESSED // count + (place < PRESSED % count) for place in range(count)]
    bids = sum(await asyncio.gather(*(play(bot, share, turns) for bot, share in zip(bots, shares, strict=False))))
    for bot in bots:
        await quiet(bot.app)
    seconds, (own, its) = time.perf_counter() - began, used(bots, server)
    if failed := 2 * PRESSED - bids:
        print(f"presses without an answer in time: {failed}")
    own -= before[0] + seconds * sum(idle.get(bot.name, 0.0) for bot in bots)
    its -= before[1] + seconds * idle.get(SERVER, 0.0)
    return own / bids * 1000, its / bids * 1000


async def play(bot: Fleet, share: int, turns: Counter[str]) -> int:
    """Play a round of the next matches of a bot. Return how many presses were answered."""
    app, first = bot.app, turns[bot.name]
    turns[bot.name] += share
    app.read()
    seats = [((first + place) % MATCHES, seat) for seat in (0, 1) for place in range(share)]
    papers = [(app.papers[console_id(*each)], person_id(*each)) for each in seats]
    _, heat = await app.press(papers, "g1:co:", 0, RATE * share / PRESSED)
    return len(heat.milliseconds)
