"""A process that prints its address and each request, and never answers to `stuck`; a test kills it."""

from __future__ import annotations

import asyncio

from bot.process.base import event_loop
from bot.process.peers.connection import PeerRequest, PeerStatus
from bot.process.peers.peers import Peers
from tests.process.scene import Owner, identity


async def handle(request: PeerRequest) -> PeerStatus:
    print(request.body.decode(), flush=True)
    if request.body == b"stuck":
        await asyncio.Event().wait()
    return PeerStatus.HANDLED


async def main() -> None:
    peers = Peers(identity(2), Owner(handle), 600.0)
    print(await peers.open("127.0.0.1:0"), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    event_loop.run(main())
