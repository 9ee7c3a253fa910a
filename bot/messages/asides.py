"""What somebody who bids on the board itself is told alone: one line a person, which says only what stays true.

It is a further message of one of their presses, and is edited by that press's token. Discord limits such messages by
channel, and tells by how much only when it refuses one; so there are few of them, and none is worth a second try.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import replace
from datetime import timedelta
from functools import partial

import discord

from bot.messages.writer import Writers
from bot.referee.model import Clock
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.surfaces import Surface
from bot.rest.call_result import Attempt, CallResult
from bot.rest.delivery import Delivery
from bot.rest.rest_client import CALL_FAILURES
from bot.ui.message import Message

log = logging.getLogger(__name__)

FRESH = timedelta(minutes=12)
"""so long a line is edited; then another takes its place, while its own token can still take it away"""

MOST, WINDOW = 25, 60.0
"""new lines in a channel, and seconds: Discord is believed to take 30 further messages a minute there"""

DONE = Attempt(CallResult.DONE, is_last=True)


class Asides:
    """None of it is stored: after a restart the next press makes another line."""

    def __init__(self, delivery: Delivery, writers: Writers, clock: Clock) -> None:
        self._delivery = delivery
        self._writers = writers
        self._clock = clock
        self._lines: dict[tuple[str, UserId], Surface] = {}
        """with the press by which each was sent; message 0 where nothing was heard of it: it may be there"""
        self._sent: dict[Snowflake, deque[float]] = {}

    def tell(self, press: Surface, text: str) -> None:
        """Say this to the user of this press, in place of what was said before. Newer words make it needless."""
        # Lines that no token reaches any more, and channels that are quiet, are forgotten.
        now, quiet = self._clock.now(), time.monotonic() - WINDOW
        self._lines = {key: line for key, line in self._lines.items() if line.has_live_token(now)}
        self._sent = {channel: sent for channel, sent in self._sent.items() if sent and sent[-1] >= quiet}
        self._writers[press.match, press.user].want(partial(self._tell, press, Message(text)))

    async def _tell(self, press: Surface, message: Message) -> Attempt:
        now, old = self._clock.now(), self._lines.get((press.match, press.user))
        if old is not None and old.has_live_token(now):
            if not old.message:
                return DONE  # a second one would stand beside it
            if now - old.posted <= FRESH:
                edited = await self._delivery.edit(old, message, now)
                if edited.result not in (CallResult.MESSAGE_GONE, CallResult.TOKEN_DEAD):
                    return edited if edited.retry_after else DONE
            else:
                await self._delivery.delete_ephemeral(old, now)
        self._lines.pop((press.match, press.user), None)
        return await self._send(press, message) if self.may(press.channel) else DONE

    async def _send(self, press: Surface, message: Message) -> Attempt:
        """Send a new line. It is no more than a courtesy: what fails is left, unless Discord does not know the token
        yet."""
        rest, line = self._delivery.rest_client, press
        try:
            line = replace(press, message=await rest.send_ephemeral(press.token_app, press.token, message))
        except CALL_FAILURES as error:
            if (wait := rest.late_tokens.delay(press.token, error)) is not None:
                self._sent[press.channel].pop()
                return Attempt(CallResult.LATER, wait)
            log.info("an aside was not said: %s", type(error).__name__)
            if isinstance(error, discord.RateLimited):
                self._sent[press.channel] = deque([time.monotonic()] * MOST, MOST)
                return DONE
            if isinstance(error, discord.HTTPException) and not isinstance(error, discord.DiscordServerError):
                return DONE  # else it may be there
        self._lines[press.match, press.user] = line
        return DONE

    def may(self, channel: Snowflake) -> bool:
        """Whether one more may be sent there; whoever asks sends it."""
        now, sent = time.monotonic(), self._sent.setdefault(channel, deque(maxlen=MOST))
        if len(sent) == MOST and now - sent[0] < WINDOW:
            return False
        sent.append(now)
        return True
