"""Processes connected by real sockets, for tests: owners that do as a test says, and a wire that can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.process.base.addresses import join_address, split_address
from bot.process.peers.connection import PeerReply, PeerRequest, PeerStatus
from bot.process.peers.frames import PeerIdentity
from bot.process.peers.peers import Peers

TOKEN = "hunter2"
PATIENCE = 10.0
"""seconds in which what a test waits for comes on any machine"""

Deed = Callable[[PeerRequest], Awaitable[PeerStatus]]


async def handled(_: PeerRequest) -> PeerStatus:
    return PeerStatus.HANDLED


@dataclass
class Owner:
    """Handles requests as a test says."""

    deed: Deed = handled
    bodies: list[bytes] = field(default_factory=list[bytes])
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    heard: asyncio.Queue[tuple[str, float]] = field(default_factory=asyncio.Queue[tuple[str, float]])

    async def handle(self, request: PeerRequest) -> PeerStatus:
        self.bodies.append(request.body)
        self.begun.set()
        return await self.deed(request)

    def wake(self, partition: int) -> None:
        self.heard.put_nowait(("wake", partition))

    def limit(self, seconds: float) -> None:
        self.heard.put_nowait(("limit", seconds))

    def forget(self, id: int) -> None:
        self.heard.put_nowait(("forget", id))

    def see_shards(self) -> None:
        self.heard.put_nowait(("shards", 0))


def identity(process: int = 1, token: str = TOKEN) -> PeerIdentity:
    return PeerIdentity.from_token(token, 61, process)


@dataclass
class Scene:
    """Process 1 forwards to process 2, the owner."""

    asker: Peers
    owner: Owner
    owner_peers: Peers
    address: str

    async def forward(self, body: bytes = b"press", within: float = PATIENCE) -> PeerReply:
        return await asyncio.wait_for(self.asker.forward(self.address, body, within), 2 * PATIENCE)


@asynccontextmanager
async def connected(
    deed: Deed = handled,
    *,
    silence: float = PATIENCE,
    owner_silence: float | None = None,
    owner: PeerIdentity | None = None,
    wired: bool = True,
) -> AsyncIterator[Scene]:
    """Two processes; with `wired` the first one keeps a connection to the second."""
    handler = Owner(deed)
    asker = Peers(identity(), Owner(), silence)
    peers = Peers(owner or identity(2), handler, owner_silence or silence, handler.see_shards)
    try:
        address = await peers.open("127.0.0.1:0")
        if wired:
            asker.keep([address])
        yield Scene(asker, handler, peers, address)
    finally:
        await asker.close(0)
        await peers.close(0)


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(talk: Talk) -> AsyncIterator[str]:
    """A server that talks as a test says; gives its address."""
    writers: list[asyncio.StreamWriter] = []
    tasks: list[asyncio.Task[None]] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        task = asyncio.current_task()
        assert task is not None
        tasks.append(task)
        with suppress(ConnectionError):
            await talk(reader, writer)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield join_address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await end(*writers)
        for task in tasks:
            task.cancel()
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE)


async def end(*writers: asyncio.StreamWriter) -> None:
    """End connections now."""
    for writer in writers:
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()


class Wire:
    """Stands between two processes: passes on what it reads."""

    def __init__(self, to: str) -> None:
        self.address = ""
        self.sent = bytearray()
        """what the asker sent"""
        self.passed = asyncio.Event()
        """set when something passed to the owner"""
        self.is_through = asyncio.Event()
        """set by default; a new connection waits for it"""
        self.is_through.set()
        self.is_dumb = False
        """True: nothing passes, and no side hears of that"""
        self.writers: list[asyncio.StreamWriter] = []
        """towards the owner, one for each connection"""
        self._to = split_address(to)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.is_through.wait()
        there, here = await asyncio.open_connection(*self._to)
        self.writers.append(here)
        try:
            await asyncio.gather(self._pass_on(reader, here, self.sent), self._pass_on(there, writer, bytearray()))
        finally:
            await end(here, writer)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, copy: bytearray) -> None:
        with suppress(ConnectionError, RuntimeError):  # uvloop raises the second for a connection that was ended
            while data := await source.read(1 << 16):
                if not self.is_dumb:
                    copy += data
                    target.write(data)
                    self.passed.set()
        if self.is_dumb:  # the other side hears of no end either
            await asyncio.Event().wait()
        target.close()

    @classmethod
    @asynccontextmanager
    async def to(cls, address: str) -> AsyncIterator[Wire]:
        wire = cls(address)
        async with serving(wire._talk) as wire.address:
            yield wire
