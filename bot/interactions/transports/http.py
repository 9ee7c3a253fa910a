"""Interactions as Discord sends them by HTTP: signed requests, each answered in its own response where that is enough.

Any path will do, so that whatever stands before this may cut off what it likes.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

import discord
from aiohttp import ClientError, web
from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from bot.interactions.shared_work import PeerAnswer, SharedWork
from bot.rest.inline_response import EXTRAS_KEY, InlineResponse, write_json

MAX_CONNECTIONS = 1000
"""Connections at once; Discord keeps some tens. One more is closed when it comes."""

HEAD_TIMEOUT = 10.0
"""Seconds from the first byte of a request, or from a new connection, until the head of the request must be there."""

IDLE_TIMEOUT = 75.0
"""Seconds that a connection may stay open after an answer."""


class OpenConnections:
    """Every open connection of a door."""

    def __init__(self, handler: Callable[[], asyncio.Protocol]) -> None:
        """`handler` makes what reads requests from one connection."""
        self._handler = handler
        self._open: dict[asyncio.BaseTransport, Connection] = {}

    def __call__(self) -> Connection:
        return Connection(self._open, self._handler())

    def set_timeout(self, transport: asyncio.BaseTransport | None, seconds: float | None) -> None:
        """Set the timeout of a connection: none while its request is handled, `IDLE_TIMEOUT` after the answer."""
        if transport is not None and (connection := self._open.get(transport)) is not None:
            connection.set_timeout(seconds)

    def close(self) -> None:
        for transport, connection in list(self._open.items()):
            connection.set_timeout(None)
            transport.close()


class Connection(asyncio.Protocol):
    """One connection, which is ended when it takes too long."""

    def __init__(self, known: dict[asyncio.BaseTransport, Connection], inner: asyncio.Protocol) -> None:
        self._known = known
        self._inner = inner
        self._transport: asyncio.BaseTransport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._idle = False

    def set_timeout(self, seconds: float | None) -> None:
        """End the connection after so many seconds; None: as long as it takes."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._idle = seconds == IDLE_TIMEOUT
        if seconds is not None and self._transport is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._transport.close)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        full = len(self._known) >= MAX_CONNECTIONS
        self._known[transport] = self
        self._inner.connection_made(transport)
        if full:
            transport.close()
        else:
            self.set_timeout(HEAD_TIMEOUT)

    def data_received(self, data: bytes) -> None:
        if self._idle:
            self.set_timeout(HEAD_TIMEOUT)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.set_timeout(None)
        if self._transport is not None:
            self._known.pop(self._transport, None)
        self._inner.connection_lost(exc)


log = logging.getLogger(__name__)

PING = 1
PONG = {"type": 1}

MAX_BYTES = 1024 * 1024
"""of a request; the largest form that anybody can fill in has a tenth"""

READ_TIMEOUT = 5.0
"""seconds"""

READY_TIMEOUT = 2.0
"""seconds that one waits for the bot to be ready"""

SHUTDOWN_TIMEOUT = 1.0
"""seconds in which requests under way may end when the door is closed"""

MAX_AGE = 60_000
"""Milliseconds. Whoever got hold of a request could send it again, and read the answer. So none is taken twice, and
none that is older than the newest by so much: by Discord's own clock, which made their ids."""


MAX_AHEAD = 3_600_000
"""Milliseconds by which an id may be later than the time at which Discord signed the request. One far in the future
would make every later interaction older than the newest."""


def _request_logger() -> logging.Logger:
    """A log for aiohttp, of one line a request that is no HTTP: nothing of it, and no traceback."""

    def shorten(record: logging.LogRecord) -> bool:
        kind = record.exc_info[0] if record.exc_info else None
        log.info("a request could not be read: %s", kind.__name__ if kind else "no HTTP")
        return False

    requests = logging.getLogger("bot.interactions.transports.requests")
    if not requests.filters:
        requests.addFilter(shorten)
    return requests


class InteractionHandler(Protocol):
    """Reads and handles interactions: the client."""

    shared: SharedWork | None
    """None where one process does everything"""

    def read(self, payload: dict[str, Any]) -> discord.Interaction[Any]:
        """As discord.py knows it."""
        ...

    async def handle_request(self, interaction: discord.Interaction[Any], inline: InlineResponse) -> None: ...


