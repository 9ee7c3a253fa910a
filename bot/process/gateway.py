"""The connection to Discord's gateway: how soon it is tried again, and how often it may begin a session.

discord.py's own loop waits up to 17 minutes between two tries, writes a traceback for each, and begins sessions as
often as it likes. What is used of its inside is in `bot.discord_internals`.
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
"""seconds between two tries, at most"""

STABLE = 30.0
"""a connection that lasted so long was a good one: the next is tried at once"""

HANDSHAKE = 60.0
"""seconds that a connection may take"""

BURST = 400
EVERY = timedelta(seconds=150)
"""Discord allows 1,000 sessions a day, and beyond that takes the token away. So many at once, and one more each time
this has passed, are 976 in any 24 hours."""

APART = timedelta(seconds=5)
"""between two sessions, by Discord's rule"""

AUTHENTICATION_FAILED = 4004
INTENTS = 4014
NORMAL = 1000
"""codes with which Discord closes a connection"""

UNAUTHORIZED = 401

FAILURES = (OSError, TimeoutError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)


class SessionLimit:
    """How many sessions may still be begun. Kept across restarts: they are counted for the token."""

    def __init__(self, now: Callable[[], datetime], keep: Callable[[str], Awaitable[object]], kept: str | None) -> None:
        self._now = now
        self._keep = keep
        self._left = float(BURST)
        self._at = now()
        self._last: datetime | None = None
        if kept is not None:
            self._left, at = json.loads(kept)
            self._at = min(datetime.fromisoformat(at), self._at)  # a clock that was set back gives nothing

    def wait(self) -> float:
        """Seconds until the next one may begin."""
        now = self._refilled()
        waits = [(1 - self._left) * EVERY.total_seconds()]
        if self._last is not None:
            waits.append((self._last + APART - now).total_seconds())
        return max(0.0, *waits)

    async def begin(self) -> None:
        """One begins now."""
        self._last = self._refilled()
        self._left -= 1
        try:
            await self._keep(json.dumps([self._left, self._at.isoformat()]))
        except Exception:  # the store may be locked or full for a while; that is no reason to stay away
            log.exception("it could not be noted that a session begins")

    def _refilled(self) -> datetime:
        now = self._now()
        self._left = min(float(BURST), self._left + max(now - self._at, timedelta()) / EVERY)
        self._at = now
        return now


class Backoff:
    """How long to wait before the next connection: 1 second, 2, 4, 8, then 15, each somewhat less."""

    def __init__(self) -> None:
        self._failed = 0

    def wait(self, lasted: float) -> float:
        """After a connection that lasted so long; 0 seconds for one that never came up."""
        if lasted >= STABLE:
            self._failed = 0
            return 0.0
        most = min(MAX_WAIT, 2.0**self._failed)
        self._failed = min(self._failed + 1, 10)
        return random.uniform(most / 2, most)


class ReconnectingClient(GopsClient):
    """A client that comes back soon, however often it is turned away."""

    def __init__(
        self,
        tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        sessions: SessionLimit | None = None,
        gateway_url: str = "",
        **options: Any,
    ) -> None:
        """`sessions` limits how many may begin; None does not. An empty `gateway_url` means: ask the API."""
        super().__init__(tree, **options)
        self.sessions = sessions
        self.gateway_url = gateway_url

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """discord.py calls this right before a session is begun. `connect` has waited already."""
        if self.sessions is not None:
            await self.sessions.begin()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until closed. What fails before the first connection is for the caller to try again."""
        tries = Backoff()
        session: dict[str, Any] | None = None
        there = False
        loop = asyncio.get_running_loop()
        while not self.is_closed():
            came: float | None = None
            try:
                if session is None:
                    await self._wait_for_session()
                async with asyncio.timeout(HANDSHAKE):  # `wait_for` of Python 3.11 may swallow that we are to stop
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
        """A connection to where a token may go, and nowhere else: whoever answers could name any address."""
        resumed = "" if session is None else str(session["gateway"] or "")
        address = self.gateway_url or resumed or await self._fetch_gateway_url()
        try:
            trusted(address, ("wss", "ws"))
        except ValueError as error:
            raise ConnectionError(f"Discord's gateway {error}") from None
        await self.open_socket(session, yarl.URL(address))

    async def _fetch_gateway_url(self) -> str:
        """The address that the API gives for the gateway."""
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
        """Some codes mean that another try would end in the same way."""
        if closed.code == INTENTS:
            raise discord.PrivilegedIntentsRequired(closed.shard_id) from None
        if closed.code != NORMAL:
            await self.close()
            raise closed


def _describe(error: Exception) -> str:
    """One line of what went wrong."""
    if isinstance(error, Reconnect):
        return "it was closed"
    return " ".join(f"{type(error).__name__} {error}".split())


PATIENCE = 10.0
"""seconds for one answer"""


async def poll_api(client: discord.Client, presence: Presence) -> None:
    """Ask the API again and again, until cancelled; clocks stand while it does not answer."""
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
