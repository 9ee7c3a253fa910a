"""Calls to Discord for a round, counted by the stand-in's ledger over whole matches, with real waiting.

Two seats press PAUSE seconds apart in real time, because boards coalesce in real time. Four matches are played side
by side, each with a stand-in and a bot process of its own: by ephemeral consoles and by DM, fresh, and again with the
clock moved on by 16 minutes before the first bid, so that no token of the beginning lives any more. In a third pair
the clock moves on by 16 minutes before every bid: no token ever lives. In table mode the keys stand on the board.

Then the bytes that a match uploads, with the picture of its result and without: by bots of their own that have the
machine for themselves, because a picture that is not painted in time is left out.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from bot.process.base.clock import SystemClock, SystemEntropy
from bot.referee.model.changes import SaveGuild, SavePlayer
from bot.referee.model.guild_settings import LONGEST, GuildSettings
from bot.referee.referee import Referee
from tests.driver import Person
from tests.driver.stage import Calls
from tests.e2e.house import House, awaits, key, opened
from tests.sqlite_store import SqliteStore

PAUSE = float(os.environ.get("PAUSE", "10"))
CARDS = 6
"""the last card is forced, so that there is a round less to press"""
LATE = 16 * 60
TRIES = 3
"""matches until one has its picture: the first of a bot waits for the process that paints"""
FACES = os.environ.get("FACES", "off")
"""with `on` the faces are uploaded before the match, and each card is drawn with its own"""


@dataclass(frozen=True, slots=True)
class Way:
    name: str
    dm: bool
    late: str
    """when the clock moves on: never, once, always"""
    target: int
    place: str = "own"


WAYS = (
    Way("ephemeral, fresh", False, "never", 2),
    Way("ephemeral, after 16 minutes", False, "once", 2),
    Way("ephemeral, 16 minutes a bid", False, "always", 2),
    Way("DM, fresh", True, "never", 3),
    Way("DM, after 16 minutes", True, "once", 3),
    Way("DM, 16 minutes a bid", True, "always", 3),
    Way("table mode", False, "never", 0, "board"),
    Way("table mode, 16 minutes a bid", False, "always", 2, "board"),
)


def run() -> None:
    asyncio.run(measure())


async def measure() -> None:
    print(f"{CARDS - 1} rounds with a choice, presses {PAUSE:g} s apart, the longest clock")
    told = await asyncio.gather(*map(_told, WAYS))
    print("\n".join(told))
    for pictures in ("on", "off"):
        print(await _uploaded(pictures))


async def _uploaded(pictures: str) -> str:
    """The bytes of one match, beginning to end."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder), start=False) as house:
            await _prepare(house, dm=True)
            house.bot.settings |= {"GOPS_PICTURES": pictures, "GOPS_FACES": FACES}
            await house.bot.start()
            for _ in range(TRIES):
                start, rounds = await _play(house, Way("DM, fresh", True, "never", 3), pause=0)
                files = start.files + rounds.files
                if files or pictures == "off":
                    break
            else:
                return "no picture was painted in time: the machine is too busy"
    words = start.sent + rounds.sent - files
    parts = f"{words / 1000:.1f} kB of words and keys, {files / 1000:.1f} kB of the picture of its result"
    return f"uploaded a match with pictures {pictures}: {(words + files) / 1000:.1f} kB ({parts})"


async def _told(way: Way) -> str:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder), start=False) as house:
            await _prepare(house, way.dm)
            house.bot.settings |= {"GOPS_PICTURES": "on", "GOPS_FACES": FACES}
            await house.bot.start()
            start, rounds = await _play(house, way)
    each = rounds.counted / (CARDS - 1)
    followups = rounds.of("POST /webhooks/{webhook_id}/{webhook_token}")
    routes = ", ".join(
        f"{one['calls']} {'' if one['counted'] else 'free '}{_short(route)}" for route, one in rounds.routes.items()
    )
    free = rounds.free / (CARDS - 1)
    return (
        f"{way.name:<28} {each:4.1f} counted a round (target: at most {way.target})"
        f"  {free:4.1f} free  {followups} followups  start: {start.counted} counted\n{'':<29}{routes}"
    )


def _short(route: str) -> str:
    method, _, path = route.partition(" ")
    last = "callback" if path.endswith("callback") else "@original" if "webhooks" in path else path
    return f"{method} {last}"


async def _prepare(house: House, dm: bool) -> None:
    """The server's clock is the longest and nobody is reminded. It wants no line under an old board at the end, which
    is one call a match. Consoles come by DM or not at all."""
    world = await house.stage.world()
    async with await SqliteStore.open(house.bot.database) as store:
        referee = Referee(store, SystemClock(), SystemEntropy())
        settings = GuildSettings(int(world["servers"][0]["id"]), clock=LONGEST, result_lines=False)
        await referee.write((SaveGuild(settings),))
        for person in (house.ana, house.ben):
            player = await store.player(int(person.id))
            quiet = replace(player, bids=False, warnings=False, results=False)
            await referee.write((SavePlayer(replace(quiet, console="dm" if dm else "channel")),))


async def _play(house: House, way: Way, pause: float = PAUSE) -> tuple[Calls, Calls]:
    """Calls until both can bid, and calls from then to the result."""
    ana, ben = house.ana, house.ben
    ana.patience = ben.patience = 30
    await house.stage.reset_calls()  # what the bot asks for at its own start is no match's
    board = await house.match(cards=CARDS, where=way.place)
    for person in (ana, ben) if way.place == "own" else ():
        if not way.dm:
            await person.press("Bid", in_=board)
        await person.sees(awaits(1, dm=way.dm))
    await asyncio.sleep(5)
    start = await house.stage.calls()
    await house.stage.reset_calls()
    if way.late == "once":
        await house.stage.forward(LATE)
    for number in range(1, CARDS):
        for person, card in ((ana, number), (ben, number + 1)):
            if way.late == "always":
                await house.stage.forward(LATE)
            await _bid(person, card, number, way)
            await asyncio.sleep(pause)
    await ana.sees("[Rematch]", in_=board)
    return start, await house.stage.calls()


async def _bid(person: Person, card: int, number: int, way: Way) -> None:
    """Press the key; whose console could not be brought up to date opens a new one first, as people do."""
    if way.place == "board":
        board = next(one for one in reversed(person.screen.messages()) if one.has_button("My bid"))
        await person.press(key(card), in_=board)
        return
    fits = awaits(number, dm=way.dm)
    console = next((one for one in reversed(person.screen.messages()) if fits(one)), None)
    if console is None and not way.dm:
        board = next(one for one in person.screen.messages() if any(b.label == "Bid" for b in one.buttons))
        await person.press("Bid", in_=board)
    await person.press(key(card), in_=await person.sees(fits))
