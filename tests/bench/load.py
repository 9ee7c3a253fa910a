"""Durable bids through gateway, referee and disk with many live matches, and what each costs in CPU.

Beside our bot, in the same run and in turns: ours with keys on the boards (table), which both seats press, eight boards
in a channel; a bot that only answers each press (bare), one that makes the same calls
and keeps nothing (floor), and with OLD=/path/to/checkout another version of ours. COLLECT=ours has the floor
collect garbage as seldom as ours does. MATCHES, ROUNDS and PATH_OF_STORE change the size and the disk.

CPU is read when the last press is answered, and again when everything that followed from the presses is done: consoles
of the other seats and boards may come later, but what they cost is part of a bid.

A round is one heat of each. It counts unless anybody else used the machine: if in one of its heats other programs and
other virtual machines had more than a tenth of a core, the whole round is out, whoever gained by it. The generator
(`generator`) is this process, and takes a small part of a core.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from data.sql.surfaces import select_behind
from tests.bench.generator import App
from tests.bench.processes import TICKS, Process
from tests.bench.shapes import CHANNEL, Json, Paper, board_id, console_id, dm_id, person_id
from tests.bench.stored import channel_of, match_id
from tests.bench.wire import Discord, listening

MATCHES = int(os.environ.get("MATCHES", "1000"))
PRESSED = min(320, MATCHES)
"""matches of a heat: both seats of each bid"""
ROUNDS = min(int(os.environ.get("ROUNDS", "5")), 11 * MATCHES // PRESSED)
"""a match of 13 cards has 12 rounds with a choice, and one heat is to warm up"""
OLD = Path(os.environ["OLD"]).resolve() if os.environ.get("OLD") else None
AT_ONCE = 32
OTHERS = 0.1
"""the share of a core that others may have"""
COME = 300.0
"""seconds within which a bot must have come"""


class Bot:
    """One of those measured, with the messages that can be pressed."""

    on_board = False
    """whether it is bid on the boards"""

    def __init__(self, app: App, process: Process, prefix: str, database: Path | None = None) -> None:
        self.name = app.name
        self.app = app
        self.process = process
        self.prefix = prefix
        self.database = database
        """where its bids are durable; None for one that keeps nothing"""

    def durable(self) -> int:
        """Bids that are on the disk, revealed or sealed."""
        return self._count("SELECT (SELECT count(*) FROM decisions) + (SELECT count(*) FROM seals)")

    def behind(self) -> int:
        """Messages that have yet to be brought up to date."""
        is_old = self._count("SELECT count(*) FROM pragma_table_info('surfaces') WHERE name = 'wanted'")
        noted = "SELECT id FROM surfaces WHERE state = 'live' AND shown < wanted"  # an older checkout
        return self._count(f"SELECT count(*) FROM ({noted if is_old else select_behind()})")

    def _count(self, query: str) -> int:
        if self.database is None:
            return 0
        with closing(sqlite3.connect(self.database)) as connection:
            return int(connection.execute(query).fetchone()[0])


@dataclass(frozen=True, slots=True)
class Heat:
    """Presses on one bot: how many were bids, how long it took, and what it cost."""

    bids: int
    seconds: float
    milliseconds: list[float]
    failed: int
    cpu: float
    """of the bot, in seconds, until the last press was answered"""
    whole: float
    """until everything was done"""
    generator: float
    """the share of a core that it had while it pressed"""
    others: float
    """what others had"""
    calls: Counter[str]

    @property
    def rate(self) -> float:
        return self.bids / self.seconds

    @property
    def each(self) -> float:
        """CPU milliseconds for a bid, until it is answered."""
        return self.cpu / self.bids * 1000

    @property
    def each_whole(self) -> float:
        """CPU milliseconds for a bid, with everything that follows from it."""
        return self.whole / self.bids * 1000

    def at(self, share: float) -> float:
        return sorted(self.milliseconds)[int(share * (len(self.milliseconds) - 1))]

    def line(self, name: str) -> str:
        calls = ", ".join(
            f"{self.calls[one] / self.bids:.2f} {one}" for one in ("callback", "by token", "further", "counted")
        )
        failed = f"  FAILED {self.failed}" if self.failed else ""
        return (
            f"  {name:<6}{self.rate:7.0f} a second  p50 {self.at(0.5):6.1f}  p99 {self.at(0.99):6.1f} ms"
            f"  cpu a bid {self.each:5.2f}, in all {self.each_whole:5.2f} ms"
            f"  generator {self.generator:3.0%}, others {self.others:3.0%} of a core"
            f"  ({calls}){failed}"
        )


Round = dict[str, Heat]


def run() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    print(f"{MATCHES} live matches, {PRESSED} of them pressed in a heat, {AT_ONCE} presses unanswered at a time")
    async with listening() as discord, _started(discord, folder) as bots:
        gc.collect()
        gc.freeze()
        rounds: list[Round] = []
        for number in range(ROUNDS):
            turn = number % len(bots)
            one: Round = {}
            for bot in [*bots[turn:], *bots[:turn]]:  # nobody always comes first
                one[bot.name] = await one_heat(bots, bot, number + 1)
                print(one[bot.name].line(bot.name), flush=True)
            if not _counts(one):
                print("  somebody else used the machine: this round does not count")
            rounds.append(one)
        _sum_up([bot.name for bot in bots], rounds)
        for app in discord.by_token.values():
            for call, count in app.unknown.items():
                print(f"{app.name} made {count} calls that the generator does not know: {call}")


# --- the bots ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def _started(discord: Discord, folder: Path) -> AsyncGenerator[list[Bot]]:
    """All of them, connected and warm. The plain ones draw what ours drew."""
    bots: list[Bot] = []
    try:
        bots.append(await keeping_bot(discord, folder, "ours", None))
        if OLD is not None:
            bots.append(await keeping_bot(discord, folder, "old", OLD))
        bots.append(await keeping_bot(discord, folder, "table", None, on_board=True))
        await quiet(bots)
        for bot in bots:
            await one_heat(bots, bot, 0)
        shapes = shapes_of(bots[0].app)
        plain = [await plain_bot(discord, folder, name, shapes) for name in ("floor", "bare")]
        bots += plain
        await quiet(bots)
        for bot in plain:
            await one_heat(bots, bot, 0)
        yield bots
    finally:
        await asyncio.gather(*(bot.process.stop() for bot in bots))


async def keeping_bot(
    discord: Discord, folder: Path, name: str, home: Path | None, run: Sequence[str] = (), *, on_board: bool = False
) -> Bot:
    """Our bot, of this checkout or of another, over live matches of its own."""
    database = folder / f"{name}.sqlite3"
    await fill_database(database, home, on_board=on_board)
    run = run or (os.environ.get("BENCH_BOT", "bot run").split() if home is None else ["bot", "run"])
    app = discord.app(name)
    for number in range(MATCHES):
        if on_board:
            app.add(Paper(board_id(number), channel_of(number), 0, keys(f"g1:tk:{match_id(number)}:0")))
        else:
            put_papers(app, number, [keys(f"g1:co:{match_id(number)}:0")] * 2, keys("g1:bd"))
    environment = {"GOPS_DATABASE": str(database), "GOPS_LOG": "json", "GOPS_FACES": "off"}
    process = await come(discord, app, run, folder, home, environment)
    bot = Bot(app, process, "g1:tk:" if on_board else "g1:co:", database)
    bot.on_board = on_board
    return bot


FILL = """
import sys
from pathlib import Path
from tests.bench.stored import fill, put_on_board
for step in sys.argv[3:]:
    {"fill": fill, "put_on_board": put_on_board}[step](Path(sys.argv[1]), int(sys.argv[2]))
