"""Measure a takeover: two processes on one PostgreSQL server, and the one that plays is killed, or hangs.

Prints the seconds until the other owns all partitions, and until it is connected to Discord (the stand-in) and presses
arrive. With MATCHES in the environment, there are so many live matches, and the process that plays is killed once. Then
it prints how soon a press is answered, what is written and called in the next minute, and the memory that a match took.
"""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import tempfile
import time
from pathlib import Path

import asyncpg

from bot.referee.clock.presence import BEAT, DOUBT
from data.sql.deadlines import GOING
from data.sql.surfaces import select_behind
from tests import postgres
from tests.bench.fleet import fill_server, quiet, read_log
from tests.bench.generator import App
from tests.bench.load import COME, keys, put_papers
from tests.bench.processes import Process as Bot
from tests.bench.shapes import console_id, person_id
from tests.bench.stored import match_id
from tests.bench.wire import listening
from tests.e2e.house import opened
from tests.e2e.test_takeover import Process

KILLS, STOPS = 10, 5
MATCHES = int(os.environ.get("MATCHES", "0"))
WARM, PLAYED, BEHIND = 50, 400, 100
"""Matches that play a round, first to warm up and then for the memory; and boards that are behind."""
MINUTE = 60.0

LATER = "UPDATE deadlines SET due = due + 86400000000; UPDATE matches SET deadline = deadline + 86400000000"
"""Filling takes so long that reminders would fall into the minute."""
MARK = f"UPDATE surfaces SET shown = shown - 1, pending = {GOING} WHERE kind = 1 AND owner = ANY($1)"
COUNT_BEHIND = f"SELECT count(*) FROM ({select_behind()}) AS behind"
WRITTEN = "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables"


def run() -> None:
    server = postgres.started()
    try:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run((measure_crowd if MATCHES else measure)(Path(folder), server))
    finally:
        server.end()


async def measure(folder: Path, server: postgres.Server) -> None:
    async with opened(folder, start=False) as house:
        house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        playing = Process.beside(house, "0.log")
        await playing.start()
        number = 0
        try:
            for how, times in ((signal.SIGKILL, KILLS), (signal.SIGSTOP, STOPS)):
                owned, connected = list[float](), list[float]()
                for _ in range(times):
                    number += 1
                    other = Process.beside(house, f"{number}.log")
                    await other.stand_by()
                    owns, connects = await taken_over(playing, other, how)
                    owned.append(owns)
                    connected.append(connects)
                    playing = other
                name = "killed" if how is signal.SIGKILL else "hangs"
                print(
                    f"process {name}, {times} times: another owns all after {told(owned)}, connected {told(connected)}"
                )
        finally:
            await playing.stop()


async def taken_over(playing: Process, other: Process, how: signal.Signals) -> tuple[float, float]:
    assert playing.process is not None
    began = time.monotonic()
    playing.process.send_signal(how)
    await other.logs("this process owns all partitions")
    owns = time.monotonic() - began
    await other.logs("connected as")
    connects = time.monotonic() - began
    playing.process.send_signal(signal.SIGKILL)
    await playing.process.wait()
    return owns, connects


def told(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.1f} s (most {max(seconds):.1f})"


# --- with many live matches -------------------------------------------------------------------------------


async def measure_crowd(folder: Path, server: postgres.Server) -> None:
    address = await fill_server(folder, server, "crowd")
    connection = await asyncpg.connect(address)
    bots: list[Bot] = []
    try:
        await connection.execute(LATER)
        await connection.execute("VACUUM ANALYZE")
        async with listening() as discord:
            app = discord.app("crowd")
            for number in range(WARM + PLAYED):
                put_papers(app, number, [keys(f"g1:co:{match_id(number)}:0")] * 2, keys("g1:bd"))
            settings = {"DISCORD_TOKEN": app.name, "DISCORD_API_URL": f"{discord.address}/api/v10", "GOPS_FACES": "off"}
            for log in (folder / "playing.log", folder / "other.log"):
                bots.append(await Bot.start("bot", "run", log=log, home=None, **settings, GOPS_DATABASE=address))
                await asyncio.wait_for(app.ready.wait(), COME)
            await until_it_stands_by(folder / "other.log")
            await measure_memory(app, bots[0])
            await asyncio.sleep((DOUBT + BEAT).total_seconds())  # what was drawn right before a kill is drawn again
            await measure_kill(app, bots[0], connection)
    finally:
        await asyncio.gather(*(bot.stop() for bot in bots))
        await connection.close()


async def until_it_stands_by(log: Path) -> None:
    async with asyncio.timeout(COME):
        while "another process owns the partitions" not in read_log(log):  # noqa: ASYNC110 - a file tells nothing
            await asyncio.sleep(0.1)


async def measure_memory(app: App, bot: Bot) -> None:
    await play_round(app, range(WARM))
    before = bot.resident
    await play_round(app, range(WARM, WARM + PLAYED))
    kilobytes = 1024 * (bot.resident - before) / PLAYED
    print(f"memory of a match that was played: {kilobytes:.0f} kB (target: at most 40)", flush=True)


async def play_round(app: App, matches: range) -> None:
    for seat in (0, 1):
        papers = [(app.papers[console_id(match, seat)], person_id(match, seat)) for match in matches]
        _, heat = await app.press(papers, "g1:co:", 4)
        if failed := len(papers) - len(heat.milliseconds):
            print(f"presses without an answer in time: {failed}")
    await quiet(app)
    app.read()


async def measure_kill(app: App, bot: Bot, connection: asyncpg.Connection) -> None:
    """Kill the owner of all partitions. A player presses as soon as the next one is connected."""
    await connection.execute(MARK, [match_id(number) for number in range(BEHIND)])
    behind = await connection.fetchval(COUNT_BEHIND)
    rows, calls = dict(await connection.fetch(WRITTEN)), app.calls["counted"] + app.unknown.total()
    app.ready.clear()
    began = time.monotonic()
    bot.process.kill()
    await asyncio.wait_for(app.ready.wait(), COME)
    connects = time.monotonic() - began
    paper = app.papers[console_id(WARM + PLAYED - 1, 0)]
    while not (await app.press([(paper, person_id(WARM + PLAYED - 1, 0))], "g1:co:", 1))[1].milliseconds:
        pass
    print(
        f"{MATCHES} live matches, process killed: another is connected after {connects:.2f} s,"
        f" a press is answered after {time.monotonic() - began:.2f} s (target: at most 2)"
    )
    await asyncio.sleep(MINUTE)
    calls = app.calls["counted"] + app.unknown.total() - calls
    print(
        f"counted calls in the next minute: {calls}, messages behind: {behind}, and those of the match with the press"
    )
    after = {table: count - rows.get(table, 0) for table, count in await connection.fetch(WRITTEN)}
    print("rows written: " + ", ".join(f"{table} {count}" for table, count in sorted(after.items()) if count))
    left = await connection.fetchval(COUNT_BEHIND)
    print(f"messages behind after it: {left}; other calls: {app.unknown.most_common(3)}")
