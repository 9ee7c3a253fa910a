"""The connections to Discord's gateway, one for each shard, with back-off between attempts.

discord.py's own loop waits up to 17 minutes between two attempts, logs a traceback for each, and limits no sessions.
The internals of discord.py that this needs are in `bot.discord_internals`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands

from bot.discord_internals.client import InternalsShard
from bot.discord_internals.gateway import Reconnect
from bot.interactions.client import GopsClient, kept_by_discord_py
from bot.process.base.addresses import trusted
from bot.process.base.backoff import Backoff
from bot.process.sessions import SessionLimit
from bot.referee.clock.presence import BEAT, Presence
from bot.rest.rest_client import CONNECTION_ERRORS

log = logging.getLogger(__name__)

MAX_WAIT = 15.0
"""longest wait between two attempts, in seconds"""

HANDSHAKE = 60.0
"""seconds in which a connection has to come up"""

AUTHENTICATION_FAILED = 4004
SHARDING_REQUIRED = 4011
INTENTS = 4014
NORMAL = 1000
"""codes with which Discord closes a connection"""

RESUMABLE = 4000
"""code with which the bot closes a connection, so that another process may resume its session"""

RESUMES = 3
"""Tries to resume a session at its own address before each one where sessions begin: the host may be gone for good.
Discord resumes a session there as well, or says that it is over."""

UNAUTHORIZED = 401

FAILURES = (OSError, TimeoutError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)


FRESH = 60.0
"""seconds for which the answer of /gateway/bot is used again: all shards begin with one"""


class Gateway:
    """What the shards of a bot share: the address of the gateway, and the limit on new sessions."""

    def __init__(self, bot: GopsClient, sessions: SessionLimit | None, url: str = "") -> None:
        """Without `sessions`, new sessions are not limited. Without `url`, the API names the gateway."""
        self.sessions = sessions
        self.url = url
        self.was_reached = False
        """True once a shard was connected, or none was needed"""
        self._bot = bot
        self._told: tuple[float, str] | None = None
        """when the API named which address"""

    async def read(self) -> int:
        """Ask the API for address and limit; return how many shards Discord recommends. Raises `LoginFailure` if the
        token is refused."""
        try:
            told = await self._bot.fetch_gateway()
        except discord.HTTPException as error:
            if error.status != UNAUTHORIZED:
                raise
            raise discord.LoginFailure("Discord refuses this token") from error
        if self.sessions is not None:
            self.sessions.heed(told["session_start_limit"])
        self._told = asyncio.get_running_loop().time(), told["url"]
        return max(1, int(told["shards"]))

    async def address(self) -> str:
        """Return where the next session begins."""
        if self.url:
            return self.url
        if self._told is None or asyncio.get_running_loop().time() - self._told[0] > FRESH:
            await self.read()
        return self._told[1] if self._told is not None else ""

    def turn(self, shard: int) -> AbstractAsyncContextManager[None]:
        """Wait until this shard may begin a session."""
        return nullcontext() if self.sessions is None else self.sessions.turn(shard)


class Shard(InternalsShard):
    """A shard that reconnects with a short back-off, however often the gateway refuses it."""

    def __init__(
        self,
        bot: GopsClient,
        gateway: Gateway,
        shard_id: int = 0,
        shard_count: int = 1,
        stored: str | None = None,
        **how: Any,
    ) -> None:
        """`stored` is the session of the process that kept this shard before; it is resumed."""
        super().__init__(bot, shard_id, shard_count, **kept_by_discord_py(), **how)
        self.gateway = gateway
        self._stored = stored

    def write_session(self) -> str | None:
        """Return what resumes the session in another process; None without a session."""
        if (session := self.session) is None:
            return None
        return json.dumps({**session, "gateway": str(session["gateway"] or "")})

    def _read_session(self) -> dict[str, Any] | None:
        session: dict[str, Any] | None = json.loads(self._stored) if self._stored else None
        return None if session is None else {**session, "gateway": yarl.URL(session["gateway"])}

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Count the session; discord.py calls this right before it begins. `connect` has waited already."""
        if self.gateway.sessions is not None:
            await self.gateway.sessions.begin(shard_id or 0)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until the shard closes. Raises if the bot's first connection fails: the caller retries."""
        tries, failures = Backoff(1.0, MAX_WAIT), 0
        session = self._read_session()
        loop = asyncio.get_running_loop()
        while not self.is_closed():
            came: float | None = None
            try:
                await self._open(session, elsewhere=failures % (RESUMES + 1) == RESUMES)
                failures, came, self.gateway.was_reached = 0, loop.time(), True
                await self.poll_socket()
            except Reconnect as ended:
                error: Exception = ended
            except discord.ConnectionClosed as closed:
                _raise_if_final(closed)
                error = closed
            except FAILURES as failed:
                error = failed
            failures += came is None
            self.dispatch("disconnect")
            if self.is_closed():
                return
            if not self.gateway.was_reached:
                raise ConnectionError(_describe(error)) from error
            over = isinstance(error, Reconnect) and not error.resume
            session = None if over else self.session or session  # the stored one, until it was opened
            wait = tries.wait(0.0 if came is None else loop.time() - came)
            if wait:
                log.warning("no connection to Discord%s (%s); trying again in %.1f s", self, _describe(error), wait)
            await asyncio.sleep(wait)

    def __str__(self) -> str:
        """Return the number of the shard for a sentence; nothing if it is the only one."""
        return f" for shard {self.shard_id}" if self.shard_count != 1 else ""

    async def _open(self, session: dict[str, Any] | None, *, elsewhere: bool = False) -> None:
        """Connect. Refuse addresses that must not get the token: an answer of the API could name any."""
        resumed = "" if session is None or elsewhere else str(session["gateway"] or "")
        async with asyncio.timeout(HANDSHAKE):  # `wait_for` of Python 3.11 may swallow a cancellation
            address = self.gateway.url or resumed or await self.gateway.address()
        try:
            trusted(address, ("wss", "ws"))
        except ValueError as error:
            raise ConnectionError(f"Discord's gateway {error}") from None
        turn = self.gateway.turn(self.shard_id or 0) if session is None else nullcontext()
        async with turn, asyncio.timeout(HANDSHAKE):
            await self.open_socket(session, yarl.URL(address))


