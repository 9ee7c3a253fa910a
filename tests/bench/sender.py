"""What one call costs by ours, which writes it straight to a connection, beside a session of aiohttp's: processor time
of whoever calls, in turns, on the bot's own loop, over one connection, one call at a time. Who answers is a process of
its own.
"""

from __future__ import annotations

import asyncio
import sys
import time

import aiohttp

from bot import loop
from bot.calls import UNANSWERED
from bot.sender import Sender
from tests.bench.measure import beside_the_first

CALLS, REPETITIONS = 1000, 9
BODY = b"x" * 2000
"""about as long as a console"""
PATH = f"/api/v10/interactions/1234567890123456789/{'a' * 180}/callback"
JSON = {"Content-Type": "application/json"}
GIVEN = b"HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\nServer: bench\r\n\r\n"


def run() -> None:
    loop.run(measure())


async def measure() -> None:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.sender", stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    try:
        url = f"http://127.0.0.1:{int(await server.stdout.readline())}{PATH}"
        headers = {"User-Agent": "bench"}
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), headers=headers) as session:
            await _in_turns(url, session, Sender(session.connector, "bench", UNANSWERED))
    finally:
        server.kill()
        await server.wait()


async def _in_turns(url: str, session: aiohttp.ClientSession, sender: Sender) -> None:
    ways: dict[str, aiohttp.ClientSession | Sender] = {"a call by a session of aiohttp's": session, "by ours": sender}
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for repetition in range(REPETITIONS + 1):  # the first is to warm up
        for name, way in ways.items():
            start = time.process_time()
            for _ in range(CALLS):
                async with way.request("POST", url, data=BODY, headers=JSON) as response:
                    await response.read()
            if repetition:
                taken[name].append((time.process_time() - start) / CALLS)
    beside_the_first(taken)


class Answering(asyncio.Protocol):
    """Says that all is well, to every request of one length."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._heard = b""

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, end, body = self._heard.partition(b"\r\n\r\n")
        if end and len(body) >= len(BODY):
            assert head.startswith(b"POST ")
            self._heard = body[len(BODY) :]
            self._transport.write(GIVEN)


async def answer() -> None:
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(answer())
