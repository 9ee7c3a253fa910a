"""Who runs the bot is told by DM of what only they can mend, at most once an hour."""

from __future__ import annotations

import asyncio
import logging
import secrets
from datetime import datetime, timedelta

import discord

from bot.referee.ports import Clock
from cogs.ui.message import Message
from cogs.ui.words.sentences import say
from cogs.wire.reach import Reach

log = logging.getLogger(__name__)

TOLD_EVERY = timedelta(hours=1)


class Owner:
    """One for the whole client; what it has to tell goes out beside whatever is being done."""

    def __init__(self, client: discord.Client, reach: Reach, clock: Clock) -> None:
        self._client = client
        self._reach = reach
        self._clock = clock
        self._last: datetime | None = None
        self._telling: asyncio.Task[None] | None = None

    def cannot_save(self, why: Exception) -> None:
        """Nothing can be written; `why` says what to do about it."""
        now = self._clock.now()
        if self._last is not None and now - self._last < TOLD_EVERY:
            return
        self._last = now
        self._telling = asyncio.create_task(self._tell(Message(say("owner-cannot-save", why=str(why)))))

    async def close(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)

    async def _tell(self, message: Message) -> None:
        application = self._client.application
        if application is None:
            return
        user = application.team.owner_id if application.team is not None else application.owner.id
        # Not as consoles do it: they note the channel, and nothing can be noted now.
        channel = (await self._reach.open_dm(user))[1] if user else 0
        if not channel or not (await self._reach.post(channel, message, secrets.token_hex(12)))[1]:
            log.error("the bot's owner could not be told by DM")