class InteractionServer:
    """An HTTP server for the interactions of one application."""

    def __init__(
        self,
        client: InteractionHandler,
        key: str,
        *,
        ready: asyncio.Event,
        answered: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`ready`: interactions can be dealt with by now. `answered` is told the id of each that was answered by
        its request. Raises ValueError where `key` is none."""
        self._client = client
        try:
            self._key = VerifyKey(bytes.fromhex(key))
        except (ValueError, CryptoError):
            raise ValueError("Discord told no public key of this application") from None
        self._ready = ready
        self._in_order = asyncio.Lock()
        """of those that wait; one that comes just when the bot is ready must not overtake them"""
        self._answered = answered
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._newest = 0
        self._under_way: set[asyncio.Task[None]] = set()
        self._runner: web.AppRunner | None = None
        self._connections: OpenConnections | None = None
        self._listener: asyncio.Server | None = None
        self._closing = False

    async def open(self, host: str, port: int) -> int:
        """Listen there, with 0 on any free port; which one it is. Raises OSError."""
        app = web.Application(client_max_size=MAX_BYTES)
        app.router.add_post("/{path:.*}", self._handle_timed)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_TIMEOUT, logger=_request_logger())
        await self._runner.setup()
        assert self._runner.server is not None
        self._connections = OpenConnections(self._runner.server)
        self._listener = await asyncio.get_running_loop().create_server(self._connections, host, port)
        return self._listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Nothing is waited for any more, nor taken in from who has a connection. Closing twice is no mistake."""
        self._closing = True
        await self._cancel_running()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        if self._connections is not None:
            self._connections.close()
        await self._cancel_running()  # what was being read when this began

    async def _cancel_running(self) -> None:
        for one in self._under_way:
            one.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _handle_timed(self, request: web.Request) -> web.StreamResponse:
        assert self._connections is not None
        self._connections.set_timeout(request.transport, None)
        try:
            return await self.handle(request)
        finally:
            self._connections.set_timeout(request.transport, IDLE_TIMEOUT)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        if self._closing:
            return web.Response(status=503)
        try:
            async with asyncio.timeout(READ_TIMEOUT):
                body = await request.read()
        except TimeoutError:
            return web.Response(status=408)
        except (ClientError, OSError):  # whoever sent it is gone
            return web.Response(status=400)
        told = request.headers
        try:
            timestamp, signature = told.get("X-Signature-Timestamp", ""), told.get("X-Signature-Ed25519", "")
            self._key.verify(timestamp.encode() + body, bytes.fromhex(signature))
        except (ValueError, CryptoError):  # of the wrong length, no hex, or another's
            return web.Response(status=401, text="invalid request signature")
        try:
            payload: dict[str, Any] = json.loads(body)
            id, kind = int(payload["id"]), payload["type"]
            latest = int(timestamp) * 1000 + MAX_AHEAD
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            log.warning("a request that Discord signed is not an interaction: %s", type(error).__name__)
            return web.Response(status=400)
        if not 0 < id < 1 << 63 or discord.utils.snowflake_time(id).timestamp() * 1000 > latest:
            log.warning("a request that Discord signed has an invalid id")
            return web.Response(status=400)
        if kind == PING:
            return _json_response(PONG)
        try:
            async with asyncio.timeout(READY_TIMEOUT), self._in_order:
                await self._ready.wait()
        except TimeoutError:
            return web.Response(status=503)
        if not self._is_new(id):
            return web.Response(status=401, text="this request was made before")
        return await self._respond(request, payload)

    async def _relay(self, request: web.Request, answer: PeerAnswer) -> web.StreamResponse:
        """Write the answer of another process, and tell it whether that worked."""
        response = web.Response(status=202)
        if answer.body is not None:
            response = web.Response(body=answer.body, content_type="application/json")
        is_written = False
        try:
            await response.prepare(request)
            await response.write_eof()
            is_written = True
        except (ClientError, OSError):
            pass  # the owner verifies by a call
        finally:
            answer.acknowledge(is_written)
        return response

    async def _respond(self, request: web.Request, payload: dict[str, Any]) -> web.StreamResponse:
        shared = self._client.shared
        if shared is not None and (elsewhere := await shared.answer_elsewhere(payload)) is not None:
            return await self._relay(request, elsewhere)
        try:
            interaction = self._client.read(payload)
        except Exception as error:  # nothing of it gets into the log: it names cards
            log.error("an interaction could not be read: %s", type(error).__name__)
            return web.Response(status=400)
        interaction.extras[EXTRAS_KEY] = inline = InlineResponse()
        work = asyncio.create_task(self._client.handle_request(interaction, inline), name="interaction")
        if shared is not None:
            shared.track(payload, work)
        self._under_way.add(work)
        work.add_done_callback(self._on_done)
        answer = await inline.wait_for_payload(work)
        response = web.Response(status=202) if answer is None else _json_response(answer)
        try:
            await response.prepare(request)
            await response.write_eof()
        except (ClientError, OSError) as error:
            inline.mark_sent(error)
        except BaseException:  # the door is being closed
            inline.mark_sent(ConnectionAbortedError())
            raise
        else:
            inline.mark_sent()
            if answer is not None:
                self._answered(interaction.id)
        return response

    def _on_done(self, work: asyncio.Task[None]) -> None:
        self._under_way.discard(work)
        if not work.cancelled() and (error := work.exception()) is not None:
            log.error("an interaction was not handled", exc_info=error)

    def _is_new(self, id: int) -> bool:
        at = id >> 22
        if id in self._seen or at < self._newest - MAX_AGE:
            return False
        self._newest = max(self._newest, at)
        self._seen[id] = None
        while next(iter(self._seen)) >> 22 < self._newest - MAX_AGE:
            self._seen.popitem(last=False)
        return True


def _json_response(payload: Any) -> web.Response:
    return web.Response(text=write_json(payload), content_type="application/json")
