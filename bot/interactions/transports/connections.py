"""Limits of the connections of the HTTP door: how many there may be, and how long each may say nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

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

    def begin(self, transport: asyncio.BaseTransport | None) -> None:
        """The head of a request has arrived over this connection."""
        if transport is not None and (connection := self._open.get(transport)) is not None:
            connection.set_timeout(None)

    def end(self, transport: asyncio.BaseTransport | None) -> None:
        """The request is answered."""
        if transport is not None and (connection := self._open.get(transport)) is not None:
            connection.set_timeout(IDLE_TIMEOUT)

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
