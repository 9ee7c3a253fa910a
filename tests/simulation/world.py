"""The whole simulation: processes on one fake server, their players, and what goes wrong by chance."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from bot.process.sharing import SILENCE
from tests.simulation.discord import Counted
from tests.simulation.loop import WorldLoop
from tests.simulation.network import Network
from tests.simulation.players import Count, Players
from tests.simulation.process import CALLS, SimulatedProcess
from tests.simulation.server import Server
from tests.simulation.wire import Connection, Pool, Wire

BEGIN = 1e9
"""The time at which a simulation begins, in seconds of Discord's calendar."""

RAMP = 15.0
"""Seconds in which all processes join, before anything goes wrong."""

REST = 45.0
"""Seconds at the end, in which nothing more goes wrong and nobody begins a bid."""

UNWATCHED = SILENCE
"""Seconds after which a load balancer sends nothing more to a process that is stopped."""


@dataclass(frozen=True)
class Plan:
    """What is simulated."""

    seed: int
    parts: Sequence[tuple[float, float]]
    """Seconds, and the bids that players begin in each of them, one part after another."""
    processes: int = 4
    matches: int = 10_000
    """Matches of two that are played at the same time: in the peak hour each player bids every 15 seconds."""
    calls_per_bid: float = 312 / 1350
    """Counted calls that a bid needs: as many as if all consoles were in DMs."""
    trouble: float = 20.0
    """Mean seconds between two troubles."""
    tell: Callable[[str], None] = lambda _: None
    """Called with a line after each part."""


@dataclass
class Report:
    seed: int
    players: Count
    calls: int = 0
    highest: int = 0
    """Most calls in any second, over all processes."""
    over: Sequence[str] = ()
    waiting: int = 0
    """Bids that were not confirmed at the end."""
    troubles: dict[str, int] = field(default_factory=dict[str, int])
    errors: Sequence[str] = ()
    processes: int = 0
    """Processes that were started."""
    refused: int = 0
    """Changes that a fence refused."""
    dropped: int = 0
    ended: int = 0
    seconds: float = 0.0
    cpu: float = 0.0

    def find_failures(self) -> list[str]:
        """Return what must never happen and did."""
        lost, over = self.players.lost, self.over
        found = [f"confirmed bid lost: {one}" for one in lost[:5]] + [f"too many calls: {one}" for one in over[:5]]
        found += [f"error: {one}" for one in self.errors[:5]]
        if self.waiting:
            found.append(f"{self.waiting} bids were never confirmed")
        return [f"seed {self.seed}: {one}" for one in found]

    def lines(self) -> Iterator[str]:
        players = self.players
        yield f"seed {self.seed}, {self.seconds:,.0f} s of virtual time, {self.processes} processes started"
        yield f"bids confirmed {players.bids:,}, in {players.matches:,} matches; lost {len(players.lost)}"
        yield f"asked to press again {players.again:,}; no answer in time {players.failed:,}"
        yield f"longest wait {players.longest:.1f} s; {players.late:,} bids took more than a second"
        yield f"most calls in any second {self.highest} of {CALLS}; {self.calls:,} calls in all"
        yield ", ".join(f"{name} {count}" for name, count in sorted(self.troubles.items()))
        yield f"changes refused by a fence {self.refused:,}, lost before their commit {self.dropped}"
        yield f"connections ended by a new owner {self.ended}; CPU {self.cpu:.0f} s"


