"""Bids by HTTP through one, two and three workers on PostgreSQL, beside the single process on SQLite: how many a
second, how long they take, and what a bid costs each part in CPU.

The generator signs and sends them as Discord does, so many unanswered at a time, to one worker after the other. CPU is
read when the last one is answered and again when everything that follows is done: the keeper's share is nearly all in
that. PostgreSQL flushes each commit, as in earnest. MATCHES and ROUNDS in the environment change the size, and
WORKERS="0 3" measures only these.
"""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import asyncpg
from nacl.signing import SigningKey

from data.moving import move, named
from data.sqlite.migrate import load as migrations
from data.sqlite.migrate import migrate
from tests import postgres
from tests.bench.generator import App, Heat, ok
from tests.bench.load import Bot as Measured
from tests.bench.load import Machine, come, keys
from tests.bench.processes import TICKS, Process
from tests.bench.shapes import CHANNEL, Paper, application, board_id, console_id, dm_id, person_id, written
from tests.bench.stored import fill, match_id
from tests.bench.wire import Discord, listening
from tests.operate.ports import free_port

MATCHES = int(os.environ.get("MATCHES", "400"))
PRESSED = min(200, MATCHES)
ROUNDS = int(os.environ.get("ROUNDS", "4"))
AT_ONCE = int(os.environ.get("AT_ONCE", "32"))
COUNTS = tuple(map(int, os.environ.get("WORKERS", "0 1 2 3").split()))
KEY = SigningKey(bytes(32))
READY = "this worker answers"
BEHIND = "SELECT count(*) FROM surfaces WHERE state = 'live' AND shown < wanted"


class HttpApp(App):
    """Its presses go by HTTP, signed, to one address after the other."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name, number)
        self.session: aiohttp.ClientSession | None = None
        self.addresses: list[str] = []
        self._turn = 0
        self._posts: set[asyncio.Task[None]] = set()

    def tell(self, event: str, data: bytes) -> None:
        if event != "INTERACTION_CREATE":
            super().tell(event, data)
            return
        task = asyncio.get_running_loop().create_task(self._post(data))
        self._posts.add(task)
        task.add_done_callback(self._posts.discard)

    def other(self, method: str, path: str, body: bytes) -> bytes:
        if (method, path.removeprefix("oauth2/")) == ("GET", "applications/@me"):
            return ok(written({**application(self.user), "verify_key": KEY.verify_key.encode().hex()}))
        return super().other(method, path, body)

    async def _post(self, data: bytes) -> None:
        assert self.session is not None
        stamp = str(int(time.time()))
        signed = KEY.sign(stamp.encode() + data).signature.hex()
        headers = {"X-Signature-Timestamp": stamp, "X-Signature-Ed25519": signed, "Content-Type": "application/json"}
        self._turn += 1
        address = self.addresses[self._turn % len(self.addresses)]
        token = data.partition(b'"token":"')[2].partition(b'"')[0]
        async with self.session.post(address, data=data, headers=headers) as answer:
            told = await answer.read()
            if answer.status == 200 and told.startswith(b'{"type":7'):
                self.callback(token, told, False)
            elif answer.status != 202:
                self.unknown[f"answered {answer.status} {told[:90]!r}"] += 1
                self.put_off(token)


@dataclass
class Setup:
    """What is measured together."""

    name: str
    app: HttpApp
    parts: dict[str, list[Process]]
    database: Path | None = None
    server: postgres.Server | None = None
    address: str = ""

    def cpu(self) -> dict[str, float]:
        """Seconds so far, by part."""
        spent = {part: sum(one.cpu for one in those) for part, those in self.parts.items()}
        return spent if self.server is None else {**spent, "postgres": cpu_of(self.server)}

    async def count(self, sql: str) -> int:
        if self.database is not None:
            with closing(sqlite3.connect(self.database)) as connection:
                return int(connection.execute(sql).fetchone()[0])
        link = await asyncpg.connect(self.address)
        try:
            return int(await link.fetchval(sql))
        finally:
            await link.close()

    async def quiet(self) -> None:
        before = -1
        while (calls := self.app.calls.total()) != before or await self.count(BEHIND):
            before = calls
            await asyncio.sleep(1.0)

    async def stop(self) -> None:
        await asyncio.gather(*(one.stop() for those in self.parts.values() for one in those))


def cpu_of(server: postgres.Server) -> float:
    """Seconds of the server and of whatever serves its connections; those that ended count with it."""
    whole = int((server.folder / "data" / "postmaster.pid").read_text().split("\n", 1)[0])
    spent = 0
    for one in Path("/proc").glob("[0-9]*"):
        try:
            fields = _fields(one)
        except OSError:
            continue
        if int(one.name) == whole:
            spent += sum(fields[11:15])
        elif fields[1] == whole:
            spent += sum(fields[11:13])
    return spent / TICKS


def _fields(process: Path) -> list[int]:
    """What stands behind the name of a process: its parent at 1, its ticks at 11 and 12, its children's after these."""
    state, *numbers = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return [ord(state[0]), *map(int, numbers)]


