"""Who runs the bot is told by DM of what only they can mend, at most once an hour."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

import discord

from bot.referee.model import Clock
from bot.referee.model.changes import StoreLost
from bot.referee.model.end_reasons import BROKEN_SEAL
from bot.referee.referee import Referee
from bot.rest.delivery import Delivery
from bot.ui.message import Message
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)

TOLD_EVERY = timedelta(hours=1)

OFF = timedelta(seconds=5)
"""so far the machine's clock may be from Discord's"""


class Owner:
    """One for the whole client; what it has to tell goes out beside whatever is being done."""

    def __init__(self, client: discord.Client, delivery: Delivery, clock: Clock) -> None:
        self._client = client
        self._delivery = delivery
        self._clock = clock
        self._last: datetime | None = None
        self._lost = False
        """whether the end was told: there is nothing after it"""
        self._clock_told: datetime | None = None
        self._telling: asyncio.Task[None] | None = None
        self._stopped: set[str] = set()
        """matches that the owner was told of"""

    def cannot_save(self, why: Exception) -> None:
        """Nothing can be written; `why` says what to do about it."""
        now = self._clock.now()
        lost = isinstance(why, StoreLost)
        if self._lost or (not lost and self._last is not None and now - self._last < TOLD_EVERY):
            return
        self._last, self._lost = now, lost
        said = say("owner-store-lost" if lost else "owner-cannot-save", why=str(why))
        self._telling = asyncio.create_task(self._tell(Message(said)))

    def clock_is_off(self, skew: timedelta) -> None:
        """This machine's clock is so far from Discord's: it is gone by, but whoever reads logs should know."""
        now = self._clock.now()
        if abs(skew) <= OFF or (self._clock_told is not None and now - self._clock_told < TOLD_EVERY):
            return
        self._clock_told = now
        id = "owner-clock-behind" if skew > timedelta() else "owner-clock-ahead"
        self._telling = asyncio.create_task(self._tell(Message(say(id, n=round(abs(skew.total_seconds()))))))

    async def told(self) -> None:
        """Wait until whatever there was to tell has been told."""
        if self._telling is not None:
            await asyncio.wait([self._telling])

    def watches(self, referee: Referee) -> Callable[[str], None]:
        """Tells where somebody has been at the records of a match: what was sealed is not there any more."""

        def changed(id: str) -> None:
            live = referee.find_cached(id)
            ending = live.stored.ending if live is not None else None
            if ending is None or ending.get("why") != BROKEN_SEAL or id in self._stopped:
                return
            self._stopped.add(id)
            log.error("match %s: a sealed bid is no longer what was sealed; it was stopped", id)
            self._telling = asyncio.create_task(self._tell(Message(say("owner-seal", m=id))))

        return changed

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
        channel = (await self._delivery.open_dm(user))[1] if user else 0
        if not channel or not (await self._delivery.post(channel, message, secrets.token_hex(12)))[1]:
            log.error("the bot's owner could not be told by DM")
