"""The connections to Discord's gateway, one for each shard, with back-off between attempts.

discord.py's own loop waits up to 17 minutes between two attempts, logs a traceback for each, and limits no sessions.
The internals of discord.py that this needs are in `bot.discord_internals`.
"""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands

from bot.discord_internals import InternalsShard, Reconnect
from bot.interactions.client import GopsClient, kept_by_discord_py
from bot.process.base.addresses import trusted
from bot.process.sessions import SessionLimit
from bot.referee.clock.presence import BEAT, Presence
from bot.rest.rest_client import CONNECTION_ERRORS

log = logging.getLogger(__name__)

MAX_WAIT = 15.0
"""longest wait between two attempts, in seconds"""

STABLE = 30.0
"""A connection that lasted so many seconds was stable: the next attempt follows at once."""

HANDSHAKE = 60.0
"""seconds in which a connection has to come up"""

AUTHENTICATION_FAILED = 4004
SHARDING_REQUIRED = 4011
INTENTS = 4014
NORMAL = 1000
"""codes with which Discord closes a connection"""

UNAUTHORIZED = 401

FAILURES = (OSError, TimeoutError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)


class Backoff:
    """Exponential back-off with jitter: at most 1 second, 2, 4, 8, then 15."""

    def __init__(self) -> None:
        self._failed = 0

    def wait(self, lasted: float) -> float:
        """Return the wait after a connection that lasted so many seconds; `lasted` is 0 for one that never came up."""
        if lasted >= STABLE:
            self._failed = 0
            return 0.0
        most = min(MAX_WAIT, 2.0**self._failed)
        self._failed = min(self._failed + 1, 10)
        return random.uniform(most / 2, most)


FRESH = 60.0
"""seconds for which the answer of /gateway/bot is used again: all shards begin with one"""


class Gateway:
    """What the shards of a bot share: the address of the gateway, and the limit on new sessions."""

    def __init__(self, bot: GopsClient, sessions: SessionLimit | None, url: str = "") -> None:
        """Without `sessions`, new sessions are not limited. Without `url`, the API names the gateway."""
        self.sessions = sessions
        self.url = url
        self.was_reached = False
        """True once a shard was connected"""
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

    def __init__(self, bot: GopsClient, gateway: Gateway, shard_id: int = 0, shard_count: int = 1, **how: Any) -> None:
        super().__init__(bot, shard_id, shard_count, **kept_by_discord_py(), **how)
        self.gateway = gateway

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Count the session; discord.py calls this right before it begins. `connect` has waited already."""
        if self.gateway.sessions is not None:
            await self.gateway.sessions.begin(shard_id or 0)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until the shard closes. Raises if the bot's first connection fails: the caller retries."""
        tries = Backoff()
        session: dict[str, Any] | None = None
        loop = asyncio.get_running_loop()
        while not self.is_closed():
            came: float | None = None
            try:
                await self._open(session)
                came, self.gateway.was_reached = loop.time(), True
                await self.poll_socket()
            except Reconnect as ended:
                error: Exception = ended
            except discord.ConnectionClosed as closed:
                _raise_if_final(closed)
                error = closed
            except FAILURES as failed:
                error = failed
            self.dispatch("disconnect")
            if self.is_closed():
                return
            if not self.gateway.was_reached:
                raise ConnectionError(_describe(error)) from error
            over = isinstance(error, Reconnect) and not error.resume
            session = None if over else self.session
            wait = tries.wait(0.0 if came is None else loop.time() - came)
            if wait:
                log.warning("no connection to Discord%s (%s); trying again in %.1f s", self, _describe(error), wait)
            await asyncio.sleep(wait)

    def __str__(self) -> str:
        """Return the number of the shard for a sentence; nothing if it is the only one."""
        return f" for shard {self.shard_id}" if self.shard_count != 1 else ""

    async def _open(self, session: dict[str, Any] | None) -> None:
        """Connect. Refuse addresses that must not get the token: an answer of the API could name any."""
        resumed = "" if session is None else str(session["gateway"] or "")
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
    """A client that hears by its shards, all of them in this process."""

    def __init__(
        self,
        tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        sessions: SessionLimit | None = None,
        gateway_url: str = "",
        shards: int = 0,
        heartbeat_timeout: float = 60.0,
        **options: Any,
    ) -> None:
        """Without `shards`, there are as many as Discord recommends."""
        super().__init__(tree, **options)
        self.gateway = Gateway(self, sessions, gateway_url)
        self.lost = set[int]()
        """shards without a connection"""
        self._wanted = shards
        self._patience = heartbeat_timeout

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep all shards connected until the client closes, or until one of them ends for good."""
        recommended = await self.gateway.read()
        self.shard_count = count = self._wanted or recommended
        shards = [Shard(self, self.gateway, id, count, heartbeat_timeout=self._patience) for id in range(count)]
        self.shards, self.lost = dict(enumerate(shards)), set(range(count))
        if count > 1:
            log.info("connecting %d shards; Discord recommends %d", count, recommended)
        tasks = [asyncio.create_task(one.connect(), name=f"shard {one.shard_id}") for one in shards]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for one in ended:
                one.result()
        finally:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def on_shard_ready(self, _: int) -> None:
        """Dispatch `ready` once the servers of all shards are known."""
        if all(shard.is_ready() for shard in self.shards.values()):
            self.dispatch("ready")

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
        await asyncio.sleep(BEAT.total_seconds())