def run() -> None:
    asyncio.run(measure())


async def measure() -> None:
    async with (
        prepared("heats") as (folder, filled, server),
        listening() as discord,
        aiohttp.ClientSession() as session,
    ):
        for workers in COUNTS:
            async with begun(discord, folder, filled, server, workers) as setup:
                setup.app.session = session
                await heats(setup)


@asynccontextmanager
async def prepared(rounds: str) -> AsyncGenerator[tuple[Path, Path, postgres.Server]]:
    """A folder, a database of SQLite with live matches in it, and a PostgreSQL that keeps what it was told."""
    print(f"{MATCHES} live matches, {PRESSED} pressed in a heat, {AT_ONCE} presses unanswered at a time")
    print(f"{ROUNDS} {rounds}")
    server = postgres.started()
    try:
        with tempfile.TemporaryDirectory() as place:
            filled = Path(place) / "filled.sqlite3"
            fill(filled, MATCHES)
            with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
                migrate(connection, migrations())
            await durable(server)
            yield Path(place), filled, server
    finally:
        server.end()


async def durable(server: postgres.Server) -> None:
    """The tests' server loses what a crash of the machine would lose; this one does not."""
    link = await asyncpg.connect(server.address("postgres"))
    for setting in ("fsync", "full_page_writes"):
        await link.execute(f"ALTER SYSTEM SET {setting} = on")
    await link.close()
    server.stop()
    server.control("-w", "-l", str(server.folder / "log"), "-o", f"-k {server.folder} -c listen_addresses=''", "start")


@asynccontextmanager
async def begun(
    discord: Discord,
    folder: Path,
    filled: Path,
    server: postgres.Server,
    workers: int,
) -> AsyncGenerator[Setup]:
    """The single process on a file of its own, or a keeper and so many workers on a database of theirs."""
    name = "workers" + str(workers) if workers else "single"
    app = HttpApp(name, len(discord.by_token) + 1)
    discord.by_token[name] = discord.by_id[str(app.id).encode()] = app
    for number in range(MATCHES):
        for seat in (0, 1):
            shown = keys(f"g1:co:{match_id(number)}:0")
            app.add(Paper(console_id(number, seat), dm_id(number, seat), person_id(number, seat), shown))
        app.add(Paper(board_id(number), CHANNEL, 0, keys("g1:bd")))
    settings = {"GOPS_LOG": "json", "GOPS_FACES": "off", "GOPS_PICTURES": "off", "GOPS_LISTEN": str(free_port())}
    if not workers:
        database = folder / "single.sqlite3"
        shutil.copyfile(filled, database)
        bot = await come(discord, app, ["bot", "run"], folder, None, {**settings, "GOPS_DATABASE": str(database)})
        app.addresses = [f"http://127.0.0.1:{settings['GOPS_LISTEN']}/"]
        setup = Setup(name, app, {"bot": [bot]}, database=database)
    else:
        address = server.address(name)
        link = await asyncpg.connect(server.address("postgres"))
        await link.execute(f"CREATE DATABASE {name}")
        await link.close()
        await move(named(filled), named(address), lambda *_: None)
        settings["GOPS_DATABASE"] = address
        keeper = await come(discord, app, ["bot", "run", "--role", "keeper"], folder, None, settings)
        setup = Setup(name, app, {"keeper": [keeper], "workers": []}, server=server, address=address)
        for number in range(workers):
            port = free_port()
            told = {"DISCORD_TOKEN": name, "DISCORD_API_URL": f"{discord.address}/api/v10", **settings}
            log = folder / f"{name}-{number}.log"
            worker = await Process.start(
                *("bot", "run", "--role", "worker"), log=log, home=None, **{**told, "GOPS_LISTEN": str(port)}
            )
            setup.parts["workers"].append(worker)
            app.addresses.append(f"http://127.0.0.1:{port}/")
            async with asyncio.timeout(60):
                while READY not in log.read_text(encoding="utf-8"):  # noqa: ASYNC110 - a file tells nobody
                    await asyncio.sleep(0.05)
    try:
        await setup.quiet()
        yield setup
    finally:
        await setup.stop()


