"""People play through several workers and two keepers, and any of them is killed, and the server: whoever it is, what
the soak looks at has to hold."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

from bot.playground.driver import Seen
from bot.playground.fleet.balancer import Balancer
from bot.referee.ports.model import DeadlineKind
from bot.referee.surfaces import SOON
from tests import postgres
from tests.e2e.hall import Hall, is_over, opened_hall, round_of
from tests.e2e.house import Bot
from tests.e2e.test_kill import Play, holds, shows, soon
from tests.e2e.test_kill_server import crashed, cut
from tests.operate.ports import free_port
from tests.soak.run import CLOCK, COMPANY, PATIENCE, PEACE, REMEMBERED, SESSIONS, company, played_through

KEEPERS = 2

WAITS = 120.0
"""seconds in which something has to be seen"""

LOOK = 2.0
"""seconds after which it is asked once more which private consoles nobody can reach any more"""

CALLS = 10.0
"""seconds for those that are under way"""

LEADS_WITHIN = 60.0
"""seconds, on a machine that has much else to do, until another keeper is connected"""


class Part(Bot):
    """A worker or a keeper that is started again whenever it ends."""

    def __init__(self, hall: Hall, role: str, log: Path) -> None:
        super().__init__(hall.stage, hall.bot.database, hall.bot.clock_file, log)
        self.command = (*Bot.command, "--role", role)
        self.port = free_port()
        self._hall = hall
        self._supervisor: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        self.settings = {**self._hall.bot.settings, "GOPS_LISTEN": str(self.port)}
        self._supervisor = asyncio.create_task(self._again())
        await asyncio.sleep(0)

    async def _again(self) -> None:
        while True:
            await self.spawn()
            assert self.process is not None
            await self.process.wait()
            await asyncio.sleep(0.2)

    def strike(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """For good."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.gather(self._supervisor, return_exceptions=True)
        await self._end(how)


