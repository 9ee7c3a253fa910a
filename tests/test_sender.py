"""The shortest way of a call over aiohttp's connections: it asks, tells and fails as a session of aiohttp's does."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.calls import BROKEN
from bot.sender import Response, Sender

SOON = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=30)
JSON = {"Content-Type": "application/json"}
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

Session = Any
"""aiohttp's, or ours in its place"""


async def called(session: Session, method: str, url: str, data: bytes | None = b"{}") -> tuple[int, bytes]:
    async with session.request(method, url, data=data, headers=JSON) as response:
        return response.status, await response.read()


@asynccontextmanager
async def both(trace: Any = None) -> AsyncIterator[tuple[aiohttp.ClientSession, Sender]]:
    """A session, and ours over the same connections."""
    traces = None if trace is None else [trace]
    session = aiohttp.ClientSession(trace_configs=traces, headers={"User-Agent": "gops"}, timeout=SOON)
    async with session:
        yield session, Sender(session.connector, "gops", SOON, trace)


# --- what a server hears -----------------------------------------------------------------------------------------

Heard = tuple[str, str, dict[str, str], bytes]


@dataclass
class Server:
    address: str
    heard: list[Heard] = field(default_factory=list[Heard])
    connections: set[object] = field(default_factory=set[object])


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """It answers with what it was sent."""

    async def answer(request: web.Request) -> web.Response:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        del headers["accept-encoding"]  # a session of aiohttp's takes whatever is installed
        there.heard.append((request.method, request.raw_path, headers, body))
        there.connections.add(request.transport)
        return web.Response(body=body, status=int(request.query.get("status", "200")))

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app) as running:
        there = Server(str(running.make_url("")).rstrip("/"))
        yield there


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/webhooks/7/aW50OjE-_/messages/@original?wait=true", "/a b/ü%20#x", "/"])
@pytest.mark.parametrize("data", [b'{"content": "\xc3\xbc"}', None], ids=["a body", "none"])
async def test_a_server_hears_what_a_session_would_tell_it(
    server: Server, method: str, path: str, data: bytes | None
) -> None:
    async with both() as (session, sender):
        answers = [await called(one, method, server.address + path, data) for one in (session, sender)]
    theirs, ours = server.heard
    assert ours == theirs
    assert answers[0] == answers[1] == (200, data or b"")


async def test_connections_are_kept_and_shared(server: Server) -> None:
    async with both() as (session, sender):
        for _ in range(3):
            await called(session, "POST", server.address + "/x")
            await called(sender, "POST", server.address + "/x")
        assert len(server.connections) == 1
        await asyncio.gather(*(called(sender, "POST", server.address + "/x") for _ in range(5)))
        assert len(server.connections) <= 5


@pytest.mark.parametrize("status", [204, 304, 404, 500])
async def test_an_answer_of_any_kind_leaves_the_connection_usable(server: Server, status: int) -> None:
    async with both() as (_, sender):
        for _ in range(2):
            told, _ = await called(sender, "POST", f"{server.address}/x?status={status}")
            assert told == status
    assert len(server.connections) == 1


@pytest.mark.parametrize("held", ["a\r\nX: b", "a\nb", "\0"])
async def test_a_header_holds_one_line(server: Server, held: str) -> None:
    async with both() as (_, sender):
        with pytest.raises(ValueError, match="header"):
            async with sender.request("PUT", server.address + "/x", data=None, headers={"X-Audit-Log-Reason": held}):
                pass
    assert server.heard == []


async def test_what_is_closed_sends_nothing(server: Server) -> None:
    async with both() as (_, sender):
        await sender.close()
        with pytest.raises(RuntimeError, match="Session is closed"):
            await called(sender, "POST", server.address + "/x")
    assert server.heard == []


# --- who listens -------------------------------------------------------------------------------------------------


