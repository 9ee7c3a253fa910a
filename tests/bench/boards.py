"""A hundred boards with keys in one channel: how late who has sealed, and what was bid, is seen there.

Every match is pressed once by each seat in each round, all first seats and then all second ones. A tick or a
reveal is seen when the generator has the body of the answer, or of an edit, that shows it; it is as late as that is
after the press. Discord counts none of these calls, so no limit of the channel lies between; what is measured is what
a hundred boards cost each other in one bot. BOARDS and ROUNDS in the environment change the size.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import Counter
from pathlib import Path

from tests.bench.generator import App
from tests.bench.load import Bot, come, keys, quiet
from tests.bench.shapes import CHANNEL, Paper, board_id, person_id
from tests.bench.stored import fill, match_id, put_on_board
from tests.bench.wire import listening

BOARDS = int(os.environ.get("BOARDS", "100"))
AT_ONCE = 16
"""presses unanswered at a time"""
ROUNDS = min(int(os.environ.get("ROUNDS", "10")), 12)


def run() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    database = folder / "boards.sqlite3"
    fill(database, BOARDS)
    put_on_board(database, BOARDS, lambda _: CHANNEL)
    async with listening() as discord:
        app = discord.app("boards")
        for number in range(BOARDS):
            app.add(Paper(board_id(number), CHANNEL, 0, keys(f"g1:tk:{match_id(number)}:0")))
        environment = {"GOPS_DATABASE": str(database), "GOPS_LOG": "json", "GOPS_FACES": "off"}
        process = await come(discord, app, ["bot", "run"], folder, None, environment)
        bot = Bot(app, process, "g1:tk:", database)
        try:
            await quiet([bot])  # a busy start shows every board anew
            await _rounds(bot, app)
        finally:
            await process.stop()


async def _rounds(bot: Bot, app: App) -> None:
    late: dict[str, list[float]] = {"tick": [], "reveal": []}
    calls, behind, failed, cpu = app.calls.copy(), 0, 0, 0.0
    for number in range(ROUNDS):
        if number == 1:
            calls, cpu = app.calls.copy(), bot.process.cpu
        for seat, what in enumerate(late):
            app.read()
            hands = [(app.papers[board_id(match)], person_id(match, seat)) for match in range(BOARDS)]
            _, heat = await app.press(hands, bot.prefix, AT_ONCE)
            if number:  # the first round warms up
                late[what] += heat.milliseconds
                failed += BOARDS - len(heat.milliseconds)
                behind += sum(not shows(one, what) for one, _ in hands)
    made: Counter[str] = app.calls - calls
    bids = 2 * BOARDS * (ROUNDS - 1)
    print(f"{BOARDS} boards in one channel, {AT_ONCE} presses unanswered at a time, {ROUNDS - 1} rounds")
    for what, found in late.items():
        found.sort()
        middle, last = found[len(found) // 2], found[int(0.99 * (len(found) - 1))]
        print(f"  {what:<7} p50 {middle:6.0f} ms  p99 {last:6.0f} ms  longest {found[-1]:6.0f} ms")
    print(f"  answers that did not show it themselves: {behind}; presses without an answer: {failed}")
    print(f"  CPU a bid {(bot.process.cpu - cpu) / bids * 1000:.2f} ms")
    print("  calls a bid: " + ", ".join(f"{made[one] / bids:.2f} {one}" for one in sorted(made)))


def shows(board: Paper, what: str) -> bool:
    """Whether the last body that came for this board has one seat sealed (a tick), or none (a reveal)."""
    told = board.body.decode()
    return told.count("\u2714 sealed") + told.count("\\u2714 sealed") == (what == "tick")