@dataclass
class Fleet:
    """One run."""

    hall: Hall
    play: Play
    server: postgres.Server
    folder: Path
    workers: list[Part]
    keepers: list[Part]
    done: Counter[str] = field(default_factory=Counter[str])
    sessions: int = 1
    history: list[str] = field(default_factory=list[str])
    """what everybody was shown of matches, and when"""
    longest: float = 0.0
    """seconds until somebody led again after a leader was killed"""

    @property
    def leader(self) -> Part:
        """Whoever began to lead last, by what stands in the logs."""
        return max(self.keepers, key=_led)

    async def last(self, seconds: float) -> None:
        """Trouble after trouble for so long, and peace now and then."""
        loop, rng = asyncio.get_running_loop(), self.play.rng
        began, number = loop.time(), 0
        quiet: tuple[tuple[Callable[[], Awaitable[None]], int], ...] = ((self.worker, 6), (self.standby, 1))
        begins = ((self.lead, 3), (self.deadline, 2), (self.crash, 1), (self.sever, 1), (self.all_workers, 1))
        while (gone := loop.time() - began) < seconds:
            may_begin = self.sessions < SESSIONS * (0.1 + 0.9 * gone / seconds)
            troubles = (*quiet, *begins) if may_begin else quiet
            [trouble] = rng.choices([one for one, _ in troubles], [weight for _, weight in troubles])
            self.tell(trouble.__name__)
            await trouble()
            self.done[trouble.__name__] += 1
            self.sessions += trouble in [one for one, _ in begins]
            number += 1
            if number >= PEACE:
                number = 0
                await self.peace()
                self.done["peace"] += 1
        self.play.ended.set()

    def tell(self, trouble: str) -> None:
        """For whoever looks for what went wrong: what came when, by Discord's clock and by the machine's."""
        now = self.hall.playground.core.clock.now()
        with (self.folder / "troubles").open("a", encoding="utf-8") as file:
            file.write(f"{now.isoformat()} {datetime.now(UTC).time()} {trouble}\n")

    def tell_calls(self) -> None:
        """For the same: what Discord was asked for, and what came of it."""
        log = self.hall.playground.pipeline.ledger.log
        lines = [f"{one.at.isoformat()} {one.method} {one.path} {one.status} {one.who}\n" for one in log]
        (self.folder / "calls").write_text("".join(lines), encoding="utf-8")
        seen = [
            f"{watch.person.name} {user} {message} {' '.join(matches)}\n"
            for user, watch in self.hall.watches.items()
            for message, matches in watch.about.items()
        ]
        (self.folder / "seen").write_text("".join(seen), encoding="utf-8")
        interactions: Any = self.hall.playground.core.interactions
        pressed = [
            f"{one.id} {one.user.id} {one.source.id if one.source else 0} {one.data.get('custom_id') or one.command} "
            f"{one.state} {one.answer} {one.token}\n"
            for one in interactions._by_id.values()
        ]
        (self.folder / "pressed").write_text("".join(pressed), encoding="utf-8")
        (self.folder / "history").write_text("".join(self.history), encoding="utf-8")
        rows = self.hall.rows('SELECT id, owner, kind, "user", channel, message, shown, wanted, state FROM surfaces')
        (self.folder / "surfaces").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")

    def keep_history(self) -> None:
        """From now on."""
        clock = self.hall.playground.core.clock

        def kept(watch: Any) -> None:
            look: Callable[[Seen], None] = watch._look

            def looked(seen: Seen) -> None:
                look(seen)
                for match in watch.about.get(seen.id, ()):
                    said = "over" if is_over(seen) else f"{round_of(seen)} {'is sealed' in seen.text}"
                    self.history.append(f"{clock.now().isoformat()} {watch.person.id} {seen.id} {match} {said}\n")

            watch._look = looked

        for watch in self.hall.watches.values():
            kept(watch)

    async def worker(self) -> None:
        await self._soon(self.play.rng.choice(self.workers).strike)

    async def all_workers(self) -> None:
        def strike() -> None:
            for one in self.workers:
                one.strike()

        await self._soon(strike)

    async def standby(self) -> None:
        leader = self.leader
        await self._soon(next(one for one in self.keepers if one is not leader).strike)

    async def lead(self) -> None:
        async with self.led():
            await self._soon(self.leader.strike)

    async def deadline(self) -> None:
        """Clocks run out while their keeper is killed: nobody moves for so long, and it is in the middle of them."""
        self.play.calm.clear()
        await self.play.still.wait()
        self.play.late.update(await asyncio.to_thread(self._missing))
        await self._answered()
        async with self.led():
            await self.hall.stage.forward(CLOCK + 30)
            await asyncio.sleep(self.play.rng.uniform(0.0, 0.6))
            self.leader.strike()
            self.play.calm.set()

    async def _answered(self) -> None:
        """What Discord is asked for just now is done: no clock jumps by minutes over a call, and whoever leads next
        looks only so far back for those that a killed keeper did not see the end of."""
        ledger = self.hall.playground.pipeline.ledger
        begun = ledger.begun("*")
        with suppress(TimeoutError):  # of a killed process some may never be told
            async with asyncio.timeout(CALLS):
                await ledger.reach(lambda: ledger.count("*"), begun)

    def _missing(self) -> list[tuple[str, str, int]]:
        """Who has sealed nothing in which round: for them their clock may bid."""
        found = self.hall.rows(
            """SELECT s.match_id, s."user", (SELECT count(DISTINCT round) + 1 FROM decisions d WHERE d.match_id = m.id)
            FROM matches m JOIN seats s ON s.match_id = m.id WHERE m.live = 1
            AND NOT EXISTS (SELECT 1 FROM seals WHERE seals.match_id = m.id AND seals.seat = s.seat)"""
        )
        return [(match, str(user), int(round)) for match, user, round in found]

    async def crash(self) -> None:
        async with self.led():
            await crashed(self.play, self.server)

    async def sever(self) -> None:
        assert self.hall.server is not None
        async with self.led():
            await cut(self.play, self.hall.server)

    @asynccontextmanager
    async def led(self) -> AsyncGenerator[None]:
        """At the end of it somebody has begun to lead, and is connected."""
        before = _led(self.leader)
        yield
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with asyncio.timeout(LEADS_WITHIN):
            while _led(self.leader) <= before or "connected as" not in _since(self.leader):  # noqa: ASYNC110 - it is another process
                await asyncio.sleep(0.05)
        self.longest = max(self.longest, loop.time() - began)

    async def peace(self) -> None:
        """Everybody keeps still, and what is shown comes to be what is stored."""
        self.play.calm.clear()
        await self.play.still.wait()
        await self.shown()
        self.play.calm.set()

    async def shown(self) -> None:
        """Every board and console comes to show what the store holds."""
        for match, live in await asyncio.to_thread(self.hall.rows, "SELECT id, live FROM matches"):
            if live or match not in self.play.results:
                await self._shows(match)
                self.play.results.update([] if live or self.play.ended.is_set() else [match])

    async def tidied(self) -> None:
        """Whatever a killed keeper had not removed yet, in whose place another message is, goes a minute later."""
        outdated = f"SELECT count(*) FROM deadlines WHERE kind = {int(DeadlineKind.OUTDATED)}"

        def left() -> bool:
            return self.hall.rows(outdated)[0][0] > 0

        if await asyncio.to_thread(left):
            await self.hall.stage.forward(SOON.total_seconds() + 1)
            async with asyncio.timeout(WAITS):
                while await asyncio.to_thread(left):  # noqa: ASYNC110 - it is another process
                    await asyncio.sleep(0.1)

    async def _shows(self, match: str) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + WAITS
        while True:
            self._forget_lapsed(match)
            left = until - loop.time()
            try:
                async with asyncio.timeout(LOOK if left > LOOK else None):
                    return await shows(self.hall, match, left, ticks=False)  # after each kill all is drawn anew
            except TimeoutError:
                continue

    def _forget_lapsed(self, match: str) -> None:
        """Nothing but the next press reaches a private console whose last press nobody answered: they lost that one."""
        lapsed = "SELECT \"user\", message FROM surfaces WHERE owner = ? AND state = 'lapsed'"
        for user, message in self.hall.rows(lapsed, match):
            watch = self.hall.watches[str(user)]
            kept = watch.consoles.get(match, {})
            for id in [one.id for one in kept.values() if one.is_ephemeral and message in (0, int(one.id))]:
                del kept[id]
                watch.forgotten.add(match)

    async def _soon(self, strike: Callable[[], None]) -> None:
        await soon(self.play, self.play.rng.random() < 0.3, strike)
        strike()


