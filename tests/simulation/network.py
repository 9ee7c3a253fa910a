"""The connections between processes, in place of `Peers`: what is sent arrives soon, late or never."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextvars import Context
from functools import partial
from typing import Any

from bot.process.peers.connection import PeerHandler, PeerReply, PeerRequest, PeerStatus
from bot.process.peers.frames import PeerIdentity
from tests.simulation.loop import PROCESS, WorldLoop, context_of

HOP = 0.0004
"""Seconds from one process to another."""

TICK = 0.01
"""Seconds between looks for requests without an answer."""

GONE = PeerReply(PeerStatus.GONE)


class Network:
    """All processes, by their addresses, and the lines between them that are cut."""

    def __init__(self, loop: WorldLoop) -> None:
        self.loop = loop
        self.ends: dict[str, SimulatedPeers] = {}
        self.silent: dict[str, float] = {}
        """Since when each process is stopped, or its machine gone. Others notice that by its silence. Processes are
        named by their addresses."""
        self._late: dict[int, list[tuple[Context, asyncio.Future[PeerStatus]]]] = {}
        """Requests by the tick at which their askers give them up."""
        self._cut: dict[frozenset[str], float] = {}
        self._held: dict[frozenset[str], list[Callable[[], object]]] = {}

    def peers(self, identity: PeerIdentity, handler: PeerHandler, silence: float, _: object) -> SimulatedPeers:
        """Make the end of the process that asks for it."""
        return SimulatedPeers(self, PROCESS.get(), handler, silence)

    def limit(self, context: Context, waiter: asyncio.Future[PeerStatus], seconds: float) -> None:
        """Let the process of a context give up a request after so many seconds."""
        tick = int((self.loop.time() + seconds) / TICK) + 1
        if tick not in self._late:
            self._late[tick] = []
            self.loop.after(tick * TICK - self.loop.time(), self._give_up, tick)
        self._late[tick].append((context, waiter))

    def _give_up(self, tick: int) -> None:
        for context, waiter in self._late.pop(tick):
            if not waiter.done():
                self.loop.call_soon(settle, waiter, PeerStatus.LOST, context=context)

    def cut(self, one: str, other: str) -> None:
        line = frozenset((one, other))
        self._cut.setdefault(line, self.loop.time())
        self._held.setdefault(line, [])

    def mend(self, one: str, other: str, silence: float) -> None:
        """Let what was sent arrive, unless both sides have ended their connections meanwhile."""
        line = frozenset((one, other))
        since, held = self._cut.pop(line, self.loop.time()), self._held.pop(line, [])
        for arrive in held if self.loop.time() - since < silence else ():
            arrive()

    def is_cut(self, one: str, other: str) -> bool:
        return bool(self._cut) and frozenset((one, other)) in self._cut

    def hold(self, one: str, other: str, arrive: Callable[[], object]) -> None:
        """Keep what is sent on a line that is cut."""
        self._held[frozenset((one, other))].append(arrive)

    def is_silent(self, one: str, other: str, silence: float) -> bool:
        """Return True if a process has noticed by now that it hears nothing of another one."""
        if not (self.silent or self._cut):
            return False
        since = min(self.silent.get(other, 1e12), self._cut.get(frozenset((one, other)), 1e12))
        return self.loop.time() - since > silence

    def drop(self, address: str) -> None:
        """A process is dead: nobody reaches it, and what waits for it learns that."""
        if (end := self.ends.pop(address, None)) is not None:
            end.is_closing = True
            for waiter in [*end.waiting]:
                settle(waiter, PeerStatus.LOST)


class SimulatedPeers:
    """What `Peers` is to a process."""

    def __init__(self, network: Network, process: str, handler: PeerHandler, silence: float) -> None:
        self.process = process
        self.is_closing = False
        self.waiting: set[asyncio.Future[PeerStatus]] = set()
        """Requests of others that this process got."""
        self._network, self._handler, self._silence = network, handler, silence
        self._context = context_of(process)
        self._kept: set[str] = set()

    async def open(self, address: str) -> str:
        self._network.ends[address] = self
        return address

    def keep(self, addresses: Iterable[str]) -> None:
        self._kept = {*addresses}

    async def forward(self, address: str, body: bytes, within: float) -> PeerReply:
        network = self._network
        peer = network.ends.get(address)
        if peer is None or address not in self._kept or network.is_silent(self.process, peer.process, self._silence):
            return GONE
        waiter: asyncio.Future[PeerStatus] = network.loop.create_future()
        peer.waiting.add(waiter)
        network.limit(self._context, waiter, within)
        if network.is_cut(self.process, peer.process):
            network.hold(self.process, peer.process, partial(peer.receive, body, self.process, waiter))
        else:
            network.loop.after(HOP, peer.receive, body, self.process, waiter)
        try:
            return PeerReply(await waiter)
        finally:
            peer.waiting.discard(waiter)

    def receive(self, body: bytes, asker: str, waiter: asyncio.Future[PeerStatus]) -> None:
        if self.is_closing or self._network.loop.is_dead(self.process):
            return
        connection: Any = SimulatedConnection(self._network, self.process, asker, waiter)
        request = PeerRequest(body, connection, 0)
        task = self._network.loop.create_task(self._handler.handle(request), context=self._context)
        task.add_done_callback(partial(_finish, request))

    def wake(self, address: str, partition: int) -> None: ...

    def is_complete(self) -> bool:
        return True

    def tell_limit(self, seconds: float) -> None: ...

    def tell_shards(self, shards: object) -> bool:
        return True

    def tell_changed(self, id: int) -> None: ...

    async def close(self, patience: float) -> None:
        self.is_closing = True


class SimulatedConnection:
    """What the answer of a request goes to. It takes no time: that of the request is for both."""

    __slots__ = ("_line", "_network", "_waiter")

    def __init__(self, network: Network, owner: str, asker: str, waiter: asyncio.Future[PeerStatus]) -> None:
        self._network, self._line, self._waiter = network, (owner, asker), waiter

    def send(self, status: PeerStatus, number: int) -> None:
        if self._network.is_cut(*self._line):
            self._network.hold(*self._line, partial(settle, self._waiter, status))
        else:
            settle(self._waiter, status)


def _finish(request: PeerRequest, task: asyncio.Task[PeerStatus]) -> None:
    is_done = not task.cancelled() and task.exception() is None
    request.answer(task.result() if is_done else PeerStatus.LOST)


def settle(waiter: asyncio.Future[PeerStatus], status: PeerStatus) -> None:
    if not waiter.done():
        waiter.set_result(status)
