"""Calls to Discord with as little around each as the connections allow.

aiohttp makes some dozens of objects and a task for a request: for cookies, redirects, proxies, forms. Ours have none of
them, and two in three of the microseconds went there. So the bytes go straight to a connection of aiohttp's pool, which
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
        path = call.url.split("/", 3)[3].partition("?")[0]
        told = SimpleNamespace(method=call.method, url=SimpleNamespace(path=f"/{path}"), headers=call.headers)
        for hear in self._trace.on_request_start:
            await hear(self, way, told)
        try:
            told.response = await self._answered(call)
        except BaseException:
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
        scheme, _, host, path = call.url.split("/", 3)
        written = self._written(call, host, path)
        connection = await self._connector.connect(self._place(scheme, host), [], self._timeout)
        try:
            protocol = connection.protocol
            protocol.set_response_params(read_until_eof=True, read_timeout=self._timeout.sock_read)
            protocol.transport.write(written)
            protocol.start_timeout()
            told, content = await protocol.read()
            while told.code in NOT_YET:
                told, content = await protocol.read()
            body = await content.read()
        except HttpProcessingError as error:
            connection.close()
            raise aiohttp.ClientPayloadError(f"not an answer: {error.message}") from error
        except BaseException:
            connection.close()
            raise
        connection.release()
        return Response(told.code, told.reason, told.headers, body)

    def _place(self, scheme: str, host: str) -> Any:
        address = f"{scheme}//{host}/"
        place = self._places.get(address)
        if place is None:
            place = self._places[address] = ClientRequest("GET", URL(address))
        return place

    def _written(self, call: Call, host: str, path: str) -> bytes:
        if PLAIN.fullmatch(path) is None:
            path = URL(call.url).raw_path_qs[1:]
        if not "".join(call.headers.values()).isprintable():
            raise ValueError("a header holds what no header may hold")
        body = call.data or b""
        own = "".join([f"{name}: {value}\r\n" for name, value in call.headers.items()])
        head = f"{call.method} /{path} HTTP/1.1\r\nHost: {host}\r\n{self._always}{own}"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode("ascii") + body


class Call:
    """One that may be made: `async with` it makes it."""

    __slots__ = ("_sender", "data", "headers", "method", "url")

    def __init__(self, sender: Sender, method: str, url: str, data: bytes | None, headers: Mapping[str, str]) -> None:
        self._sender = sender
        self.method = method
        self.url = url
        self.data = data
        self.headers = headers

    async def __aenter__(self) -> Response:
        return await self._sender.send(self)

    async def __aexit__(self, *_: object) -> None: ...
