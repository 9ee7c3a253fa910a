"""The connections between processes, in place of `Peers`: what is sent arrives soon, late or never."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from bot.process.peers.connection import PeerHandler, PeerReply, PeerRequest, PeerStatus
from bot.process.peers.frames import PeerIdentity
from tests.simulation.loop import PROCESS, WorldLoop, context_of

HOP = 0.0004
"""Seconds from one process to another."""

Answer = Callable[[PeerStatus], None]


class Network:
    """All processes, by their addresses, and the lines between them that are cut."""

    def __init__(self, loop: WorldLoop) -> None:
        self.loop = loop
        self.ends: dict[str, SimulatedPeers] = {}
        self.silent: dict[object, float] = {}
        """Since when each process is stopped, or its machine gone. Others notice that by its silence."""
        self._cut: dict[frozenset[object], float] = {}
        self._held: dict[frozenset[object], list[Callable[[], None]]] = {}

    def peers(self, identity: PeerIdentity, handler: PeerHandler, silence: float) -> SimulatedPeers:
        """Make the end of the process that asks for it."""
        return SimulatedPeers(self, PROCESS.get(), handler, silence)

    def cut(self, one: object, other: object) -> None:
        line = frozenset((one, other))
        self._cut.setdefault(line, self.loop.time())
        self._held.setdefault(line, [])

    def mend(self, one: object, other: object, silence: float) -> None:
        """Let what was sent arrive, unless both sides have ended their connections meanwhile."""
        line = frozenset((one, other))
        since, held = self._cut.pop(line, self.loop.time()), self._held.pop(line, [])
        for arrive in held if self.loop.time() - since < silence else ():
            arrive()

    def carry(self, one: object, other: object, arrive: Callable[[], None], seconds: float = HOP) -> None:
        """Let something arrive. An answer takes no time: that of the request is for both."""
        if self._cut and (line := frozenset((one, other))) in self._cut:
            self._held[line].append(arrive)
        elif seconds:
            self.loop.at(self.loop.time() + seconds, arrive)
        else:
            arrive()

    def is_silent(self, one: object, other: object, silence: float) -> bool:
        """Return True if a process has noticed by now that it hears nothing of another one."""
        since = min(self.silent.get(other, 1e12), self._cut.get(frozenset((one, other)), 1e12))
        return self.loop.time() - since > silence

    def drop(self, process: object) -> None:
        """A process is dead: nobody reaches it, and what waits for it learns that."""
        for address, end in [*self.ends.items()]:
            if end.process is process:
                del self.ends[address]
                end.is_closing = True
                for waiter in [*end.waiting]:
                    settle(waiter, PeerStatus.LOST)


class SimulatedPeers:
    """What `Peers` is to a process."""

    def __init__(self, network: Network, process: object, handler: PeerHandler, silence: float) -> None:
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
            return PeerReply(PeerStatus.GONE)
        waiter: asyncio.Future[PeerStatus] = network.loop.create_future()
        peer.waiting.add(waiter)
        timer = network.loop.call_later(within, settle, waiter, PeerStatus.LOST)
        answer = partial(self._answer, peer, waiter)
        network.carry(self.process, peer.process, partial(peer.receive, body, answer))
        try:
            return PeerReply(await waiter)
        finally:
            timer.cancel()
            peer.waiting.discard(waiter)

    def _answer(self, peer: SimulatedPeers, waiter: asyncio.Future[PeerStatus], status: PeerStatus) -> None:
        self._network.carry(peer.process, self.process, partial(settle, waiter, status), 0.0)

    def receive(self, body: bytes, answer: Answer) -> None:
        if self.is_closing:
            return
        request = PeerRequest(body, SimulatedConnection(answer), 0)  # pyright: ignore[reportArgumentType]
        task = self._network.loop.create_task(self._handler.handle(request), context=self._context)
        task.add_done_callback(partial(_finish, request))

    def wake(self, address: str, partition: int) -> None: ...

    def tell_limit(self, seconds: float) -> None: ...

    async def close(self, patience: float) -> None:
        self.is_closing = True


class SimulatedConnection:
    """What the answer of a request goes to."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def send(self, kind: int, number: int, body: bytes = b"") -> None:
        self._answer(PeerStatus(kind))


def _finish(request: PeerRequest, task: asyncio.Task[PeerStatus]) -> None:
    is_done = not task.cancelled() and task.exception() is None
    request.answer(task.result() if is_done else PeerStatus.LOST)


def settle(waiter: asyncio.Future[PeerStatus], status: PeerStatus) -> None:
    if not waiter.done():
        waiter.set_result(status)
