"""People play, and the bot is killed, stopped, cut off, slowed down, refused and copied, its machine sleeps and goes by
clocks that are wrong, in an order that a seed gives.

What must always hold is looked at all the time (`tests/e2e/test_kill.py` has it): every bid that somebody was told is
sealed is played, nobody loses one by the clock, everything shown comes to be what the store holds, once each, ratings
equal those worked out anew, records verify, memory stays bounded, and backups that were taken meanwhile hold.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, closing, redirect_stdout, suppress
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from tests import postgres
from tests.driver import Person
from tests.e2e.hall import Hall, fail_waiting, opened_hall
from tests.e2e.test_faults import FAULTS as ANSWERS
from tests.e2e.test_kill import Play, holds, shows_the_store, stopped
from tests.e2e.test_kill_processes import Fleet
from tests.e2e.test_kill_server import crashed, cut
from tests.operate.commands import gops
from tests.soak.host import Host

FAULTS: tuple[dict[str, Any], ...] = (*ANSWERS, {"kind": "slow", "seconds": 1.0})
ROUTES = ("PATCH /channels/*", "PATCH /webhooks/*", "POST /users/@me/channels", "POST /channels/*/messages")
"""calls that go wrong; what is wrong with a first answer is `tests/e2e/test_faults.py`'s"""

MOST_MEMORY = 400_000_000
"""bytes of the bot's own process"""

COMPANY = 10
"""so many people are in one server"""

CLOCK = 300
"""seconds that everybody has for a bid. That many people share two processors with the bot, and wait while all that is
shown is looked at: nobody but the bot's machine may cost them one"""

PATIENCE = 600.0
"""seconds in which something has to be seen: whoever soaks does so beside other work"""

PEACE = 5
"""every so many troubles everybody keeps still, and all that is shown is held against the store"""

REMEMBERED = 30 * 24 * 3600.0
"""seconds for which Discord knows a post that is repeated"""

SESSIONS = 350
"""as many as a run begins, spread over its time: beyond 400 in a day the bot itself waits, as Discord wants it"""

HANG = 30.0
"""seconds for which one of several processes hangs"""

PARTED = 10.0
"""seconds at the most without network between two of several processes: they notice it after three"""

Troubles = tuple[tuple[Callable[[], Awaitable[None]], int], ...]
"""with their weights"""