"""
"""A program for any checkout: each fills its database by its own `stored.py`, because schemas differ."""


async def fill_database(database: Path, home: Path | None, *, on_board: bool) -> None:
    """Fill a database in a process of the checkout that will read it."""
    steps = ["fill", "put_on_board"] if on_board else ["fill"]
    filling = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", FILL, str(database), str(MATCHES), *steps), cwd=home
    )
    if code := await filling.wait():
        raise SystemExit(f"filling {database.name} ended with exit code {code}")


async def plain_bot(discord: Discord, folder: Path, name: str, shapes: Json) -> Bot:
    app = discord.app(name)
    given = folder / "shapes.json"
    given.write_text(json.dumps(shapes), encoding="utf-8")
    console, board = json.dumps(shapes["console"]), json.dumps(shapes["board"])
    for number in range(MATCHES):
        consoles = [json.loads(console.replace("@", f"{number}.{seat}")) for seat in (0, 1)]
        put_papers(app, number, consoles, json.loads(board.replace("@", f"{number}.0")))
    process = await come(discord, app, [f"tests.bench.{name}_bot", str(given)], folder, None, {})
    return Bot(app, process, "bare:")


async def come(
    discord: Discord, app: App, run: Sequence[str], folder: Path, home: Path | None, environment: dict[str, str]
) -> Process:
    log = folder / f"{app.name}.log"
    settings = {"DISCORD_TOKEN": app.name, "DISCORD_API_URL": f"{discord.address}/api/v10", **environment}
    process = await Process.start(*run, log=log, home=home, **settings)
    try:
        await asyncio.wait_for(app.ready.wait(), COME)
    except BaseException:
        await process.stop()
        print(log.read_text(encoding="utf-8")[-2000:])
        raise
    return process


def put_papers(app: App, number: int, consoles: Sequence[list[Json]], board: list[Json]) -> None:
    for seat, components in enumerate(consoles):
        app.add(Paper(console_id(number, seat), dm_id(number, seat), person_id(number, seat), components))
    app.add(Paper(board_id(number), CHANNEL, 0, board))


def keys(prefix: str) -> list[Json]:
    """Before the bot has drawn anything: a row with the key that is pressed first."""
    return [{"type": 1, "components": [{"type": 2, "style": 2, "label": "A", "custom_id": f"{prefix}:A"}]}]


def shapes_of(app: App) -> Json:
    """A console and a board as ours draws them, their keys meant for the plain bots."""
    app.read()
    console, board = app.papers[console_id(0, 0)].components, app.papers[board_id(0)].components
    for one in (console, board):
        assert len(json.dumps(one)) > 500, "it was never drawn"
    text = json.dumps({"console": console, "board": board})
    return json.loads(text.replace('"g1:co:', '"bare:@:').replace('"g1:', '"none:@:'))


# --- heats ------------------------------------------------------------------------------------------------


async def one_heat(bots: Sequence[Bot], bot: Bot, number: int, pressed: int = PRESSED, at_once: int = AT_ONCE) -> Heat:
    """A whole round of some matches: the one seats seal, then the others, which reveals. Then everybody gets quiet."""
    app = bot.app
    app.read()
    chosen = [(number * pressed + place) % MATCHES for place in range(pressed)]
    seats = [(match, seat) for seat in (0, 1) for match in chosen]
    ids = [board_id(match) if bot.on_board else console_id(match, seat) for match, seat in seats]
    papers = [(app.papers[id], person_id(*one)) for id, one in zip(ids, seats, strict=True)]
    durable, calls = bot.durable(), app.calls.copy()
    machine, before, generator = Machine.now(bots), bot.process.cpu, time.process_time()
    gc.disable()
    try:
        seconds, heat = await app.press(papers, bot.prefix, at_once)
    finally:
        gc.enable()
    cpu, generator = bot.process.cpu - before, (time.process_time() - generator) / seconds
    await quiet(bots)
    whole, others = bot.process.cpu - before, Machine.now(bots).since(machine)
    answered = len(heat.milliseconds)
    bids = answered if bot.database is None else bot.durable() - durable
    if not bids:
        raise RuntimeError(f"{bot.name} took no bid")
    failed = len(papers) - answered
    return Heat(bids, seconds, heat.milliseconds, failed, cpu, whole, generator, others, app.calls - calls)


async def quiet(bots: Sequence[Bot]) -> None:
    """Until everything is shown and nobody calls any more: boards are brought up to date behind a budget."""
    before = -1  # at least once
    while (calls := sum(bot.app.calls.total() for bot in bots)) != before or any(bot.behind() for bot in bots):
        before = calls
        await asyncio.sleep(1.5)


@dataclass(frozen=True, slots=True)
class Machine:
    """Seconds that programs have run on this machine, those of the bench left out, and that it was kept waiting.

    Time in the kernel is nobody's: what it does for our disk would look like somebody else's work."""

    at: float
    others: float

    @classmethod
    def now(cls, bots: Sequence[Bot]) -> Machine:
        _, user, nice, _, _, _, _, _, steal, *_ = Path("/proc/stat").read_text(encoding="ascii").split(maxsplit=9)
        own = os.times().user + sum(bot.process.cpu_of_its_own for bot in bots)
        return cls(time.perf_counter(), (int(user) + int(nice) + int(steal)) / TICKS - own)

    def since(self, before: Machine) -> float:
        """What others had of a core."""
        return max(0.0, (self.others - before.others) / (self.at - before.at))


def _counts(one: Round) -> bool:
    return all(heat.others <= OTHERS for heat in one.values())


# --- the sum ----------------------------------------------------------------------------------------------


def _sum_up(names: Sequence[str], rounds: list[Round]) -> None:
    counted = [one for one in rounds if _counts(one)]
    print(f"medians of the {len(counted)} of {len(rounds)} rounds that count")
    if not counted:
        print("NOTHING COUNTS: the machine was never left alone; these are medians of rounds that do not")
        counted = rounds
    for name in names:
        heats = [one[name] for one in counted]
        rate, late = _median([heat.rate for heat in heats]), _median([heat.at(0.99) for heat in heats])
        each, whole = _median([heat.each for heat in heats]), _median([heat.each_whole for heat in heats])
        print(f"  {name:<6}{rate:7.0f} a second  p99 {late:6.1f} ms  cpu a bid {each:5.2f}, in all {whole:5.2f} ms")
    print("beside one another: CPU of a bid in all (lowest to highest round), until it is answered; rate")
    _beside(counted, "ours", "floor", "target: at most 1.15 in all")
    _beside(counted, "ours", "bare", "aim: 1.5 until it is answered")
    _beside(counted, "floor", "bare")
    for other in ("ours", "floor", "bare"):
        _beside(counted, "table", other)
    if "old" in names:
        _beside(counted, "ours", "old", "below 1 is better")
        _beside(counted, "old", "floor")
        _beside(counted, "old", "bare")
    print("target for the 99th percentile of ours: under 150 ms")


def _beside(counted: list[Round], one: str, other: str, target: str = "") -> None:
    pairs = [(heats[one], heats[other]) for heats in counted]
    whole = [first.each_whole / second.each_whole for first, second in pairs]
    each = _median([first.each / second.each for first, second in pairs])
    rate = _median([first.rate / second.rate for first, second in pairs])
    found = f"{_median(whole):5.2f} ({min(whole):.2f} to {max(whole):.2f}), {each:5.2f}; rate {rate:5.2f}"
    print(f"  {one + ' / ' + other:<14}{found}" + (f"   ({target})" if target else ""))


def _median(values: list[float]) -> float:
    return statistics.median(values)
