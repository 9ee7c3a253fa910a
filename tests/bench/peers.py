"""CPU time of a forwarded request, asker and owner together, by a kept connection between two processes.

The baseline is a plain POST from one aiohttp server to another. Each request has the size of a press, and each answer
that of a console. ROUNDS and REQUESTS name how often the three are measured in turn, and with how many requests.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

import aiohttp
from aiohttp import web

from bot.process.base import event_loop
from bot.process.peers.connection import PeerRequest, PeerStatus
from bot.process.peers.frames import PeerIdentity
from bot.process.peers.peers import Peers
from tests.bench.measure import row

ROUNDS = int(os.environ.get("ROUNDS", "9"))
REQUESTS = int(os.environ.get("REQUESTS", "4000"))
PRESS, ANSWER = bytes(2800), bytes(2000)
HANDLE, RELAY, CPU = b"handle", b"relay", b"cpu"
"""what a request asks for, in its first bytes"""
WITHIN = 60.0

Ask = Callable[[bytes], Awaitable[bytes]]


def run() -> None:
    event_loop.run(measure())


async def measure() -> None:
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.peers", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert owner.stdin is not None
    assert owner.stdout is not None
    address, port = (await owner.stdout.readline()).decode().split()
    peers = Peers(identity(1), Owner(), WITHIN)
    peers.keep([address])
    try:
        async with aiohttp.ClientSession() as session:

            async def post(body: bytes) -> bytes:
                async with session.post(f"http://127.0.0.1:{port}/", data=body) as answer:
                    return await answer.read()

            async def forward(body: bytes) -> bytes:
                reply = await peers.forward(address, body, WITHIN)
                assert reply.status in (PeerStatus.HANDLED, PeerStatus.ANSWER)
                reply.acknowledge(True)
                return reply.body

            for at_once in (1, 16):
                await compare(at_once, post, forward)
    finally:
        await peers.close(0)
        owner.stdin.close()
        await owner.wait()


async def compare(at_once: int, post: Ask, forward: Ask) -> None:
    ways: dict[str, tuple[Ask, bytes]] = {
        "aiohttp to aiohttp": (post, RELAY),
        "forwarded, owner answers": (forward, HANDLE),
        "forwarded, answer relayed": (forward, RELAY),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, (ask, wish) in ways.items():
            taken[name].append(await cpu(ask, wish + PRESS, at_once, forward))
    (base, plain), *others = taken.items()
    baseline = row(f"{base}, {at_once} at once", plain)
    for name, values in others:
        row(f"{name}, {at_once} at once", values, baseline)
        ratio = statistics.median(value / aiohttp for value, aiohttp in zip(values, plain, strict=True))
        print(f"  {ratio:.2f} of aiohttp to aiohttp, the median of the rounds")


async def cpu(ask: Ask, body: bytes, at_once: int, forward: Ask) -> float:
    """Return the seconds that a request takes of both processes."""

    async def repeat() -> None:
        for _ in range(REQUESTS // at_once):
            await ask(body)

    async def used() -> float:
        return time.process_time() + float(await forward(CPU))

    before = await used()
    await asyncio.gather(*(repeat() for _ in range(at_once)))
    return (await used() - before) / (REQUESTS // at_once * at_once)


# --- the other process ------------------------------------------------------------------------------------


def identity(process: int) -> PeerIdentity:
    return PeerIdentity.from_token("bench", 1, process)


class Owner:
    async def handle(self, request: PeerRequest) -> PeerStatus:
        if request.body == CPU:
            await request.relay(str(time.process_time()).encode())
        elif request.body.startswith(RELAY):
            await request.relay(ANSWER)
        return PeerStatus.HANDLED

    def wake(self, partition: int) -> None: ...

    def limit(self, seconds: float) -> None: ...

    def forget(self, id: int) -> None: ...


async def post_handler(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(body=ANSWER)


async def serve() -> None:
    """Listen in both ways until standard input ends."""
    stop = event_loop.watch_stop_signals(until_stdin_ends=True)
    app = web.Application()
    app.router.add_post("/", post_handler)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    peers = Peers(identity(2), Owner(), WITHIN)
    print(await peers.open("127.0.0.1:0"), runner.addresses[0][1], flush=True)
    await stop.wait()
    await peers.close(0)
    await runner.cleanup()


if __name__ == "__main__":
    event_loop.run(serve())