@dataclass
class Soak:
    """One run."""

    hall: Hall
    play: Play
    hosts: list[Host]
    """the machine of each process"""
    folder: Path
    rng: random.Random
    server: postgres.Server | None = None
    """PostgreSQL, where the bot keeps everything there"""
    fleet: Fleet | None = None
    """several processes, where there are any: each trouble is that of one of them"""
    done: Counter[str] = field(default_factory=Counter[str])
    memory: int = 0
    sessions: int = 1
    """begun with Discord so far, at the most"""

    async def last(self, seconds: float) -> None:
        """Trouble after trouble for so long, and peace now and then."""
        began, number = time.monotonic(), 0
        while (gone := time.monotonic() - began) < seconds:
            may_begin = self.sessions < SESSIONS * (0.1 + 0.9 * gone / seconds)
            begins, of_host = self.begins(), self.of_host()
            troubles = (*(begins if may_begin else ()), *self.quiet(), *of_host)
            [trouble] = self.rng.choices([one for one, _ in troubles], [weight for _, weight in troubles])
            self.tell(trouble.__name__)
            await trouble()
            if trouble in [one for one, _ in of_host]:
                await self.played()
            self.done[trouble.__name__] += 1
            self.sessions += trouble in [one for one, _ in begins]
            self.look_at_memory()
            number += 1
            if number >= PEACE and may_begin:
                number = 0
                await self.peace()
                self.done["peace"] += 1
                self.sessions += len(self.hosts)
        self.play.ended.set()
        await self.hall.stage.clear_faults()

    def begins(self) -> Troubles:
        """The troubles that end a session."""
        return (self.kill, 4), (self.stop, 1), (self.cut, 3)

    def of_host(self) -> Troubles:
        """With several machines Discord's clock goes on for all of them: what sleeps does so in earnest (`hang`)."""
        host = self.rng.choice(self.hosts)
        alone: Troubles = ((host.sleep, 2), (host.pause, 2)) if self.fleet is None else ()
        return (host.set_clock, 3), (host.stand_still, 2), *alone

    def quiet(self) -> Troubles:
        of_store: Troubles = ((self.backup, 2),)
        if self.server is not None:
            of_store = (self.away, 1), (self.crash, 2), (self.sever, 2)
        of_fleet: Troubles = () if self.fleet is None else ((self.hang, 2), (self.part, 3))
        return (self.fault, 6), *of_store, (self.lock, 2), *of_fleet

    def tell(self, trouble: str) -> None:
        """Write down when a trouble came, by Discord's clock, and how the hosts' clocks were then."""
        now = self.hall.playground.core.clock.now()
        with (self.folder / "troubles").open("a", encoding="utf-8") as file:
            file.write(f"{now.isoformat()} {trouble}, {[host.moved for host in self.hosts]}\n")

    async def kill(self) -> None:
        if self.fleet is not None:
            await self.fleet.kill_one(self.play)
            return
        await stopped(self.hall, self.play)
        await self.hall.restart()

    async def stop(self) -> None:
        """As a supervisor does it."""
        if self.fleet is not None:
            await self.fleet.stop_one(self.rng)
            return
        await self.hall.up.wait()
        self.hall.up.clear()
        code = await self.hall.bot.stop()
        assert code == 0 or self.server is not None, "it may have ended with its server"
        fail_waiting(self.hall.playground)
        await self.hall.restart()

    async def hang(self) -> None:
        """One of several processes stands still until others have its matches. It has to end, and is started again."""
        assert self.fleet is not None
        host = self.rng.choice(self.hosts)
        await self.fleet.shares(host.bot)
        hangs = host.bot.process
        assert hangs is not None
        async with host.stopped():
            await asyncio.sleep(HANG)
        assert await hangs.wait() == 1, "others own its matches"
        await self.fleet.shares(host.bot, hangs)

    async def part(self) -> None:
        """The network between two of several processes is cut, not that to the server and to Discord."""
        one, other = self.rng.sample(self.hosts, 2)
        one.part(other.bot.settings["GOPS_PEER"])
        other.part(one.bot.settings["GOPS_PEER"])
        await asyncio.sleep(self.rng.uniform(0.2, PARTED))
        one.part("")
        other.part("")

    async def cut(self) -> None:
        """The connection to the gateway ends, in one of its ways."""
        how: tuple[str, dict[str, Any], str] = self.rng.choice(
            [("close", {"code": 4000}, "resumed"), ("reconnect", {}, "resumed"), ("close", {"code": 1000}, "resumed")]
        )
        await self.hall.stage.gateway(how[0], **how[1])
        if self.server is None:
            await self.hall.stage.settled(how[2], patience=60)
        else:  # it may end just now with its server, and begin anew
            await self.hall.stage.bot_ready(patience=60, shards=len(self.hosts))

    async def fault(self) -> None:
        """A few calls go wrong, while people play."""
        route, how = self.rng.choice(ROUTES), self.rng.choice(FAULTS)
        await self.hall.stage.fault(route=route, times=self.rng.randint(1, 3), **how)
        await self.played()

    async def backup(self) -> None:
        """A copy of what is written just now: it is whole, nobody's bid is in doubt, and it can be gone back to."""
        environment = self.hall.bot.environment()
        said = await gops(environment, "backup", "--keep", "2", patience=PATIENCE)
        assert said.code == 0, said
        for old in self.folder.glob("restored.sqlite3*"):
            old.unlink()
        elsewhere = {
            "GOPS_DATABASE": str(self.folder / "restored.sqlite3"),
            "GOPS_BACKUPS": str(self.folder / "backups"),
        }
        restored = await gops(environment | elsewhere, "restore", "latest", patience=PATIENCE)
        assert restored.code == 0, restored
        await asyncio.sleep(1)  # two of them never have the same name

    async def lock(self) -> None:
        """Somebody else holds the database for a moment: nothing is lost by it."""
        if self.hall.server is not None:
            await postgres.held(self.hall.server, "matches", self.rng.uniform(0.05, 1.0))
            return
        with (
            closing(sqlite3.connect(self.hall.bot.database, isolation_level=None)) as connection,
            suppress(sqlite3.Error),
        ):
            connection.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(self.rng.uniform(0.05, 1.0))
            connection.execute("ROLLBACK")

    async def played(self) -> None:
        """People play on: a few presses are answered."""
        await self.hall.stage.called("POST /interactions/*", times=self.rng.randint(2, 8))

    async def away(self) -> None:
        """The server is restarted, as for an upgrade."""
        assert self.server is not None
        await asyncio.to_thread(self.server.stop)
        try:
            await asyncio.sleep(self.rng.uniform(0.0, 1.0))
        finally:
            self.server.start()

    async def crash(self) -> None:
        """The server crashes, and comes back."""
        assert self.server is not None
        await crashed(self.play, self.server)

    async def sever(self) -> None:
        """Every connection to it is cut."""
        assert self.hall.server is not None
        await cut(self.play, self.hall.server)

    async def peace(self) -> None:
        self.play.calm.clear()
        await self.play.still.wait()
        await self.hall.stage.clear_faults()
        # A press that nobody waits for any more may still be under way: it must not change what is looked at.
        await self.begin_again()
        await self.look()
        self.play.calm.set()

    async def begin_again(self) -> None:
        bots = self.fleet or self.hall
        await bots.down()
        await bots.restart()

    async def look(self) -> None:
        """Everything that is shown against the store. After a quarter of an hour, by what the bot takes for the time,
        nobody changes a private console any more: those are looked at where that clock was right all the while."""
        if any(host.moved_lately or not host.is_right for host in self.hosts):
            for watch in self.hall.watches.values():
                watch.forget_private()
        for host in self.hosts:
            host.moved_lately = False
        await shows_the_store(self.hall, self.play)

    def look_at_memory(self) -> None:
        for process in (host.bot.process for host in self.hosts):
            if process is not None:
                with suppress(OSError):  # it has just ended
                    told = Path(f"/proc/{process.pid}/statm").read_text(encoding="utf-8")
                    self.memory = max(self.memory, int(told.split()[1]) * os.sysconf("SC_PAGE_SIZE"))
        assert self.memory < MOST_MEMORY, f"{self.memory / 1e6:.0f} MB"


