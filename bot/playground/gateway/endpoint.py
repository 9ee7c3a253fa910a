"""Where bots connect, and what the control API does to their connections."""

from aiohttp import WSCloseCode, web

from bot.playground.gateway import frame
from bot.playground.gateway.frame import Op
from bot.playground.gateway.hub import Hub
from bot.playground.gateway.socket import Connection
from bot.playground.gateway.starts import Starts
from bot.playground.protocol.wire import Json
from bot.playground.world import event as ev
from bot.playground.world.core import Core


class Gateway:
    def __init__(self, core: Core, starts: Starts) -> None:
        self._core = core
        self._starts = starts
        self.hub = Hub(core)
        self.address = ""
        self.refusals = 0
        """How many of the next connections are refused with a 503."""
        self.connections: set[Connection] = set()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if self.refusals > 0:
            self.refusals -= 1
            self._core.bus.publish(ev.SessionChanged(None, "refused", "refused on demand"))
            return web.Response(status=503)
        # Plain frames are right for every client; zlib-stream is used where it is asked for.
        zlib = request.query.get("compress") == "zlib-stream"
        socket = web.WebSocketResponse(compress=False, autoping=True, max_msg_size=1 << 16, timeout=1.0)
        await socket.prepare(request)
        connection = Connection(self._core, self.hub, self._starts, self.address, socket, zlib=zlib)
        self.connections.add(connection)
        try:
            await connection.run()
        finally:
            self.connections.discard(connection)
        return socket

    # -- faults

    def close_all(self, code: int, shard: int | None = None) -> int:
        """Close every connection, or those of one shard; the answer is how many there were."""
        found = [one for one in self.connections if shard is None or (one.session and one.session.shard[0] == shard)]
        for connection in found:
            connection.close(code)
        return len(found)

    def ask_reconnect(self) -> int:
        """Op 7."""
        for connection in self.connections:
            connection.send(frame.plain(Op.RECONNECT))
        return len(self.connections)

    def invalidate(self, *, resumable: bool) -> int:
        """Op 9; unless it may be resumed, the session is gone."""
        for connection in self.connections:
            session = connection.session
            if session is not None and not resumable:
                session.sink = None
                self.hub.remove(session)
                connection.session = None
            connection.send(frame.plain(Op.INVALID_SESSION, resumable))
        return len(self.connections)

    def fall_silent(self) -> int:
        """Every connection that is open now plays dead."""
        for connection in self.connections:
            connection.silent = True
        return len(self.connections)

    def repeat(self, name: str, times: int) -> int:
        """Tell the newest events of this name once more, as after a RESUME with an old number."""
        for connection in self.connections:
            if (session := connection.session) is None:
                continue
            of_shard = [one for one in self.hub.of_app(session.app) if one.shard == session.shard]
            told = [body for one in of_shard for body in one.kept(name)]
            for body in told[-times:]:
                session.push(name, frame.dump(body))
        return len(self.connections)

    def refuse(self, times: int) -> int:
        """Refuse the next connections."""
        self.refusals = times
        return len(self.connections)

    def describe(self) -> list[Json]:
        return [
            {
                "app": str(session.app.id),
                "session": session.id,
                "connected": session.sink is not None,
                "sequence": session.sequence,
                "intents": session.intents,
                "shard": list(session.shard),
            }
            for session in self.hub.sessions()
        ]

    def stop(self) -> None:
        self.close_all(int(WSCloseCode.GOING_AWAY))
