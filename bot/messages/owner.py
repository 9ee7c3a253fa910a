"""Reports to the bot's owner by DM: what only the owner can repair, each subject at most once an hour."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta

import discord

from bot.process.base.event_loop import BackgroundTasks
from bot.referee.model import Clock
from bot.referee.model.changes import StoreLost
from bot.referee.model.model import BROKEN_SEAL, StoredMatch
from bot.rest.delivery import Delivery
from bot.ui.message import Message
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)

REPORT_INTERVAL = timedelta(hours=1)

ALLOWED_SKEW = timedelta(seconds=5)
"""Allowed difference of this machine's clock from Discord's."""


class Owner:
    """Sends the bot's owner DMs in the background. One per client."""

    def __init__(self, client: discord.Client, delivery: Delivery, clock: Clock) -> None:
        self._client = client
        self._delivery = delivery
        self._clock = clock
        self._last: dict[str, datetime] = {}
        """when each subject was last reported"""
        self.tasks = BackgroundTasks()

    def cannot_save(self, why: Exception) -> None:
        """Report that nothing can be stored; `why` says what to do about it."""
        self._tell("owner-store-lost" if isinstance(why, StoreLost) else "owner-cannot-save", why=str(why))

    def clock_is_off(self, skew: timedelta) -> None:
        """Report the difference of this machine's clock from Discord's. The bot uses Discord's, but logs do not."""
        if abs(skew) > ALLOWED_SKEW:
            id = "owner-clock-behind" if skew > timedelta() else "owner-clock-ahead"
            self._tell(id, n=round(abs(skew.total_seconds())))

    def match_ended(self, match: StoredMatch) -> None:
        """Report a match that was stopped because its stored bids were changed."""
        if (match.ending or {}).get("why") == BROKEN_SEAL:
            log.error("match %s was stopped: a sealed bid has changed in the database", match.id)
            self._tell("owner-seal", m=match.id)

    def _tell(self, id: str, m: str = "", **data: object) -> None:
        """Report a subject, or what happened in the match `m`, at most once an hour."""
        now, last = self._clock.now(), self._last.get(id + m)
        if last is None or now - last >= REPORT_INTERVAL:
            self._last[id + m] = now
            self.tasks.start(self._send(Message(say(id, m=m, **data))), "tell-owner")

    async def _send(self, message: Message) -> None:
        application = self._client.application
        if application is None:
            return
        user = application.team.owner_id if application.team is not None else application.owner.id
        # `Dms` would store the channel, and nothing can be stored now.
        channel = (await self._delivery.open_dm(user))[1] if user else 0
        if not channel or not (await self._delivery.post(channel, message, secrets.token_hex(12)))[1]:
            log.error("no DM could be sent to the owner of the bot")