class World:
    def __init__(self, loop: WorldLoop, plan: Plan) -> None:
        self.loop, self.plan = loop, plan
        self.chance = random.Random(plan.seed)
        self.players = Players(loop, random.Random(plan.seed + 1), plan.matches)
        self.server = Server(loop, self.chance, self.players.check)
        self.network = Network(loop)
        self.counted = Counted(CALLS)
        self.living: list[SimulatedProcess] = []
        self.troubles: dict[str, int] = dict.fromkeys(("kills", "lost machines", "hangs", "store cuts", "peer cuts"), 0)
        self.started = 0
        self._troubled: set[SimulatedProcess] = set()
        self._kinds: list[str] = []
        self._is_calm = False
        self.players.deliver = self._deliver
        self.players.forget_row = lambda code: self.server.matches.pop(code, None)

    async def run(self) -> Report:
        began, cpu = self.loop.time(), time.process_time()
        for number in range(self.plan.processes):
            self.loop.after(number, self._start)
        self.players.start()
        self.loop.after(RAMP, self._trouble)
        await asyncio.sleep(self.plan.processes)
        for seconds, rate in self.plan.parts:
            self.players.rate = rate
            await asyncio.sleep(seconds)
            count = self.players.count
            self.plan.tell(
                f"  {seconds:,.0f} s at {rate:,.0f} bids a second: {count.bids:,} so far, lost {len(count.lost)}"
            )
        self.players.rate, self._is_calm = 0.0, True
        await asyncio.sleep(REST)
        self.players.check_all(self.server.matches.get)
        return self._report(self.loop.time() - began, time.process_time() - cpu)

    def _report(self, seconds: float, cpu: float) -> Report:
        return Report(
            self.plan.seed,
            self.players.count,
            self.counted.calls,
            self.counted.highest,
            self.counted.over,
            self.players.waiting,
            self.troubles,
            [*self.loop.errors],
            self.started,
            self.server.refused,
            self.server.dropped,
            self.server.ended,
            seconds,
            cpu,
        )

    # --- processes ----------------------------------------------------------------------------------------

    def find_wire(self, address: str) -> Wire:
        return next(process.wire for process in self.living if process.address == address)

    def _start(self) -> None:
        self.started += 1
        process = SimulatedProcess(
            *(self.loop, self.chance, self.server, self.network, self.players, self.counted, self.plan.calls_per_bid)
        )
        self.living.append(process)
        task = self.loop.create_task(process.run(), context=process.context)
        task.add_done_callback(lambda done: self._end(process, done))

    def _end(self, process: SimulatedProcess, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and process in self.living:
            if error := task.exception():
                self.loop.errors.append(f"a process ended with {error!r}")
            self._kill(process)

    def _kill(self, process: SimulatedProcess) -> None:
        """End a process now. Another one is started some seconds later."""
        process.wire.end()
        self.loop.kill_process(process.address)
        self.network.drop(process.address)
        self._forget(process)

    def _forget(self, process: SimulatedProcess) -> None:
        self.living.remove(process)
        self._troubled.discard(process)
        self.loop.after(2.0 + 5.0 * self.chance.random(), self._start)

    def _deliver(self, payload: dict[str, Any]) -> None:
        """Bring an interaction to any process, as a load balancer would. It does not know yet who has just stopped."""
        now, silent = self.loop.time(), self.network.silent
        for _ in range(20):
            process = self.living[int(self.chance.random() * len(self.living))]
            if process.is_ready and now - silent.get(process.address, now) < UNWATCHED:
                self.loop.call_soon(process.hear, payload, context=process.context)
                return

    # --- troubles -----------------------------------------------------------------------------------------

    def _trouble(self) -> None:
        if self._is_calm:
            return
        chance = self.chance
        self.loop.after(chance.expovariate(1 / self.plan.trouble), self._trouble)
        able = [process for process in self.living if process.is_ready and process not in self._troubled]
        if len(able) < 3:  # two processes at least go on
            return
        process = chance.choice(able)
        kind = self._draw_kind()
        self.troubles[kind] += 1
        self._troubled.add(process)
        if kind == "kills":
            self._kill(process)
        elif kind == "lost machines":
            self._lose_machine(process)
        elif kind == "hangs":
            self._hang(process, chance.uniform(0.5, 30.0))
        elif kind == "store cuts":
            process.wire.cut()
            self.loop.after(chance.uniform(0.5, 15.0), self._mend_wire, process)
        else:
            other = chance.choice([each for each in able if each is not process])
            self.network.cut(process.address, other.address)
            self.loop.after(chance.uniform(0.5, 15.0), self._mend_peers, process, other)

    def _draw_kind(self) -> str:
        """Draw a kind of trouble. Each comes once before one comes again."""
        if not self._kinds:
            self._kinds = self.chance.sample([*self.troubles], len(self.troubles))
        return self._kinds.pop()

    def _lose_machine(self, process: SimulatedProcess) -> None:
        """A machine is gone without a word: nobody's connection ends."""
        process.wire.is_dead = True
        self.loop.kill_process(process.address)
        self.network.silent[process.address] = self.loop.time()
        self.loop.after(10.0, self._end_machine, process)

    def _end_machine(self, process: SimulatedProcess) -> None:
        self.network.drop(process.address)
        self.network.silent.pop(process.address, None)
        process.wire.end()
        self._forget(process)

    def _hang(self, process: SimulatedProcess, seconds: float) -> None:
        self.loop.stop_process(process.address)
        self.network.silent[process.address] = self.loop.time()
        self.loop.after(seconds, self._go_on, process)

    def _go_on(self, process: SimulatedProcess) -> None:
        self.network.silent.pop(process.address, None)
        self._troubled.discard(process)
        self.loop.continue_process(process.address)

    def _mend_wire(self, process: SimulatedProcess) -> None:
        self._troubled.discard(process)
        process.wire.mend()

    def _mend_peers(self, process: SimulatedProcess, other: SimulatedProcess) -> None:
        self._troubled.discard(process)
        self.network.mend(process.address, other.address, SILENCE)


@contextmanager
def replaced(world: World) -> Iterator[None]:
    """Put the fake server, network and time in place of the real ones."""

    async def connect_pool(address: str, *_: object) -> Pool:
        return Pool(world.find_wire(address))

    async def connect_dedicated(address: str, *_: object) -> Connection:
        return Connection(world.find_wire(address))

    async def do_nothing(*_: object) -> None: ...

    with ExitStack() as stack:
        for name, fake in (
            ("time.monotonic", world.loop.time),
            ("asyncio.get_running_loop", lambda: world.loop),  # the real one asks the system for the process
            ("asyncio.events.get_running_loop", lambda: world.loop),
            ("data.postgres.database.connect_pool", connect_pool),
            ("data.postgres.database.migrate", do_nothing),
            ("data.postgres.database.refuse_moved", do_nothing),
            ("data.postgres.lease_session.connect_dedicated", connect_dedicated),
            ("bot.process.sharing.Peers", world.network.peers),
            ("bot.process.sharing.register_commands", do_nothing),
        ):
            stack.enter_context(mock.patch(name, fake))
        yield


def simulate(plan: Plan, make_world: Callable[[WorldLoop, Plan], World] = World) -> Report:
    """Simulate a plan, as fast as this machine computes it."""
    gc.set_threshold(100_000, 50, 100)  # this many objects live as long as the simulation
    gc.freeze()  # a dead process is collected without a look at all modules
    with asyncio.Runner(loop_factory=WorldLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, WorldLoop)
        loop.advance(BEGIN)
        world = make_world(loop, plan)
        with replaced(world):
            try:
                return runner.run(world.run())
            finally:
                runner.run(cancel_all(loop))
                gc.unfreeze()


async def cancel_all(loop: WorldLoop) -> None:
    """End the tasks of all processes, dead ones too, and those that they begin meanwhile."""
    loop.end()
    while tasks := asyncio.all_tasks(loop) - {asyncio.current_task()}:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=10.0)