@dataclass
class Taken:
    """What one heat took."""

    rate: float
    """bids a second"""
    late: float
    cost: dict[str, float]
    """milliseconds of CPU a bid, by part, until the last one was answered"""
    whole: dict[str, float]
    """the same until all that follows was done"""
    others: float
    """cores that other programs had"""

    @property
    def together(self) -> float:
        return sum(self.whole.values())


async def heats(setup: Setup) -> None:
    taken = [await heat(setup, number) for number in range(ROUNDS + 1)]
    tell(setup, taken[1:])  # the first one warms up


async def heat(setup: Setup, number: int) -> Taken:
    app = setup.app
    app.read()
    chosen = [(number * PRESSED + place) % MATCHES for place in range(PRESSED)]
    hands = [(app.papers[console_id(match, seat)], person_id(match, seat)) for seat in (0, 1) for match in chosen]
    measured: Sequence[Measured] = ()
    machine, before = Machine.now(measured), setup.cpu()
    gc.disable()
    try:
        seconds, answers = await app.press(hands, "g1:co:", AT_ONCE)
    finally:
        gc.enable()
    answered = setup.cpu()
    others = Machine.now(measured).since(machine)
    await setup.quiet()
    done = setup.cpu()
    bids = len(answers.milliseconds)
    if number and bids < len(hands):
        print(f"  {setup.name}: {len(hands) - bids} of {len(hands)} not answered")
    return Taken(
        bids / seconds,
        late(answers),
        {part: (answered[part] - before[part]) / bids * 1000 for part in before},
        {part: (done[part] - before[part]) / bids * 1000 for part in before},
        others,
    )


def tell(setup: Setup, taken: Sequence[Taken]) -> None:
    for call, count in setup.app.unknown.items():
        print(f"  {setup.name}: {count} times {call}")
    costs = {part: median([one.cost[part] for one in taken]) for part in taken[0].cost}
    wholes = {part: median([one.whole[part] for one in taken]) for part in costs}
    parts = ", ".join(f"{part} {cost:.2f} (in all {wholes[part]:.2f})" for part, cost in costs.items())
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    rates = [one.rate for one in taken]
    print(
        f"{setup.name:<9}{median(rates):6.0f} bids a second ({min(rates):.0f} to {max(rates):.0f}),"
        f" p99 {median([one.late for one in taken]):.0f} ms; CPU ms a bid: {parts};"
        f" load average {load}, all programs {median([one.others for one in taken]):.1f} cores",
        flush=True,
    )


def late(heat: Heat) -> float:
    """Milliseconds within which 99 of 100 were answered."""
    return sorted(heat.milliseconds)[int(0.99 * (len(heat.milliseconds) - 1))]


def median(of: Sequence[float]) -> float:
    return statistics.median(of)