async def test_who_listens_hears_what_a_session_would_tell(server: Server) -> None:
    told = list[tuple[Any, ...]]()
    trace = aiohttp.TraceConfig()

    async def starts(_: object, way: Any, call: Any) -> None:
        way.at = len(told)
        told.append(("starts", call.method, call.url.path, call.headers["Content-Type"]))

    async def ended(_: object, way: Any, call: Any) -> None:
        response = call.response
        told.append(("ended", way.at, call.method, call.url.path, response.status, response.headers["Server"]))

    async def failed(_: object, way: Any, call: Any) -> None:
        told.append(("failed", way.at, call.method, call.url.path))

    trace.on_request_start.append(starts)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    each = list[list[tuple[Any, ...]]]()
    async with both(trace) as sessions:
        for session in sessions:
            told.clear()
            await called(session, "PATCH", f"{server.address}/channels/1?status=403")
            async with raw(b"") as address:
                with pytest.raises(aiohttp.ClientError):
                    await called(session, "PATCH", address + "/channels/1")
            each.append(told.copy())
    assert each[0] == each[1]
    assert [one[0] for one in each[1]] == ["starts", "ended", "starts", "failed"]


# --- what goes wrong ---------------------------------------------------------------------------------------------

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def raw(*answers: bytes, then: Serve | None = None) -> AsyncIterator[str]:
    """A server that gives each request of a connection one of these, and then does that, or closes it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for answer in answers:
                head = await reader.readuntil(b"\r\n\r\n")
                size = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
                await reader.readexactly(int(size or b"0"))
                writer.write(answer)
                await writer.drain()
            if then is not None:
                await then(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    running = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with running:
        yield f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone",
    ],
    ids=["nothing", "half a header", "half a body", "half a piece", "no size", "no HTTP", "no gzip"],
)
async def test_an_answer_that_breaks_off_fails_as_a_connection_does(answer: bytes) -> None:
    async with both() as (_, sender), raw(answer) as address:
        for _ in range(2):  # and its connection is not used again
            with pytest.raises(BROKEN):
                await called(sender, "POST", address + "/x")


async def test_nobody_is_there() -> None:
    async with raw() as address:
        pass
    async with both() as (_, sender):
        with pytest.raises(aiohttp.ClientConnectorError):
            await called(sender, "PUT", address + "/x")


async def _forever(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"], ids=["nothing", "a part"])
async def test_who_is_not_answered_gives_up(begun: bytes) -> None:
    async with both() as (session, _), raw(begun, then=_forever) as address:
        sender = Sender(session.connector, "gops", aiohttp.ClientTimeout(total=None, sock_read=0.01))
        with pytest.raises(TimeoutError):
            await called(sender, "POST", address + "/x")


async def test_a_call_that_is_given_up_takes_its_connection_with_it() -> None:
    """Else its answer would be taken for that of the next one."""
    arrived, gone = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        arrived.set()
        assert await reader.read() == b""
        gone.set()

    async with both() as (_, sender), raw(b"", then=wait) as address:
        call = asyncio.create_task(called(sender, "POST", address + "/x"))
        await arrived.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await gone.wait()


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + OK, b"ok"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n", b"ok"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 22\r\n\r\n" + gzip.compress(b"ok", mtime=0),
            b"ok",
        ),
        (b"HTTP/1.1 200 OK\r\n\r\nok, and that is all", b"ok, and that is all"),
    ],
    ids=["something before it", "in pieces", "packed", "until the end"],
)
async def test_an_answer_is_read_however_it_is_written(answer: bytes, body: bytes) -> None:
    async with both() as (_, sender), raw(answer) as address:
        assert await called(sender, "POST", address + "/x") == (200, body)


async def test_who_says_that_it_closes_is_asked_over_another_connection() -> None:
    closing = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
    async with both() as (_, sender), raw(closing, then=_forever) as address:
        for _ in range(2):
            assert await called(sender, "POST", address + "/x") == (200, b"ok")


@pytest.mark.parametrize(("method", "repeated"), [("PUT", True), ("DELETE", True), ("POST", False), ("PATCH", False)])
async def test_only_what_may_be_done_twice_is_tried_again(method: str, repeated: bool) -> None:
    """The server answers once, then closes the kept connection when it is used again."""
    async with both() as (_, sender), raw(OK, b"") as address:
        await called(sender, "POST", address + "/x")
        if repeated:
            assert await called(sender, method, address + "/x") == (200, b"ok")
        else:
            with pytest.raises(BROKEN):
                await called(sender, method, address + "/x")


async def test_what_is_told_is_read_as_text() -> None:
    told = Response(400, "Bad Request", {}, "zurück \xff".encode("latin-1"))
    assert await told.text() == "zur\ufffdck \ufffd"
