"""A bot by hand: no library between the test and the wire."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

import aiohttp

from bot.playground.protocol.wire import Json

GUILDS, MEMBERS, GUILD_MESSAGES, DIRECT_MESSAGES = 1, 1 << 1, 1 << 9, 1 << 12


@dataclass(frozen=True)
class Told:
    """An answer."""

    status: int
    body: Any
    headers: Any

    @property
    def code(self) -> int:
        return self.body["code"]

    def faults(self) -> list[tuple[str, str]]:
        """Every fault of a 50035: where, and Discord's word for it."""

        def walk(tree: Json, where: str) -> list[tuple[str, str]]:
            found = [(where, one["code"]) for one in tree.get("_errors", [])]
            for key, inner in tree.items():
                if key != "_errors":
                    found += walk(inner, f"{where}.{key}".removeprefix("."))
            return found

        return walk(self.body.get("errors", {}), "")


class Gateway:
    """One websocket, from HELLO on."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.sequence = 0

    async def receive(self) -> Json | int:
        """The next frame, or the code with which the other side closes."""
        message = await self.socket.receive(timeout=60)
        if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING):
            return self.socket.close_code or 0
        frame: Json = json.loads(message.data)
        self.sequence = frame.get("s") or self.sequence
        return frame

    async def until(self, name: str) -> Json:
        """The data of the next event of this name; what comes before it is left unread."""
        while True:
            frame = await self.receive()
            assert not isinstance(frame, int), f"closed with {frame} instead of {name}"
            if frame["t"] == name:
                return frame["d"]

    async def op(self, op: int) -> Any:
        """The data of the next frame with this opcode."""
        while True:
            frame = await self.receive()
            assert not isinstance(frame, int), f"closed with {frame}"
            if frame["op"] == op:
                return frame["d"]

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, token: str, intents: int = GUILDS, **more: Any) -> None:
        await self.send(2, {"token": token, "intents": intents, "properties": {}, **more})

    async def resume(self, token: str, session: str, sequence: int) -> None:
        await self.send(6, {"token": token, "session_id": session, "seq": sequence})


class RawBot:
    def __init__(self, session: aiohttp.ClientSession, address: str, token: str) -> None:
        self.session = session
        self.address = address
        self.token = token
        self.gateway: Gateway
        self.id = ""

    @classmethod
    @asynccontextmanager
    async def connect(cls, address: str, token: str, intents: int = GUILDS) -> AsyncGenerator[Self]:
        async with aiohttp.ClientSession() as session:
            bot = cls(session, address, token)
            bot.gateway = await bot.dial()
            await bot.gateway.identify(token, intents)
            bot.id = (await bot.gateway.until("READY"))["user"]["id"]
            yield bot
            await bot.gateway.socket.close()

    async def dial(self, path: str = "/gateway") -> Gateway:
        """One more connection, past its HELLO."""
        gateway = Gateway(await self.session.ws_connect(self.address + path, max_msg_size=0))
        await gateway.op(10)
        return gateway

    async def call(self, method: str, path: str, body: Any = None, *, token: str | None = "", **more: Any) -> Told:
        """A call of the API, with the bot's token unless another or none is given."""
        token = self.token if token == "" else token
        headers = {} if token is None else {"Authorization": f"Bot {token}"}
        url = f"{self.address}/api/v10{path}"
        async with self.session.request(method, url, json=body, headers=headers, **more) as response:
            raw = await response.read()
            return Told(response.status, json.loads(raw) if raw else None, response.headers)

    async def interaction(self) -> "Clicked":
        """The next interaction."""
        return Clicked(self, await self.gateway.until("INTERACTION_CREATE"))


class Clicked:
    """An interaction in the hands of the bot."""

    def __init__(self, bot: RawBot, data: Json) -> None:
        self.bot = bot
        self.data = data

    async def answer(self, type_: int, data: Any = None, **more: Any) -> Told:
        """The callback."""
        path = f"/interactions/{self.data['id']}/{self.data['token']}/callback?with_response=1"
        body = {"type": type_} if data is None else {"type": type_, "data": data}
        return await self.bot.call("POST", path, body, token=None, **more)

    async def hook(self, method: str, rest: str = "", body: Any = None) -> Told:
        """A call of the webhook that the token is: `/messages/@original`, or nothing for a followup."""
        path = f"/webhooks/{self.data['application_id']}/{self.data['token']}{rest}"
        return await self.bot.call(method, path, body, token=None)


async def both(first: Any, second: Any) -> Any:
    """Run a person's action and the bot's answer to it at once; what came of the action."""
    async with asyncio.TaskGroup() as group:
        acting = group.create_task(first)
        group.create_task(second)
    return acting.result()
