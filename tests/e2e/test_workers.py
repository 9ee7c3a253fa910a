"""Workers and keepers on one database: whoever answers, every bid that was confirmed is played, on one board."""

from __future__ import annotations

import json
import signal
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

from bot.playground.fleet.balancer import Balancer
from tests import postgres
from tests.e2e.games.table import begin, holds
from tests.e2e.hall import is_over
from tests.e2e.house import Bot, House, awaits, has, opened, told
from tests.e2e.test_keepers import Keeper
from tests.operate.commands import gops
from tests.operate.ports import free_port

CONSOLES = ("g1:co:", "g1:pk:", "g1:cm:", "g1:cs:", "g1:cc:")
"""custom ids of the keys of consoles"""


class WorkerBot(Bot):
    """One of several."""

    command = (*Bot.command, "--role", "worker")

    @classmethod
    def beside(cls, house: House, name: str) -> WorkerBot:
        worker = cls(house.stage, house.bot.database, house.bot.clock_file, house.bot.log.with_name(f"{name}.log"))
        worker.port = free_port()
        worker.settings = {**house.bot.settings, "GOPS_LISTEN": str(worker.port)}
        return worker

    port: int

    async def kill_alone(self) -> None:
        """As a power cut would; who is connected to Discord is not."""
        await self._end(signal.SIGKILL)


class Overheard(Balancer):
    """Keeps what Discord sent last, as whoever listens there could."""

    last: tuple[bytes, dict[str, str]]

    def __init__(self, behind: Callable[[], Sequence[int]]) -> None:
        super().__init__(behind)
        self.all: list[bytes] = []
        self.loses = False
        """whether answers are taken, and Discord never gets them"""

    async def _taken(self, request: web.Request) -> web.Response:
        await request.read()
        if self.loses and request.transport is not None:
            request.transport.abort()  # before it is dealt with: an answer by a call would be heard first now and then
        return await super()._taken(request)

    def heard(self, body: bytes, headers: dict[str, str]) -> None:
        self.last = body, headers
        self.all.append(body)


class Fleet:
    """Keepers and workers of a house, with a balancer before them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.balancer = Overheard(lambda: self.turn)
        self.passed_on = Overheard(lambda: [int(one.settings["GOPS_LISTEN"]) for one in self.keepers])
        self.workers: list[WorkerBot] = []
        self.keepers: list[Keeper] = []
        self.turn: list[int] = []
        """the ports of the workers, in the order in which the next press goes to them"""

    async def overhear(self) -> None:
        """Hear what workers pass on to keepers that begin to lead from now on."""
        self.house.bot.settings["GOPS_ADDRESS"] = f"http://127.0.0.1:{await self.passed_on.open()}"

    def keeper(self) -> Keeper:
        one = Keeper.beside(self.house, f"keeper-{len(self.keepers)}.log")
        one.settings = {**self.house.bot.settings, "GOPS_LISTEN": str(free_port())}
        self.keepers.append(one)
        return one

    async def worker(self) -> WorkerBot:
        one = WorkerBot.beside(self.house, f"worker-{len(self.workers)}")
        self.workers.append(one)
        self.turn.append(one.port)
        await one.spawn()
        return one

    def to(self, worker: WorkerBot) -> None:
        """What is pressed from now on comes to this one alone."""
        self.turn[:] = [worker.port]

    def trouble(self) -> list[str]:
        return [line for one in (*self.workers, *self.keepers) for line in one.trouble()]


@asynccontextmanager
async def fleet(
    folder: Path,
    server: postgres.Server,
    workers: int = 2,
    *,
    overhear: bool = False,
) -> AsyncGenerator[Fleet]:
    """A keeper that leads, and two workers."""
    async with opened(folder, start=False) as house:
        these = Fleet(house)
        port = await these.balancer.open()
        house.bot.settings |= {
            "GOPS_DATABASE": await postgres.emptied(server),
            "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions",
        }
        try:
            if overhear:
                await these.overhear()
            for _ in range(2):
                await these.worker()
            await these.keeper().start()
            for one in these.workers:
                await one.logs("this worker answers")
            await these.keepers[0].logs("told Discord that interactions go to")
            yield these
            assert these.trouble() == []
        finally:
            for one in (*these.workers, *these.keepers):
                await one._end(signal.SIGKILL)
            await these.balancer.close()
            await these.passed_on.close()


def on_consoles(heard: Overheard) -> list[str]:
    """The presses on keys of consoles."""
    asked = [str(json.loads(body).get("data", {}).get("custom_id", "")) for body in heard.all]
    return [one for one in asked if one.startswith(CONSOLES)]


async def test_every_kind_of_console_through_two_workers(tmp_path: Path, server: postgres.Server) -> None:
    """Of a card, of several, of open prizes; by DM and beside the board; one's own changed mind; practice."""
    async with fleet(tmp_path, server, overhear=True) as these:
        house = these.house
        for game in ("two-cards", "open-draft"):
            table = await begin(house, 2, game, None, game=game, cards=6)
            await table.play()
            await holds(table)
        practice = (await house.ana.slash("/gops practice", cards=3)).shown
        for round in (1, 2):
            await house.ana.press("A" if round == 1 else "2", in_=practice)
            practice = await house.ana.sees(has("Rematch") if round == 2 else awaits(2, dm=False), in_=practice)
        first, second = these.workers
        board = await house.match(cards=2)
        these.to(first)
        mine = await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
        body, headers = these.balancer.last
        async with aiohttp.ClientSession() as session:
            for worker in these.workers:
                async with session.post(f"http://127.0.0.1:{worker.port}", data=body, headers=headers) as answer:
                    assert answer.status == (401 if worker is first else 200)
        these.to(second)
        again = await house.ana.press("A", in_=mine.shown)
        assert "**A is sealed.**" in told(again)
        address = house.bot.settings["GOPS_DATABASE"]
        sealed = postgres.rows(address, "SELECT count(*), max(n) FROM seals", ())
        assert sealed == [(1, 1)], "sent twice, it counts once"
        console = await house.ben.sees(awaits(1, dm=True))
        these.balancer.loses = True
        assert (await house.ben.press("2", in_=console, may_fail=True)).failed
        these.balancer.loses = False
        await house.ana.sees(has("1st"), in_=board)
        await house.ben.sees(lambda seen: seen.id == console.id and is_over(seen))
        looked = await gops(first.environment(), "doctor", "--run", "endpoint", "--env", "/dev/null")
        assert looked.code == 0, looked
        assert "where what is not signed is refused" in looked.out
        assert f"takes what workers pass on at {house.bot.settings['GOPS_ADDRESS']}" in looked.out
        pressed, passed_on = on_consoles(these.balancer), on_consoles(these.passed_on)
        assert len(these.passed_on.all) > len(passed_on), "challenges, for one"
        few = f"{len(passed_on)} of {len(pressed)}: only what the keeper had just sent, and had not stored yet"
        assert len(passed_on) < len(pressed) / 2, few