class ShardedClient(GopsClient):
    """A client that hears by its shards. Where several processes share the work, each keeps some of them."""

    def __init__(
        self,
        tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        sessions: SessionLimit | None = None,
        gateway_url: str = "",
        shards: int = 0,
        has_gateway: bool = True,
        heartbeat_timeout: float = 60.0,
        owns_shard: Callable[[int], bool] = lambda _: True,
        read_session: Callable[[int], Awaitable[str | None]] | None = None,
        **options: Any,
    ) -> None:
        """Without `shards`, there are as many as Discord recommends; without a gateway there are none. `owns_shard`
        returns True for those of this process, and `read_session` what another process kept of a shard."""
        super().__init__(tree, **options)
        self.gateway = Gateway(self, sessions, gateway_url)
        self.lost = set[int]()
        """shards without a connection"""
        self._wanted = shards
        self._has_gateway = has_gateway
        self._patience = heartbeat_timeout
        self._owns_shard = owns_shard
        self._read_session = read_session
        self.shards = self._kept = dict[int, Shard]()
        self._connections: dict[int, asyncio.Task[None]] = {}
        """by shard"""
        self._ended: asyncio.Future[None] | None = None
        """Done when a shard has ended for good."""

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep all shards connected until the client closes, or until one of them ends for good."""
        if self._has_gateway:
            recommended = await self.gateway.read()
            self.shard_count = count = self._wanted or recommended
            if count > 1:
                log.info("connecting %d shards; Discord recommends %d", count, recommended)
        self._ended = asyncio.get_running_loop().create_future()
        try:
            await self.keep_shards()
            await self._ended
        finally:
            self._ended = None
            await self._end_connections([*self.shards])

    async def keep_shards(self) -> dict[int, str]:
        """Connect the shards of this process, and no others. Do nothing before `connect`. Return the sessions of those
        that it gave up."""
        if self._ended is None:
            return {}
        count = self.shard_count or 0
        ended = await self._end_connections([id for id in self.shards if not self._owns_shard(id)], RESUMABLE)
        for id in range(count):
            if id not in self.shards and self._owns_shard(id):
                stored = None if self._read_session is None else await self._read_session(id)
                shard = self._kept[id] = Shard(self, self.gateway, id, count, stored, heartbeat_timeout=self._patience)
                self.lost.add(id)
                task = self._connections[id] = asyncio.create_task(shard.connect(), name=f"shard {id}")
                task.add_done_callback(self._note_end)
        if not self.shards:
            self.gateway.was_reached = True
        self.check_shards()
        return ended

    def check_shards(self) -> None:
        """Stop clocks while a shard has no connection in any process. Call it when shards may have changed."""

    def write_sessions(self) -> dict[int, str]:
        """Return what resumes the session of each shard in another process."""
        sessions = {id: shard.write_session() for id, shard in self._kept.items()}
        return {id: session for id, session in sessions.items() if session is not None}

    async def _end_connections(self, ids: Sequence[int], code: int = NORMAL) -> dict[int, str]:
        """End shards, and return their sessions."""
        sessions = {id: session for id, session in self.write_sessions().items() if id in ids}
        shards = [self._kept.pop(id) for id in ids]
        tasks = [self._connections.pop(id) for id in ids]
        self.lost.difference_update(ids)
        await asyncio.gather(*(shard.close(code=code) for shard in shards), return_exceptions=True)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return sessions

    def _note_end(self, task: asyncio.Task[None]) -> None:
        """End `connect` as a shard has ended, unless this process gave the shard up."""
        if self._ended is None or self._ended.done() or task not in self._connections.values():
            return
        if not task.cancelled() and (error := task.exception()) is not None:
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)

    async def close(self) -> None:
        await asyncio.gather(*(shard.close() for shard in self.shards.values()), return_exceptions=True)
        await super().close()


def _raise_if_final(closed: discord.ConnectionClosed) -> None:
    """Raise for a close code after which a new connection would fail in the same way."""
    if closed.code == INTENTS:
        raise discord.PrivilegedIntentsRequired(closed.shard_id) from None
    if closed.code != NORMAL:
        raise closed


def _describe(error: Exception) -> str:
    """Return the error in one line."""
    if isinstance(error, Reconnect):
        return "it was closed"
    return " ".join(f"{type(error).__name__} {error}".split())


PATIENCE = 10.0
"""seconds for one answer of the API"""

SERVERS_INTERVAL = 3600.0
"""seconds between two lists of servers"""


async def poll_api(client: discord.Client, presence: Presence) -> None:
    """Poll the API until cancelled. Mark the bot offline while it does not answer, so that clocks stop."""
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                await client.application_info()
        except (discord.DiscordException, *CONNECTION_ERRORS):
            presence.disconnect()
        else:
            if not presence.online.is_set():
                await presence.reconnect()
                await presence.tell_moved()
        await asyncio.sleep(BEAT.total_seconds())


async def list_servers(client: discord.Client, owns: Callable[[int], bool]) -> None:
    """Dispatch each hour the servers of the bot, as a new session of a gateway does: without one only the API names
    them. `owns` returns True for servers of this process."""
    while True:
        pause = SERVERS_INTERVAL
        try:
            servers = [guild.id async for guild in client.fetch_guilds(limit=None, with_counts=False)]
        except (discord.DiscordException, *CONNECTION_ERRORS):
            pause = MAX_WAIT
        else:
            client.dispatch("servers_listed", 0, list(filter(owns, servers)))
        await asyncio.sleep(pause)
