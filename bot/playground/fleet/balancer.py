"""What stands before several processes that listen: each request goes to the next of them, and where nobody takes the
connection to the one after it. `python -m bot.playground.fleet.balancer PORT BEHIND ...` until standard input ends."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from itertools import count

import aiohttp
from aiohttp import web

from bot.playground.fleet.held import when_input_ends
from bot.playground.fleet.status import tell

WITHIN = aiohttp.ClientTimeout(total=10, connect=0.5)
LOCAL = "127.0.0.1"
KEPT = ("X-Signature-Timestamp", "X-Signature-Ed25519", "Content-Type", "User-Agent")


class Balancer:
    """Listens while it is open."""

    def __init__(self, behind: Callable[[], Sequence[int]]) -> None:
        """`behind`: the ports on this machine at which somebody may listen."""
        self._behind = behind
        self._turn = count()
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None

    async def open(self, port: int = 0) -> int:
        """Which port it is, where 0 stands for any."""
        app = web.Application()
        app.router.add_post("/{path:.*}", self._taken)
        self._session = aiohttp.ClientSession(timeout=WITHIN)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, LOCAL, port).start()
        return self._runner.addresses[0][1]

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    def heard(self, body: bytes, headers: dict[str, str]) -> None:
        """Of each request, for whoever wants to know."""

    async def _taken(self, request: web.Request) -> web.Response:
        assert self._session is not None
        body = await request.read()
        headers = {name: request.headers[name] for name in KEPT if name in request.headers}
        self.heard(body, headers)
        ports = list(self._behind())
        first = next(self._turn)
        for number in range(len(ports)):
            port = ports[(first + number) % len(ports)]
            try:
                async with self._session.post(f"http://{LOCAL}:{port}/", data=body, headers=headers) as answer:
                    told = await answer.read()
                    return web.Response(
                        status=answer.status, body=told, content_type=answer.content_type if told else None
                    )
            except aiohttp.ClientConnectorError:
                continue  # it was not told anything
            except (aiohttp.ClientError, TimeoutError, OSError):
                break  # it may have been told: to ask another would be to ask twice
        return web.Response(status=502)


async def _until_input_ends(port: int, behind: Sequence[int]) -> None:
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    balancer = Balancer(lambda: behind)
    await balancer.open(port)
    tell("listening")
    when_input_ends(lambda: loop.call_soon_threadsafe(ended.set))
    try:
        await ended.wait()
    finally:
        await balancer.close()


if __name__ == "__main__":
    mine, *others = map(int, sys.argv[1:])
    asyncio.run(_until_input_ends(mine, others))
