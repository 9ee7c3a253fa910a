"""Calls to Discord with as little around each as the connections allow.

aiohttp makes some dozens of objects and a task for a request: for cookies, redirects, proxies, forms. Ours have none of
them, and nearly half of a call's time went there. So the bytes go straight to a connection of aiohttp's pool, which
opens, secures, keeps and closes connections as ever. What is used of it for that is not documented; it stands here and
nowhere else, and `tests/test_sender.py` fails where a release changes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import aiohttp
from aiohttp.client_reqrep import ClientRequest
from aiohttp.http import HttpProcessingError
from yarl import URL

PLAIN = re.compile(r"[!-~]*")
"""what can stand in the first line of a request as it is"""

NOT_YET = range(100, 200)
"""statuses of what may come before the answer"""

REPEATABLE = ("PUT", "DELETE")
"""what may be done twice: the server may have closed a kept connection just when it was used"""


class Response(NamedTuple):
    """As much of an answer as anybody looks at, all of it there."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    async def read(self) -> bytes:
        return self.body

    async def text(self, encoding: str = "utf-8") -> str:
        return self.body.decode(encoding, "replace")


class Sender:
    """In place of one of aiohttp's sessions, over the connections of another."""

    def __init__(self, connector: Any, user_agent: str, timeout: aiohttp.ClientTimeout, trace: Any = None) -> None:
        """`trace`, if any, hears of each call what it would hear of a session's, as far as ours listen."""
        self._connector = connector
        self._timeout = timeout
        self._trace = trace
        self._always = f"User-Agent: {user_agent}\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\n"
        self._places: dict[str, Any] = {}
        """by address, what tells the pool which connections are meant"""
        self._closed = False

    async def close(self) -> None:
        """The connections are not its own."""
        self._closed = True

    def request(self, method: str, url: str, *, data: bytes | None, headers: Mapping[str, str]) -> Call:
        return Call(self, method, url, data, headers)

    async def send(self, call: Call) -> Response:
        """Raises what a session would."""
        if self._closed:
            raise RuntimeError("Session is closed")
        if self._trace is None:
            return await self._answered(call)
        way = SimpleNamespace()
        url = SimpleNamespace(path=f"/{call.target.partition('?')[0]}")
        told = SimpleNamespace(method=call.method, url=url, headers=call.headers)
        for hear in self._trace.on_request_start:
            await hear(self, way, told)
        try:
            told.response = await self._answered(call)
        except BaseException:  # given up, too: whoever counts the calls on their way has to hear of it
            for hear in self._trace.on_request_exception:
                await hear(self, way, told)
            raise
        for hear in self._trace.on_request_end:
            await hear(self, way, told)
        return told.response

    async def _answered(self, call: Call) -> Response:
        try:
            return await self._exchange(call)
        except aiohttp.ClientConnectorError:
            raise
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
            if call.method not in REPEATABLE:
                raise
        return await self._exchange(call)

    async def _exchange(self, call: Call) -> Response:
        written = self._written(call)
        connection = await self._connector.connect(self._place(call), [], self._timeout)
        try:
            protocol = connection.protocol
            protocol.set_response_params(read_until_eof=True, read_timeout=self._timeout.sock_read)
            protocol.transport.write(written)
            protocol.start_timeout()
            told, content = await protocol.read()
            while told.code in NOT_YET:
                told, content = await protocol.read()
            body = await content.read()
        except BaseException as error:  # given up, too: else its answer would be taken for that of the next call
            connection.close()
            if isinstance(error, HttpProcessingError):
                raise aiohttp.ClientPayloadError(f"not an answer: {error.message}") from error
            raise
        connection.release()
        return Response(told.code, told.reason, told.headers, body)

    def _place(self, call: Call) -> Any:
        address = f"{call.scheme}//{call.host}/"
        place = self._places.get(address)
        if place is None:
            place = self._places[address] = ClientRequest("GET", URL(address))
        return place

    def _written(self, call: Call) -> bytes:
        if not "".join(call.headers.values()).isprintable():
            raise ValueError("a header holds what no header may hold")
        body = call.data or b""
        own = "".join([f"{name}: {value}\r\n" for name, value in call.headers.items()])
        head = f"{call.method} /{call.target} HTTP/1.1\r\nHost: {call.host}\r\n{self._always}{own}"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode("ascii") + body


class Call:
    """One that may be made: `async with` it makes it."""

    __slots__ = ("_sender", "data", "headers", "host", "method", "scheme", "target")

    def __init__(self, sender: Sender, method: str, url: str, data: bytes | None, headers: Mapping[str, str]) -> None:
        self._sender = sender
        self.method = method
        self.scheme, _, self.host, target = url.split("/", 3)
        self.target = target if PLAIN.fullmatch(target) is not None else URL(url).raw_path_qs[1:]
        self.data = data
        self.headers = headers

    async def __aenter__(self) -> Response:
        return await self._sender.send(self)

    async def __aexit__(self, *_: object) -> None: ...