LEADS = "this keeper leads"


def _led(keeper: Part) -> str:
    """When it began to lead for the last time."""
    return next((line for line in reversed(keeper.logged().splitlines()) if LEADS in line), "")


def _since(keeper: Part) -> str:
    """Its log from then on."""
    return keeper.logged().rpartition(LEADS)[2]


async def soak_fleet(
    folder: Path, seed: int, seconds: float, people: int, server: postgres.Server, workers: int, pace: float
) -> str:
    """Raises whatever does not hold; else a line on what was done."""
    rng = random.Random(seed)
    address = await postgres.emptied(server)
    async with opened_hall(folder, patience=PATIENCE, server=address) as hall:
        await hall.down()  # the one bot has brought the tables up to date
        play = Play(hall, rng, PATIENCE, {"clock": CLOCK}, pace)
        run = Fleet(hall, play, server, folder, [], [])
        balancer = Balancer(lambda: [one.port for one in run.workers])
        hall.bot.settings |= {"GOPS_ENDPOINT": f"http://127.0.0.1:{await balancer.open()}/interactions"}
        run.workers += [Part(hall, "worker", folder / f"worker-{number}.log") for number in range(workers)]
        run.keepers += [Part(hall, "keeper", folder / f"keeper-{number}.log") for number in range(KEEPERS)]
        hall.parts += [*run.workers, *run.keepers]
        try:
            for one in (*run.workers, *run.keepers):
                await one.begin()
            await hall.stage.bot_ready(patience=PATIENCE)
            for one in run.workers:
                await one.logs("this worker answers")
            hall.up.set()
            # Workers and keepers take turns at a console by how long Discord waits for an answer: 3 seconds, as there.
            await hall.stage.settings(dm_opens=[people + COMPANY, 1], ack_seconds=3, nonce_seconds=REMEMBERED)
            companies = [await company(hall, first, people) for first in range(0, people, COMPANY)]
            run.keep_history()
            play.calm.set()
            play.still.set()
            await played_through(play, companies, run.last(seconds))
            await run.shown()
            await run.tidied()
            for one in (*run.workers, *run.keepers):
                await one.end(signal.SIGTERM)  # what was shown is noted
        finally:
            for one in (*run.workers, *run.keepers):
                await one.end()
            await balancer.close()
            run.tell_calls()
        with redirect_stdout(StringIO()):
            await holds(hall, play)
        assert [line for one in (*run.workers, *run.keepers) for line in one.trouble()] == []
        troubled = ", ".join(f"{count} {name}" for name, count in sorted(run.done.items()))
        bids = sum(map(len, play.pressed.values()))
        return f"{len(play.done)} matches, {bids} presses; {troubled}; led again within {run.longest:.1f} s"
