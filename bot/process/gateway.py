"""The connection to Discord's gateway: back-off between attempts, and a limit on new sessions.

discord.py's own loop waits up to 17 minutes between two attempts, logs a traceback for each, and limits no sessions.
The internals of discord.py that this needs are in `bot.discord_internals`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands

from bot.discord_internals import Reconnect
from bot.interactions.client import GopsClient
from bot.process.base.addresses import trusted
from bot.referee.clock.presence import BEAT, Presence
from bot.rest.rest_client import CONNECTION_ERRORS

log = logging.getLogger(__name__)

MAX_WAIT = 15.0
"""longest wait between two attempts, in seconds"""

STABLE = 30.0
"""A connection that lasted so many seconds was stable: the next attempt follows at once."""

HANDSHAKE = 60.0
"""seconds in which a connection has to come up"""

BURST = 400
EVERY = timedelta(seconds=150)
"""Discord allows 1,000 sessions a day, and resets the token after more. `BURST` at once and one more after each `EVERY`
are 976 in any 24 hours."""

APART = timedelta(seconds=5)
"""shortest time between two sessions that Discord allows"""

AUTHENTICATION_FAILED = 4004
INTENTS = 4014
NORMAL = 1000
"""codes with which Discord closes a connection"""

UNAUTHORIZED = 401

FAILURES = (OSError, TimeoutError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)


class SessionLimit:
    """A token bucket for new sessions. It is stored across restarts, because Discord counts sessions by token."""

    def __init__(self, now: Callable[[], datetime], keep: Callable[[str], Awaitable[object]], kept: str | None) -> None:
        self._now = now
        self._keep = keep
        self._left = float(BURST)
        self._at = now()
        self._last: datetime | None = None
        if kept is not None:
            self._left, at = json.loads(kept)
            self._at = min(datetime.fromisoformat(at), self._at)  # a clock that was set back refills nothing

    def wait(self) -> float:
        """Return the seconds until the next session may begin."""
        now = self._refilled()
        waits = [(1 - self._left) * EVERY.total_seconds()]
        if self._last is not None:
            waits.append((self._last + APART - now).total_seconds())
        return max(0.0, *waits)

    async def begin(self) -> None:
        """Consume one session, and store the count."""
        self._last = self._refilled()
        self._left -= 1
        try:
            await self._keep(json.dumps([self._left, self._at.isoformat()]))
        except Exception:  # a locked or full store must not keep the bot offline
            log.exception("the count of gateway sessions could not be noted")

    def _refilled(self) -> datetime:
        now = self._now()
        self._left = min(float(BURST), self._left + max(now - self._at, timedelta()) / EVERY)
        self._at = now
        return now


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


class ReconnectingClient(GopsClient):
    """A client that reconnects with a short back-off, however often the gateway refuses it."""

    def __init__(
        self,
        tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        sessions: SessionLimit | None = None,
        gateway_url: str = "",
        **options: Any,
    ) -> None:
        """Without `sessions`, new sessions are not limited. Without `gateway_url`, the API names the gateway."""
        super().__init__(tree, **options)
        self.sessions = sessions
        self.gateway_url = gateway_url

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Count the session; discord.py calls this right before it begins. `connect` has waited already."""
        if self.sessions is not None:
            await self.sessions.begin()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until the client closes. Raises if the first connection fails: the caller retries that."""
        tries = Backoff()
        session: dict[str, Any] | None = None
        there = False
        loop = asyncio.get_running_loop()
        while not self.is_closed():
            came: float | None = None
            try:
                if session is None:
                    await self._wait_for_session()
                async with asyncio.timeout(HANDSHAKE):  # `wait_for` of Python 3.11 may swallow a cancellation
                    await self._open(session)
                came, there = loop.time(), True
                await self.poll_socket()
            except Reconnect as ended:
                error: Exception = ended
            except discord.ConnectionClosed as closed:
                await self._raise_if_final(closed)
                error = closed
            except FAILURES as failed:
                error = failed
            self.dispatch("disconnect")
            if self.is_closed():
                return
            if not there:
                raise ConnectionError(_describe(error)) from error
            over = isinstance(error, Reconnect) and not error.resume
            session = None if over else self.session
            wait = tries.wait(0.0 if came is None else loop.time() - came)
            if wait:
                log.warning("no connection to Discord (%s); trying again in %.1f s", _describe(error), wait)
            await asyncio.sleep(wait)

    async def _open(self, session: dict[str, Any] | None) -> None:
        """Connect. Refuse addresses that must not get the token: an answer of the API could name any."""
        resumed = "" if session is None else str(session["gateway"] or "")
        address = self.gateway_url or resumed or await self._fetch_gateway_url()
        try:
            trusted(address, ("wss", "ws"))
        except ValueError as error:
            raise ConnectionError(f"Discord's gateway {error}") from None
        await self.open_socket(session, yarl.URL(address))

    async def _fetch_gateway_url(self) -> str:
        """Return the address of the gateway by the API. Raises `LoginFailure` if the token is refused."""
        try:
            return await self.fetch_gateway_url()
        except discord.HTTPException as error:
            if error.status != UNAUTHORIZED:
                raise
            await self.close()
            raise discord.LoginFailure("Discord refuses this token") from error

    async def _wait_for_session(self) -> None:
        wait = 0.0 if self.sessions is None else self.sessions.wait()
        if wait > APART.total_seconds():
            log.warning("too many sessions with Discord today; the next one begins in %.0f s", wait)
        await asyncio.sleep(wait)

    async def _raise_if_final(self, closed: discord.ConnectionClosed) -> None:
        """Raise for a close code after which a new connection would fail in the same way."""
        if closed.code == INTENTS:
            raise discord.PrivilegedIntentsRequired(closed.shard_id) from None
        if closed.code != NORMAL:
            await self.close()
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