async def company(hall: Hall, first: int, people: int) -> list[Person]:
    """The people of one more server; of three at least, since some tables have as many seats."""
    names = [f"P{number}" for number in range(first, max(first + 3, min(first + COMPANY, people)))]
    return await hall.crowd(names, server=await hall.stage.server(f"Server {first // COMPANY + 1}"))


async def played_through(play: Play, companies: list[list[Person]], troubles: Coroutine[Any, Any, None]) -> None:
    """Everybody plays until the troubles are over, and what has begun by then to its end."""
    people = sum(map(len, companies))
    wanted = max(2, people // 2)  # everybody sits somewhere, and some at two tables
    tables = [asyncio.create_task(play.table(companies[one % len(companies)])) for one in range(wanted)]
    every = [asyncio.create_task(troubles), *tables]
    finished, waiting = await asyncio.wait(every, return_when=asyncio.FIRST_EXCEPTION)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for task in finished:
        task.result()


async def soak(
    folder: Path,
    seed: int,
    seconds: float,
    people: int,
    server: postgres.Server | None = None,
    pace: float = 0.0,
    processes: int = 1,
) -> str:
    """Raises whatever does not hold; else a line on what was done. `server`: with everything in PostgreSQL; `pace`:
    seconds that a person thinks about a bid, on average; `processes`: several share the matches, on a server."""
    rng = random.Random(seed)
    address = None if server is None else await postgres.emptied(server)
    async with opened_hall(folder, patience=PATIENCE, server=address, start=False) as hall, AsyncExitStack() as ending:
        fleet = Fleet(hall, processes, shards=processes) if processes > 1 else None
        if fleet is not None:
            ending.push_async_callback(fleet.stop)
        bots = [hall.bot] if fleet is None else fleet.processes
        hosts = [Host(hall, rng, folder / f"host-{number}", bot) for number, bot in enumerate(bots, 1)]
        # That a console waits because too many DMs are new, what becomes of answers that a busy machine gives too late,
        # and that a post which is repeated after five minutes is a second one, is for other tests: here everything
        # shown comes to be true within a minute, once each, though the machine sleeps for longer.
        await hall.stage.settings(dm_opens=[people + COMPANY, 1], ack_seconds=10, nonce_seconds=REMEMBERED)
        await hall.stage.settings(shards=processes, max_concurrency=processes)
        await (fleet or hall).restart()
        companies = [await company(hall, first, people) for first in range(0, people, COMPANY)]
        play = Play(hall, rng, PATIENCE, {"clock": CLOCK}, pace)
        play.calm.set()
        play.still.set()
        run = Soak(hall, play, hosts, folder, rng, server, fleet)
        await played_through(play, companies, run.last(seconds))
        return await summed_up(run)


async def summed_up(run: Soak) -> str:
    """What holds at the end, when all matches are over, and a line on what was done."""
    hall, play = run.hall, run.play
    if run.server is not None:
        await run.begin_again()  # what could not be noted is shown once more
    await run.look()
    await (run.fleet or hall.bot).stop()
    with redirect_stdout(StringIO()):  # it tells of kills that its own test makes
        await holds(hall, play)
    trouble = [line for host in run.hosts for line in host.bot.trouble()]
    assert not trouble, "\n".join(trouble)
    troubled = ", ".join(f"{count} {name}" for name, count in sorted(run.done.items()))
    bids = sum(map(len, play.pressed.values()))
    return f"{len(play.done)} matches, {bids} presses; {troubled}; {run.memory / 1e6:.0f} MB at the most"
