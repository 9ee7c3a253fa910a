"""The HTTP and websocket connection to a stand-in."""

import asyncio
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import aiohttp

from bot.playground.protocol.wire import Json

RECENT = 256
"""frames that are remembered as they were read: most go to everybody who sees a channel"""


class Refused(AssertionError):
    """The stand-in said in a sentence why this cannot be done."""


class Link:
    def __init__(self, address: str) -> None:
        self.address = address
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self._listeners: list[asyncio.Task[None]] = []

    async def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """One request to `/play`; its JSON, or `Refused`."""
        async with self._session.request(method, f"{self.address}/play{path}", json=body) as response:
            told: Any = json.loads(await response.read())
            if response.status >= 400:
                raise Refused(told.get("error") or str(told))
            return told

    async def read(self, url: str) -> bytes:
        """A file, such as an attachment."""
        async with self._session.get(url) as response:
            response.raise_for_status()
            return await response.read()

    async def listen(self, path: str, hear: Callable[[Json], None]) -> None:
        """Hear every frame of a feed from now on; returns once the first one, the snapshot, is in."""
        socket = await self._session.ws_connect(f"{self.address}/play{path}", max_msg_size=0)
        hear(await socket.receive_json())
        self._listeners.append(asyncio.create_task(_hear(socket, hear)))

    async def close(self) -> None:
        for task in self._listeners:
            task.cancel()
        await asyncio.gather(*self._listeners, return_exceptions=True)
        await self._session.close()


async def _hear(socket: aiohttp.ClientWebSocketResponse, hear: Callable[[Json], None]) -> None:
    try:
        async for message in socket:
            hear(_read(message.data))
    finally:
        await socket.close()


@lru_cache(maxsize=RECENT)
def _read(text: str) -> Json:
    """A frame, shared by all who hear it; nobody changes it."""
    return json.loads(text)
