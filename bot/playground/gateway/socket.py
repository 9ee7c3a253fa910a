"""One websocket connection of a bot, from HELLO to its close."""

import asyncio
import json
import time
from collections import deque

from aiohttp import WSMsgType, web

from bot.playground.gateway import frame, intent
from bot.playground.gateway.frame import Close, Op
from bot.playground.gateway.hub import Hub
from bot.playground.gateway.session import Session
from bot.playground.gateway.starts import Starts
from bot.playground.protocol.number import read_whole
from bot.playground.protocol.wire import Json, as_id, as_object, items
from bot.playground.world import event as ev
from bot.playground.world import payload
from bot.playground.world.core import Core
from bot.playground.world.model import App


class Connection:
    """Reads what the bot says, answers, and writes what its session is told."""

    def __init__(
        self, core: Core, hub: Hub, starts: Starts, address: str, socket: web.WebSocketResponse, *, zlib: bool
    ) -> None:
        self._core = core
        self._hub = hub
        self._starts = starts
        self._address = address
        self._socket = socket
        self._deflate = frame.Deflate() if zlib else None
        self._outbox: asyncio.Queue[str | int] = asyncio.Queue()
        self._received: deque[float] = deque()
        self._closing = False
        self.session: Session | None = None
        self.silent = False
        """Whether it plays dead: nothing is sent any more, and heartbeats stay without an answer."""

    def send(self, text: str) -> None:
        if not self.silent:
            self._outbox.put_nowait(text)

    def close(self, code: int) -> None:
        """Close after what is already waiting to be sent."""
        self._closing = True
        self._outbox.put_nowait(code)

    async def run(self) -> None:
        writer = asyncio.create_task(self._write())
        interval = int(self._core.settings.heartbeat_seconds * 1000)
        self.send(frame.plain(Op.HELLO, {"heartbeat_interval": interval, "_trace": []}))
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT:
                    self.close(Close.DECODE_ERROR)
                    continue
                self._receive(message.data)
        finally:
            writer.cancel()
            self._part()

    async def _write(self) -> None:
        while True:
            item = await self._outbox.get()
            try:
                if isinstance(item, int):
                    await self._socket.close(code=item)
                    return
                if self._deflate is None:
                    await self._socket.send_str(item)
                else:
                    await self._socket.send_bytes(self._deflate.pack(item))
            except ConnectionError:
                return

    def _part(self) -> None:
        """The connection is over. The bot's own 1000 or 1001 ends the session too; else it may be resumed."""
        session = self.session
        if session is None:
            return
        code = self._socket.close_code
        if session.sink is self:
            session.sink = None
            session.parted = self._core.clock.time()
        if code in (1000, 1001) and not self._closing and session in self._hub.sessions():
            self._hub.remove(session)
        self._core.bus.publish(ev.SessionChanged(session.app.id, "closed", str(code), session.shard[0]))

    def _receive(self, text: str) -> None:
        if self._too_fast():
            self.close(Close.RATE_LIMITED)
            return
        try:
            said: Json = json.loads(text)
            op = said["op"]
        except (ValueError, KeyError, TypeError):
            self.close(Close.DECODE_ERROR)
            return
        match op:
            case Op.HEARTBEAT:
                self.send(frame.plain(Op.HEARTBEAT_ACK))
            case Op.IDENTIFY:
                self._identify(as_object(said.get("d")) or {})
            case Op.RESUME:
                self._resume(as_object(said.get("d")) or {})
            case Op.REQUEST_MEMBERS if self.session is not None:
                self._tell_members(self.session, as_object(said.get("d")) or {})
            case Op.PRESENCE | Op.VOICE_STATE if self.session is not None:
                pass
            case Op.REQUEST_MEMBERS | Op.PRESENCE | Op.VOICE_STATE:
                self.close(Close.NOT_AUTHENTICATED)
            case _:
                self.close(Close.UNKNOWN_OP)

    def _too_fast(self) -> bool:
        window = self._core.settings.gateway_sends
        if window is None:
            return False
        now = time.monotonic()
        self._received.append(now)
        while self._received[0] < now - window.seconds:
            self._received.popleft()
        return len(self._received) > window.count

    def _identify(self, said: Json) -> None:
        app = self._core.world.tokens.get(str(said.get("token")))
        intents = said.get("intents")
        shard = [one for one in items(said.get("shard")) or [0, 1] if isinstance(one, int)]
        if self.session is not None:
            self.close(Close.ALREADY_AUTHENTICATED)
        elif app is None:
            self._core.bus.publish(ev.SessionChanged(None, "refused", "unknown token"))
            self.close(Close.AUTHENTICATION_FAILED)
        elif not isinstance(intents, int):
            self.close(Close.INVALID_INTENTS)
        elif intents & intent.PRIVILEGED & ~app.privileged:
            self._core.bus.publish(ev.SessionChanged(app.id, "refused", "privileged intents"))
            self.close(Close.DISALLOWED_INTENTS)
        elif len(shard) != 2 or not 0 <= shard[0] < shard[1]:
            self.close(Close.INVALID_SHARD)
        elif shard[1] < self._core.settings.least_shards:
            self._core.bus.publish(ev.SessionChanged(app.id, "refused", "sharding required", shard[0]))
            self.close(Close.SHARDING_REQUIRED)
        elif not self._starts.take(app.id):
            self._reset_token(app)
        elif not self._starts.is_in_turn(app.id, shard[0]):
            self._core.bus.publish(ev.SessionChanged(app.id, "refused", "too soon", shard[0]))
            self.send(frame.plain(Op.INVALID_SESSION, data=False))
        else:
            self._begin(app, intents, (shard[0], shard[1]))

    def _begin(self, app: App, intents: int, shard: tuple[int, int]) -> None:
        self.session = Session(app, intents, shard, self._core.settings.session_events, sink=self)
        self._hub.add(self.session)
        self._hub.welcome(self.session, self._address)
        self._core.bus.publish(ev.SessionChanged(app.id, "ready", shard=shard[0]))

    def _reset_token(self, app: App) -> None:
        """Too many sessions in a day: Discord ends all of them, and no token of the bot is good any more."""
        self._core.bus.publish(ev.SessionChanged(app.id, "refused", "too many sessions: the token is reset"))
        self._core.world.revoke_tokens(app)
        for session in self._hub.of_app(app):
            if isinstance(session.sink, Connection):
                session.sink.close(Close.AUTHENTICATION_FAILED)
            self._hub.remove(session)
        self.close(Close.AUTHENTICATION_FAILED)

    def _resume(self, said: Json) -> None:
        app = self._core.world.tokens.get(str(said.get("token")))
        sequence = as_id(said.get("seq"))
        if self.session is not None:
            self.close(Close.ALREADY_AUTHENTICATED)
            return
        if app is None:
            self.close(Close.AUTHENTICATION_FAILED)
            return
        session = self._hub.find(str(said.get("session_id")), app)
        missed = None if session is None or sequence is None else session.missed(sequence)
        if session is None or sequence is None or missed is None:
            self.send(frame.plain(Op.INVALID_SESSION, data=False))
            return
        if sequence > session.sequence:
            self.close(Close.INVALID_SEQ)
            return
        if isinstance(session.sink, Connection):
            session.sink.close(Close.SESSION_TIMED_OUT)
        self.session, session.sink = session, self
        for text in missed:
            self.send(text)
        session.push("RESUMED", frame.dump({"_trace": []}))
        self._core.bus.publish(ev.SessionChanged(app.id, "resumed", str(len(missed)), session.shard[0]))

    def _tell_members(self, session: Session, said: Json) -> None:
        """GUILD_MEMBERS_CHUNK, by ids or by the beginning of a name."""
        world = self._core.world
        guild = world.guilds.get(as_id(said.get("guild_id")) or 0)
        if guild is None or session.app.id not in guild.members:
            return
        wanted = {as_id(one) for one in items(said.get("user_ids"))}
        start = str(said.get("query") or "").lower()
        everyone = not wanted and not start
        if everyone and not session.intents & intent.GUILD_MEMBERS:
            return
        found = [
            member
            for member in guild.members.values()
            if member.user_id in wanted
            or everyone
            or (start and (member.nick or world.users[member.user_id].name).lower().startswith(start))
        ]
        limit = read_whole(said.get("limit")) or len(found)
        body: Json = {
            "guild_id": str(guild.id),
            "members": [payload.member(world, one) for one in found[:limit]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(one) for one in wanted - {member.user_id for member in found} if one],
        }
        if said.get("nonce"):
            body["nonce"] = said["nonce"]
        session.push("GUILD_MEMBERS_CHUNK", frame.dump(body))
