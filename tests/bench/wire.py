"""The generator on its port: HTTP and websockets as bots speak them, and no more of either."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from tests.bench.generator import App, ok
from tests.bench.shapes import Json

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Discord:
    """Who may come, by token and by id."""

    def __init__(self) -> None:
        self.by_token: dict[str, App] = {}
        self.by_id: dict[bytes, App] = {}
        self.address = ""

    def app(self, name: str) -> App:
        """A new bot, whose token is its name."""
        made = App(name, len(self.by_token) + 1)
        self.by_token[name] = self.by_id[str(made.id).encode()] = made
        return made


@asynccontextmanager
async def listening() -> AsyncGenerator[Discord]:
    discord = Discord()
    server = await asyncio.get_running_loop().create_server(lambda: Link(discord), "127.0.0.1", 0)
    discord.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield discord
    finally:
        server.close()


class Link(asyncio.Protocol):
    """One connection: calls one after the other, or a gateway."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self._pack = zlib.compressobj(level=1)
        self._waiting = b""
        self._take: Callable[[], bool] = self._call
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        while self._waiting and self._take():
            pass

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    # --- calls --------------------------------------------------------------------------------------------

    def _call(self) -> bool:
        head, found, rest = self._waiting.partition(b"\r\n\r\n")
        if not found:
            return False
        low = head.lower()
        length = int(low.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if len(rest) < length:
            return False
        self._waiting = rest[length:]
        method, target, _ = head.partition(b"\r\n")[0].split(b" ")
        path, _, query = target.partition(b"?")
        if path == b"/gateway":
            self._upgrade(head)
        else:
            self._write(self._answer(method, path, query, low, head, rest[:length]))
        return True

    def _answer(self, method: bytes, path: bytes, query: bytes, low: bytes, head: bytes, body: bytes) -> bytes:
        parts = path.split(b"/", 4)  # "", api, v10, what, the rest
        what, rest = parts[3], parts[4].split(b"/") if len(parts) > 4 else []
        if what == b"interactions":
            return self._discord.by_id[rest[1].partition(b".")[0]].callback(rest[1], body, b"with_response" in query)
        if what == b"webhooks" and method == b"PATCH":
            return self._discord.by_id[rest[0]].by_token(rest[1], body, rest[3])
        if what == b"webhooks":
            return self._discord.by_id[rest[0]].further()
        start = low.index(b"authorization: bot ") + len(b"authorization: bot ")
        app = self._discord.by_token[head[start:].partition(b"\r\n")[0].decode()]
        if what == b"gateway":
            starts = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 16}
            url = f"{self._discord.address.replace('http', 'ws')}/gateway"
            return ok(json.dumps({"url": url, "shards": app.shards, "session_start_limit": starts}).encode())
        if what == b"channels" and method == b"PATCH" and len(rest) == 3 and int(rest[2]) in app.papers:
            return app.edit(int(rest[2]), body)
        return app.other(method.decode(), "/".join((what.decode(), *(one.decode() for one in rest))), body)

    # --- the gateway --------------------------------------------------------------------------------------

    def _upgrade(self, head: bytes) -> None:
        key = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key:"))
        accept = base64.b64encode(hashlib.sha1(key.partition(b":")[2].strip() + _MAGIC).digest())
        self._write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: %b\r\n\r\n" % accept
        )
        self._take = self._frame
        self.send(b'{"op":10,"d":{"heartbeat_interval":41250,"_trace":[]},"s":null,"t":null}')

    def send(self, text: bytes) -> None:
        data = self._pack.compress(text) + self._pack.flush(zlib.Z_SYNC_FLUSH)
        size = len(data)
        if size < 126:
            self._write(bytes((0x82, size)) + data)
        elif size < 65536:
            self._write(b"\x82\x7e" + size.to_bytes(2, "big") + data)
        else:
            self._write(b"\x82\x7f" + size.to_bytes(8, "big") + data)

    def _frame(self) -> bool:
        """What a bot says is short and rare."""
        data = self._waiting
        size, start = data[1] & 0x7F if len(data) > 1 else 0, 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        if len(data) < start + 4 + size:
            return False
        mask, masked = data[start : start + 4], data[start + 4 : start + 4 + size]
        self._waiting = data[start + 4 + size :]
        said = bytes(one ^ mask[place & 3] for place, one in enumerate(masked))
        match data[0] & 0xF:
            case 1:
                self._hear(json.loads(said))
            case 8:
                self._write(bytes((0x88, len(said))) + said)
                if self._transport is not None:
                    self._transport.close()
            case 9:
                self._write(bytes((0x8A, len(said))) + said)
            case _:
                pass
        return True

    def _hear(self, said: Json) -> None:
        match said["op"]:
            case 1:
                self.send(b'{"op":11,"d":null,"s":null,"t":null}')
            case 2:
                given = said["d"]
                shard, _ = given.get("shard") or (0, 1)
                self._discord.by_token[given["token"]].meet(self.send, int(given["intents"]), shard)
            case 6:
                self.send(b'{"op":9,"d":false,"s":null,"t":null}')
            case _:
                pass
