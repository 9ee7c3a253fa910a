"""The other processes of this bot: a kept connection to each of them, and a port for theirs."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from bot.process.base.addresses import join_address, split_address
from bot.process.base.backoff import Backoff
from bot.process.peers.connection import (
    HANDSHAKE,
    FrameKind,
    LocalPeer,
    PeerConnection,
    PeerHandler,
    PeerReply,
    PeerStatus,
)
from bot.process.peers.frames import PeerIdentity

log = logging.getLogger(__name__)

FIRST_WAIT, MAX_WAIT = 0.1, 2.0
"""shortest and longest wait between two attempts to connect, in seconds"""

FLUSH = 1.0
"""seconds in which what was written must be sent when everything is closed"""


class Link:
    """The way to one address: a connection that is made again whenever it ends."""

    def __init__(self, local: LocalPeer, address: str) -> None:
        self._local, self._address = local, address
        self.connection = PeerConnection(local, address)
        """the present one, or one that failed"""
        self.task = asyncio.get_running_loop().create_task(self._stay_connected(), name=f"peer {address}")

    def current(self) -> PeerConnection:
        """Return the connection. After one that the peer ended it is a new one, and what is sent waits for it."""
        if self.connection.lost.done() and not self.connection.problem:
            self.connection = PeerConnection(self._local, self._address)
        return self.connection

    async def _stay_connected(self) -> None:
        loop, backoff = asyncio.get_running_loop(), Backoff(FIRST_WAIT, MAX_WAIT)
        connection = self.connection
        while True:
            began = loop.time()
            await _connect(connection, self._address)
            if self.connection.problem:  # else it is this one already, or the one after it
                self.connection = connection
            await asyncio.wait({connection.lost})
            connection = self.current()
            if connection.lost.done():
                connection = PeerConnection(self._local, self._address)
            await asyncio.sleep(backoff.wait(loop.time() - began))


async def _connect(connection: PeerConnection, address: str) -> None:
    host, port = split_address(address)
    try:
        async with asyncio.timeout(HANDSHAKE):
            await asyncio.get_running_loop().create_connection(lambda: connection, host, port)
    except OSError as error:
        connection.end(f"cannot be reached ({type(error).__name__})")


class Peers:
    """What this process says to the others, and hears of them."""

    def __init__(
        self,
        identity: PeerIdentity,
        handler: PeerHandler,
        silence: float,
        on_shards: Callable[[], object] = lambda: None,
    ) -> None:
        """A peer that sends nothing for `silence` seconds counts as gone. `on_shards` is called when the answer of
        `tell_shards` may be another one."""
        self._local = LocalPeer(identity, handler, silence, on_shards)
        self._links: dict[str, Link] = {}
        self._server: asyncio.Server | None = None

    async def open(self, address: str) -> str:
        """Listen at `host:port`, for port 0 on any free one. Return the address for other processes. Raises OSError."""
        host, port = split_address(address)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(partial(PeerConnection, self._local), host, port)
        return join_address(host, self._server.sockets[0].getsockname()[1])

    def keep(self, addresses: Iterable[str]) -> None:
        """Keep connections to these other processes, and to no others."""
        wanted = set(addresses)
        for address in self._links.keys() - wanted:
            link = self._links.pop(address)
            link.task.cancel()
            link.connection.end()
        for address in wanted - self._links.keys():
            self._links[address] = Link(self._local, address)

    async def forward(self, address: str, body: bytes, within: float) -> PeerReply:
        """Let the process at a kept address handle a request. A failure is a status, and not an exception."""
        link = self._links.get(address)
        if link is None or self._local.is_closing:
            return PeerReply(PeerStatus.GONE)
        return await link.current().ask(body, within)

    def wake(self, address: str, partition: int) -> None:
        """Tell a process that there are jobs for its partition. It may get lost: the next beat finds them too."""
        if (link := self._links.get(address)) is not None:
            link.connection.send(FrameKind.WAKE, partition)

    def tell_limit(self, seconds: float) -> None:
        """Tell all processes that Discord refuses calls of the whole bot for so many seconds."""
        for link in self._links.values():
            link.connection.send(FrameKind.LIMIT, math.ceil(seconds * 1000))

    def tell_changed(self, id: int) -> None:
        """Tell all processes that what is known of a person or server was changed, for 0 of several."""
        for link in self._links.values():
            link.connection.send(FrameKind.FORGET, id)

    def tell_shards(self, shards: Collection[tuple[int, int]]) -> bool:
        """Tell all processes which shards this one keeps connected, each with the number of shards that it is one of.
        Return True if all shards are connected, here or in a process that forwards to this one."""
        told = json.dumps(sorted(shards)).encode()
        if told != self._local.shards:
            self._local.shards = told
            for link in self._links.values():
                if link.connection.is_open:
                    link.connection.ping()
        bodies = [told, *(each.shards for each in self._local.accepted)]
        connected = {(shard, count) for body in bodies for shard, count in json.loads(body)}
        return any(connected.issuperset((shard, count) for shard in range(count)) for _, count in connected)

    def is_complete(self) -> bool:
        """Return True while all other processes are connected."""
        return all(link.connection.is_open for link in self._links.values())

    async def close(self, patience: float) -> None:
        """Refuse new requests, and give those under way so many seconds. First close what forwards."""
        self._local.is_closing = True
        if self._server is not None:
            self._server.close()
        tasks, accepted = self._local.tasks, [*self._local.accepted]
        waiting = (waiter for link in self._links.values() for waiter in link.connection.waiting.values())
        await _wait({*tasks, *waiting}, patience)
        for task in tasks:
            task.cancel()
        await _wait(tasks, FLUSH)
        for connection in accepted:
            if connection.transport is not None:
                connection.transport.close()  # after the last answers
        await _wait({connection.lost for connection in accepted}, FLUSH)
        ending = [*accepted, *(link.connection for link in self._links.values())]
        links = {link.task for link in self._links.values()}
        self.keep([])
        for connection in accepted:
            connection.end()
        await _wait({*links, *(connection.lost for connection in ending)}, FLUSH)


async def _wait(futures: Iterable[asyncio.Future[Any]], seconds: float) -> None:
    if futures := [*futures]:
        await asyncio.wait(futures, timeout=seconds)
