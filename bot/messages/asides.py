"""What somebody who bids on the board itself is told alone: one line a person, which says only what stays true.

It is a further message of one of their presses, and is edited by that press's token. Discord limits such messages by
channel, and tells by how much only when it refuses one; so there are few of them, and none is worth a second try.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import discord

from bot.referee.model import Clock
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.surfaces import token_expiry
from bot.rest.call_result import CallResult, call_result
from bot.rest.delivery import Delivery
from bot.rest.late_tokens import TokenNotKnown
from bot.rest.rest_client import CALL_FAILURES
from bot.ui.message import Message

log = logging.getLogger(__name__)

FRESH = timedelta(minutes=12)
"""so long a line is edited; then another takes its place, while its own token can still take it away"""

MOST, WINDOW = 25, 60.0
"""new lines in a channel, and seconds: Discord is believed to take 30 further messages a minute there"""


@dataclass(frozen=True, slots=True)
class Whispered:
    """By which press: its token reaches the line."""

    app: Snowflake
    token: str = field(repr=False)
    at: datetime
    channel: Snowflake


@dataclass(slots=True)
class _Line:
    """What is there of one person's."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    press: Whispered | None = None
    message: Snowflake = 0
    """0 where Discord answered nothing: it may be there, and nobody can edit it"""
    asked: int = 0
    """counts what was to be said: older words must not take the place of newer ones"""
    busy: int = 0


class Asides:
    """None of it is stored: after a restart the next press makes another line."""

    def __init__(self, delivery: Delivery, clock: Clock) -> None:
        self._rest = delivery.rest_client
        self._clock = clock
        self._lines: dict[tuple[str, UserId], _Line] = {}
        self._sent: dict[Snowflake, deque[float]] = {}
        self._silent: dict[Snowflake, float] = {}
        """by channel, until when Discord takes no further message"""

    def __len__(self) -> int:
        return len(self._lines)

    def drop(self, match: str) -> None:
        """It is over."""
        for key in [key for key, one in self._lines.items() if key[0] == match and not one.busy]:
            del self._lines[key]

    async def tell(self, match: str, user: UserId, press: Whispered, text: str) -> None:
        """Say this to them, in place of what was said before."""
        self._tidy()
        line = self._lines.setdefault((match, user), _Line())
        line.asked += 1
        mine, line.busy = line.asked, line.busy + 1
        try:
            wait = await self._tell_once(line, mine, press, text)
            while wait is not None:
                await asyncio.sleep(wait)
                wait = await self._tell_once(line, mine, press, text)
        finally:
            line.busy -= 1

    async def _tell_once(self, line: _Line, mine: int, press: Whispered, text: str) -> float | None:
        """The seconds until another try, where Discord does not know a token yet. Newer words make it needless."""
        async with line.lock:
            try:
                if line.asked == mine:
                    await self._tell(line, press, text)
            except TokenNotKnown as late:
                return late.retry_after
        return None

    async def _tell(self, line: _Line, press: Whispered, text: str) -> None:
        now, old, message = self._clock.now(), line.press, Message(text)
        if old is not None and not line.message and now < token_expiry(old.at):
            return  # a second one would stand beside it
        if old is not None and line.message and now - old.at <= FRESH:
            edited = await self._tried(old, self._rest.edit_by_token(old.app, old.token, message, beside=line.message))
            if edited is not _GONE:
                return
        elif old is not None and line.message and now < token_expiry(old.at):
            await self._tried(old, self._rest.delete_by_token(old.app, old.token, line.message))
        line.press = None
        if not self.may(press.channel):
            return
        sent = await self._tried(press, self._rest.send_ephemeral(press.app, press.token, message), press.channel)
        if isinstance(sent, int) or sent is _PERHAPS:
            line.press, line.message = press, sent if isinstance(sent, int) else 0

    async def _tried(self, by: Whispered, call: Awaitable[object], channel: Snowflake = 0) -> object:
        """What came of it, None where that is nothing; it is no more than a courtesy, so what fails is left. Raises
        TokenNotKnown."""
        try:
            return await call
        except discord.RateLimited as limited:
            self._silent[channel] = time.monotonic() + limited.retry_after
            log.info("an aside waits: Discord takes none here for %.1f s", limited.retry_after)
        except CALL_FAILURES as error:
            if (wait := self._rest.late_tokens.delay(by.token, error)) is not None:
                if channel:
                    self._sent[channel].pop()
                raise TokenNotKnown(wait) from error
            log.info("an aside was not said: %s", type(error).__name__)
            fate = call_result(error)
            if fate in (CallResult.MESSAGE_GONE, CallResult.TOKEN_DEAD):
                return _GONE
            if not isinstance(error, discord.HTTPException) or isinstance(error, discord.DiscordServerError):
                return _PERHAPS
        return None

    def may(self, channel: Snowflake) -> bool:
        """Whether one more may be sent there; whoever asks sends it."""
        now, sent = time.monotonic(), self._sent.setdefault(channel, deque(maxlen=MOST))
        full = len(sent) == MOST and now - sent[0] < WINDOW
        if full or now < self._silent.get(channel, 0.0):
            return False
        sent.append(now)
        return True

    def _tidy(self) -> None:
        """Forget lines that no token reaches any more, and channels that are quiet."""
        now, quiet = self._clock.now(), time.monotonic() - WINDOW
        dead = [
            key
            for key, one in self._lines.items()
            if not one.busy and (one.press is None or now >= token_expiry(one.press.at))
        ]
        for key in dead:
            del self._lines[key]
        for channel in [one for one, sent in self._sent.items() if not sent or sent[-1] < quiet]:
            del self._sent[channel]
            self._silent.pop(channel, None)


_GONE = object()
"""a message that is not there any more, or a token that is dead"""

_PERHAPS = object()
"""nothing was heard of it: it may be there, or not"""