async def test_whoever_is_killed(tmp_path: Path, server: postgres.Server) -> None:
    async with fleet(tmp_path, server) as these:
        house, first, leader = these.house, these.workers[0], these.keepers[0]
        other = these.keeper()
        await other.stand_by()
        board = await house.match(cards=4, clock=3600)
        # A worker.
        console = (await house.ana.press("4", in_=await house.ana.sees(awaits(1, dm=True)))).shown
        await first.kill_alone()
        assert "**3 is sealed.**" in told(await house.ana.press("3", in_=console))
        # The leader: keys of consoles work on, and whatever else is asked for gets a sentence.
        await leader.kill()
        await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
        said = await house.ben.slash("/gops leaderboard")
        assert said.shown.text.startswith("I am changing over") or "Leaderboard" in said.shown.text
        await house.stage.bot_ready(patience=30)
        await other.logs("connected as")
        await house.ana.sees(awaits(2, dm=True))
        await house.ana.sees(has("round 2"), in_=board)
        # Both keepers: what is sealed meanwhile is played.
        await other.kill()
        await house.ana.press("4", in_=await house.ana.sees(awaits(2, dm=True)))
        assert told(await house.ana.slash("/gops leaderboard")).startswith("I am changing over")
        await house.ben.press("2", in_=await house.ben.sees(awaits(2, dm=True)))
        third = these.keeper()
        await third.start()
        await house.ana.sees(has("round 3"), in_=board)
        await house.ana.press("A", in_=await house.ana.sees(awaits(3, dm=True)))
        await house.ben.press("3", in_=await house.ben.sees(awaits(3, dm=True)))
        await house.ana.sees(has("1st"), in_=board)
        address = house.bot.settings["GOPS_DATABASE"]
        played = postgres.rows(address, "SELECT round, seat, choice FROM decisions ORDER BY round, seat", ())
        assert [choice for _, seat, choice in played if seat == 0][:3] == ["3", "4", "1"]
        assert len(house.ana.finds(has("1st"))) >= 1
        assert postgres.rows(address, "SELECT count(*) FROM surfaces WHERE kind = 1 AND state = 'live'", ()) == [(1,)]
