"""What a match takes on the disk before it is folded and after, what reading it costs, and how long bids wait beside.

Matches are played by the referee with bids and pauses drawn at random, by people with ids as long as Discord's; then
rows are copied, as in `size`. Of the bids beside, the baseline is the same stream while nothing is folded.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.clock import SystemClock, SystemEntropy
from bot.engine.choices import Bid, Kind, Pick
from bot.engine.record import choice_data
from bot.referee.clock.folding import AFTER, Folding
from bot.referee.clock.presence import Presence
from bot.referee.lobby.setups import Wish
from bot.referee.lobby.who import Person
from bot.referee.match.live import revive
from bot.referee.query.replaying import Tape
from bot.referee.referee import Referee
from data.store import SqliteStore
from tests.bench.backup import bids, tell
from tests.bench.size import PLAYED, bytes_of, copied, told
from tests.bench.stored import fill
from tests.referee.stage import HERE, Table

MATCHES = 20_000
GAMES = (("classic", 2), ("vultures", 5))
FIRST_PERSON, FIRST_MESSAGE = 1_100_000_000_000_000_000, 1_200_000_000_000_000_000
BESIDE, A_SECOND, ROUNDS = 10.0, 60, 3
"""seconds of bids, how many in each, and how often all ways are gone through"""


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for game, seats in GAMES:
            asyncio.run(sizes(Path(folder), game, seats))
        database = Path(folder) / "beside.sqlite3"
        fill(database, MATCHES)
        database.chmod(0o600)
        asyncio.run(beside(database))


async def sizes(folder: Path, game: str, seats: int) -> None:
    before, after = folder / f"{game}.sqlite3", folder / f"{game}.folded.sqlite3"
    await played(before, game, seats)
    shutil.copy(before, after)
    async with await SqliteStore.open(before) as store:
        was = await looked_at(store)
    async with await SqliteStore.open(after) as store:
        clock = Table(store).clock
        clock.forward((AFTER + timedelta(days=365)).total_seconds())
        began = time.process_time()
        while await folding(Table(store, clock).referee, at_once).fold_some():
            pass
        each = (time.process_time() - began) / PLAYED
        now = await looked_at(store)
    assert was[0] == now[0], "every record is as it was"
    print(f"{game}, {seats} seats, {MATCHES} matches; to fold one takes {each * 1e3:.1f} ms of processor time")
    for name, path, (_, reading, replaying) in (("before", before, was), ("folded", after, now)):
        first = bytes_of(path)
        copied(path, MATCHES)
        size = (bytes_of(path) - first) / (MATCHES - PLAYED)
        print(f"  {name}: {size:.0f} B each; read in {reading * 1e3:.2f} ms, with its replay {replaying * 1e3:.2f} ms")
        told(path, MATCHES)


async def played(database: Path, game: str, seats: int) -> None:
    chance = random.Random(17)
    async with await SqliteStore.open(database) as store:
        table = Table(store)
        for number in range(PLAYED):
            people = [Person(FIRST_PERSON + one, f"Person {one}") for one in range(seats)]
            lobby = await table.referee.challenges.open(HERE, people[0], people[1:], Wish(game=game))
            for person in people[1:]:
                await table.referee.challenges.accept(lobby.id, person.user, FIRST_MESSAGE + chance.randrange(10**15))
            await at_random(table, lobby.id, chance)
            table.clock.forward(6 * 3600 + number)
    await written(database, "UPDATE surfaces SET shown = wanted, message = 1234567890123456789 + id")


async def at_random(table: Table, id: str, chance: random.Random) -> None:
    """Everybody bids anything, after 8 seconds on average."""
    while (live := await table.referee.live(id)).stored.live:
        state, seat = live.match.state, live.awaited[0]
        assert state is not None
        prompt = live.prompts[seat]
        drawn = sorted(chance.sample(range(len(prompt.options)), prompt.size))
        cards = tuple(prompt.options[one] for one in drawn)
        choice = Pick(cards[0]) if prompt.kind is Kind.PICK else Bid(cards)
        table.clock.forward(round(min(chance.expovariate(1 / 8), 60), 6))
        await table.seal(id, live.stored.seats[seat].user, choice_data(live.rules.physical(state, seat, choice)))


async def looked_at(store: SqliteStore) -> tuple[list[Any], float, float]:
    """What is read of each match, and the processor time that one takes in the median: read, and replayed as well."""
    ids = await store.database.inspect(lambda one: [id for (id,) in one.execute("SELECT id FROM matches ORDER BY id")])
    found, reading, replaying = list[Any](), list[float](), list[float]()
    for id in ids:
        began = time.process_time()
        match = await store.match(id)
        read = time.process_time()
        assert match is not None
        Tape(revive(match))
        reading.append(read - began)
        replaying.append(time.process_time() - began)
        found.append((match, [*await store.earlier_seals(id)]))
    return found, statistics.median(reading), statistics.median(replaying)


async def written(database: Path, sql: str) -> None:
    async with await SqliteStore.open(database) as store:
        writer = store.database._writer  # pyright: ignore[reportPrivateUsage]
        assert writer is not None
        await writer.call(lambda one: one.execute(sql))


async def at_once(_: float) -> None:
    """Without a rest."""


WAYS = (("nothing is folded", None), ("as the bot does it", asyncio.sleep), ("no rest", at_once))


def folding(referee: Referee, rest: Callable[[float], Awaitable[object]]) -> Folding:
    presence = Presence(referee, timedelta())
    presence.here.set()
    return Folding(referee, presence, rest=rest)


async def beside(database: Path) -> None:
    """Bids in other matches: while nothing is folded, at the pace of the bot, and as fast as it can be done."""
    await played(database, *GAMES[0])
    copied(database, MATCHES)
    year = 365 * 24 * 3600 * 1_000_000
    await written(database, f"UPDATE matches SET ended = ended - {year} WHERE live = 0")
    async with await SqliteStore.open(database) as store:
        referee = Referee(store, SystemClock(), SystemEntropy())
        numbers = iter(range(MATCHES))
        for name, rest in WAYS * ROUNDS:
            task = None
            if rest is not None:
                going = folding(referee, rest)
                referee.listeners[:] = [going.stir]
                task = asyncio.create_task(going.run())
            first = await count(store)
            stop = asyncio.Event()
            asyncio.get_running_loop().call_later(BESIDE, stop.set)
            taken = await bids(referee, stop, numbers, A_SECOND)
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            tell(f"{name}: {await count(store) - first}", taken)


async def count(store: SqliteStore) -> int:
    asked = "SELECT count(*) FROM matches WHERE folded IS NOT NULL"
    return await store.database.inspect(lambda one: one.execute(asked).fetchone()[0])
