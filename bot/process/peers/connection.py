"""A connection between two processes. The asker opened it and sends requests; the owner handles them.

Requests have numbers, so that many are under way at once. Everything is bounded, and what exceeds a bound is refused at
once: a slow peer costs no memory, and nothing waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Protocol, TypeVar, cast

from bot.process.peers.frames import MAX_BODY, Handshake, PeerError, PeerIdentity, Session
from bot.rest.inline_response import InlineResponse, write_json

log = logging.getLogger(__name__)

T = TypeVar("T")

HANDSHAKE = 2.0
"""seconds in which both sides have to prove the key"""

BEATS = 3
"""signs of life in the time after which a silent peer is gone"""

WRITTEN_WITHIN = 1.0
"""seconds in which an asker says that it wrote an answer"""

MAX_WAITING = 1000
"""most requests of a connection that wait for their answer"""

MAX_UNSENT = 4 << 20
"""bytes that may wait for a slow peer; what is sent beyond that is dropped"""

MAX_UNDER_WAY, MAX_BYTES = 2000, 16 << 20
"""most requests that a process handles at once, and most bytes of their bodies, for all connections together"""

MAX_CONNECTIONS = 256
"""connections from other processes at once; one more is ended when it comes"""

MAX_REPORTED = 100
"""most peers with a problem that is logged"""


class PeerStatus(IntEnum):
    """What became of a request."""

    HANDLED = 1
    """The owner has dealt with it, or will; nothing is left to do."""
    ANSWER = 2
    """The body is the answer to an HTTP request: write it, and acknowledge that."""
    MOVED = 3
    """The peer is not the owner any more, so it was not begun: ask the new owner once."""
    BUSY = 4
    """It was not begun: too much is under way, or it is too large."""
    GONE = 5
    """It was not begun: there is no connection to the peer."""
    LOST = 6
    """The owner failed, is silent or has gone meanwhile: nobody knows how far it came."""


class FrameKind(IntEnum):
    """Kinds of frames besides answers, which have the number of their status. Unknown kinds are ignored."""

    REQUEST = 16
    WAKE = 17
    LIMIT = 18
    PING = 19
    PONG = 20
    FORGET = 21


@dataclass(slots=True)
class PeerReply:
    """What an asker gets for a request."""

    status: PeerStatus
    body: bytes = field(default=b"", repr=False)
    acknowledge: Callable[[bool], None] = field(default=lambda _: None, repr=False, compare=False)
    """Call it with True when the answer was written, and with False when it was not. The owner waits for that."""


class PeerHandler(Protocol):
    """Handles what other processes send."""

    async def handle(self, request: PeerRequest) -> PeerStatus:
        """Handle a request. The status is sent unless the request was answered before. After an exception the asker
        gets `LOST`."""
        ...

    def wake(self, partition: int, /) -> None:
        """Look for jobs of this partition."""
        ...

    def limit(self, seconds: float, /) -> None:
        """Make no calls for so many seconds: Discord refuses them from the whole bot."""
        ...

    def forget(self, id: int, /) -> None:
        """Read again what another process changed: what is known of this person or server, for 0 of all of them."""
        ...


class LocalPeer:
    """This process, for all of its connections: who it is, and what it has taken in."""

    def __init__(
        self, identity: PeerIdentity, handler: PeerHandler, silence: float, on_shards: Callable[[], object]
    ) -> None:
        self.identity = identity
        self.handler = handler
        self.silence = silence
        """seconds after which a peer that sends nothing is gone"""
        self.on_shards = on_shards
        """called when the shards of another process change, or the process has gone"""
        self.shards = b"[]"
        """the shards that this process keeps connected: the body of its signs of life"""
        self.accepted: set[PeerConnection] = set()
        self.tasks: set[asyncio.Task[PeerStatus]] = set()
        self.reported: dict[str, str] = {}
        """the last problem that was logged of each peer"""
        self.is_closing = False
        self._bytes = 0

    def report(self, peer: str, problem: str) -> None:
        """Log a problem, but not with each attempt to connect."""
        if problem and self.reported.get(peer) != problem and len(self.reported) < MAX_REPORTED:
            self.reported[peer] = problem
            log.warning("peer %s %s", peer, problem)

    def accept(self, request: PeerRequest) -> None:
        """Begin with a request. Requests of one connection begin in the order in which they came."""
        if self.is_closing:
            request.answer(PeerStatus.MOVED)
        elif len(self.tasks) >= MAX_UNDER_WAY or self._bytes + len(request.body) > MAX_BYTES:
            request.answer(PeerStatus.BUSY)
        else:
            self._bytes += len(request.body)
            task = asyncio.get_running_loop().create_task(self.handler.handle(request), name="forwarded")
            self.tasks.add(task)
            task.add_done_callback(partial(self._finish, request))

    def _finish(self, request: PeerRequest, task: asyncio.Task[PeerStatus]) -> None:
        self.tasks.discard(task)
        self._bytes -= len(request.body)
        error = None if task.cancelled() else task.exception()
        if error is not None:  # nothing of it gets into the log: it may name cards
            log.error("a forwarded request was not handled: %s", type(error).__name__)
        request.answer(PeerStatus.LOST if task.cancelled() or error is not None else task.result())


class PeerConnection(asyncio.Protocol):
    """Either side of a connection. What is sent before both sides have proved the key waits for that."""

    def __init__(self, local: LocalPeer, address: str = "") -> None:
        """`address` is that of the peer for an asker, and empty for an owner."""
        self.loop = asyncio.get_running_loop()
        self.lost: asyncio.Future[None] = self.loop.create_future()
        self.session: Session | None = None
        """set when both sides have proved the key"""
        self.problem = ""
        """why this side ended the connection; empty if the peer did"""
        self.transport: asyncio.Transport | None = None
        self.shards = b"[]"
        """the shards of the peer, as its last sign of life tells"""
        self.waiting: dict[int, asyncio.Future[PeerReply]] = {}
        """requests of an asker, and answers of an owner that the asker has to write"""
        self._local = local
        self._peer = address
        self._is_asker = bool(address)
        self._handshake = Handshake(local.identity, is_asker=self._is_asker)
        self._early: list[tuple[int, int, bytes]] = []
        """frames that wait for the session"""
        self._timer: asyncio.TimerHandle | None = None
        self._missed = 0
        """beats since the peer was heard"""
        self._last = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._handshake.hello)
        self._timer = self.loop.call_later(HANDSHAKE, self._check)
        if not self._is_asker:
            self._peer = transport.get_extra_info("peername")[0]
            self._local.accepted.add(self)
            if len(self._local.accepted) > MAX_CONNECTIONS:
                self.end("is refused: there are too many connections")

    def data_received(self, data: bytes) -> None:
        self._missed = 0
        try:
            if self.session is None:
                data = self._shake_hands(data)
            if self.session is not None:
                for frame in self.session.read(data):
                    self._receive(*frame)
        except PeerError as error:
            self.end(str(error))

    def _shake_hands(self, data: bytes) -> bytes:
        """Return what follows the handshake in these bytes."""
        proof, session, rest = self._handshake.receive(data)
        if self.transport is not None:
            self.transport.write(proof)
        if session is not None:
            self.session = session
            if self._is_asker:
                self._local.reported.pop(self._peer, None)
                log.info("connected to peer %s: process %d, schema %d", self._peer, session.process, session.schema)
                self.send(FrameKind.FORGET, 0)  # what it was not told before
            else:
                self._peer += f" (process {session.process})"  # its port says nothing
            self._check()
            for kind, number, body in self._early:
                if kind != FrameKind.REQUEST or number in self.waiting:
                    self.send(kind, number, body)
            self._early.clear()
        return rest

    def _check(self) -> None:
        """End a connection that is silent, and give a sign of life on any other. Beats are counted, and not seconds:
        after a pause of this process what the peer has sent is read first."""
        if self._timer is not None:
            self._timer.cancel()
        if self.session is None:
            self.end("did not prove its key in time")
        elif self._missed >= BEATS:
            self.end("is silent")
        else:
            if self._missed == BEATS - 1:
                self._set_shards(b"[]")  # within the grace period of clocks: none runs out while it hangs
            self._missed += 1
            self._timer = self.loop.call_later(self._local.silence / BEATS, self._check)
            self.ping()

    def ping(self) -> None:
        """Give a sign of life. It tells the shards of this process."""
        self.send(FrameKind.PING, 0, self._local.shards)

    def _receive(self, kind: int, number: int, body: bytes) -> None:
        if PeerStatus.HANDLED <= kind <= PeerStatus.LOST:
            self._take_reply(PeerStatus(kind), number, body)
        elif kind == FrameKind.PING:
            self.send(FrameKind.PONG, 0)
            self._set_shards(body)
        elif not self._is_asker:
            if kind == FrameKind.REQUEST:
                self._local.accept(PeerRequest(body, self, number))
            elif kind == FrameKind.WAKE:
                self.loop.call_soon(self._local.handler.wake, number)
            elif kind == FrameKind.LIMIT:
                self.loop.call_soon(self._local.handler.limit, number / 1000)
            elif kind == FrameKind.FORGET:
                self.loop.call_soon(self._local.handler.forget, number)

    def _set_shards(self, shards: bytes) -> None:
        if shards != self.shards:
            self.shards = shards
            self._local.on_shards()

    def _take_reply(self, status: PeerStatus, number: int, body: bytes) -> None:
        def acknowledge(is_written: bool) -> None:
            self.send(PeerStatus.HANDLED if is_written else PeerStatus.LOST, number)

        waiter = self.waiting.get(number)
        if status is not PeerStatus.ANSWER:
            _settle(waiter, PeerReply(status))
        elif not _settle(waiter, PeerReply(status, body, acknowledge)):  # it is too late: nobody waits for it
            acknowledge(False)

    @property
    def is_open(self) -> bool:
        """True while both sides can send."""
        return self.session is not None and not self._has_ended()

    def _has_ended(self) -> bool:
        return self.lost.done() or (self.transport is not None and self.transport.is_closing())

    def _is_full(self) -> bool:
        """Return True if the peer reads too slowly, or if too much waits for the session."""
        if self.session is None:
            return sum(len(body) for _, _, body in self._early) > MAX_UNSENT
        return self.transport is not None and self.transport.get_write_buffer_size() > MAX_UNSENT

    def send(self, kind: int, number: int, body: bytes = b"") -> None:
        """Send a frame, unless the connection has ended or the peer reads too slowly."""
        if self._has_ended() or self._is_full():
            return
        if self.session is None:
            self._early.append((kind, number, body))
        elif self.transport is not None:
            self.transport.write(self.session.write(kind, number, body))

    async def ask(self, body: bytes, within: float) -> PeerReply:
        """Send a request, and wait so many seconds for its answer."""
        if self._has_ended():
            return PeerReply(PeerStatus.GONE)
        if self._is_full() or len(self.waiting) >= MAX_WAITING or len(body) > MAX_BODY:
            return PeerReply(PeerStatus.BUSY)
        self._last += 1
        return await self.exchange(FrameKind.REQUEST, self._last, body, within)

    async def exchange(self, kind: int, number: int, body: bytes, within: float) -> PeerReply:
        """Send a frame, and wait for the reply with the same number."""
        waiter = self.waiting[number] = self.loop.create_future()
        timer = self.loop.call_later(within, _settle, waiter, PeerReply(PeerStatus.LOST))
        self.send(kind, number, body)
        try:
            return await waiter
        finally:
            timer.cancel()
            del self.waiting[number]

    def end(self, problem: str = "") -> None:
        """End the connection now. What was not sent is dropped."""
        self.problem = self.problem or problem
        if self.transport is not None:
            self.transport.abort()
        elif not self.lost.done():
            self.connection_lost(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self._timer is not None:
            self._timer.cancel()
        _settle(self.lost, None)
        for waiter in self.waiting.values():
            _settle(waiter, PeerReply(PeerStatus.LOST if self.session is not None else PeerStatus.GONE))
        self._local.accepted.discard(self)
        self._set_shards(b"[]")
        self._local.report(self._peer, self.problem)
        if self._is_asker and self.session is not None:
            log.info("the connection to peer %s has ended", self._peer)


def _settle(waiter: asyncio.Future[T] | None, result: T) -> bool:
    """Give a waiter its result. Return False if it does not wait any more."""
    if waiter is None or waiter.done():
        return False
    waiter.set_result(result)
    return True


@dataclass(slots=True, eq=False)
class PeerRequest:
    """A request of another process, as its owner handles it."""

    body: bytes = field(repr=False)
    _connection: PeerConnection
    _number: int
    _is_answered: bool = False

    def answer(self, status: PeerStatus) -> None:
        """Tell the asker what became of the request, unless it was answered before."""
        if not self._is_answered:
            self._is_answered = True
            self._connection.send(status, self._number)

    async def relay(self, answer: bytes) -> None:
        """Let the asker write this answer into its HTTP response. Return when it did. Raises ConnectionError if it does
        not say so within a second."""
        if not self._is_answered and len(answer) <= MAX_BODY and not self._connection.lost.done():
            self._is_answered = True
            reply = await self._connection.exchange(PeerStatus.ANSWER, self._number, answer, WRITTEN_WITHIN)
            if reply.status is PeerStatus.HANDLED:
                return
        raise ConnectionAbortedError("the answer may not have been written")


async def relay_response(request: PeerRequest, inline: InlineResponse, work: asyncio.Task[None]) -> None:
    """Relay the response of an interaction that another process received by HTTP, while `work` handles it."""
    payload = await inline.wait_for_payload(work)
    failure: Exception | None = ConnectionAbortedError()  # unless something else happens, this process closes
    try:
        if payload is None:
            request.answer(PeerStatus.HANDLED)
        else:
            await request.relay(write_json(payload).encode())
        failure = None
    except ConnectionError as error:
        failure = error
    finally:
        inline.mark_sent(failure)
