"""Results of calls to Discord, read from its errors."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import discord

from bot.referee.repository.match_repository import LastUsed

FINAL = 4
"""Equal errors of the kinds `REPEATED` after which a call is given up."""
REMEMBERED = 10_000


class CallResult(Enum):
    """The result of a call: its text in the log, and the codes of Discord's errors that mean it."""

    DONE = "done"
    MESSAGE_GONE = "the message is gone", 10008
    MEMBER_GONE = "they left the server", 10007, 10013
    ROLE_GONE = "the role is gone", 10011
    CHANNEL_GONE = "the channel is gone", 10003
    FORBIDDEN = "a permission is missing", 50001, 50013
    THREAD_CLOSED = "the thread is closed", 50083
    THREAD_EXISTS = "it has a thread", 160004
    TOO_OLD = "the message may not be edited any more", 30046
    """a 429 with a wrong `retry_after`"""
    TOKEN_DEAD = "the token is dead", 50027, 10015, 10062
    DMS_CLOSED = "their DMs are closed", 50007, 50278
    TOO_MANY_DMS = "DMs are opened too fast", 40003
    REFUSED = "Discord will not take it", 40058, 50008, 50024, 50035, 50068, 160005, 200000
    """The same call always gets this error, for its content (50035, 50068, 200000: AutoMod) or for its channel."""
    LATER = "try again later"

    def __init__(self, text: str, *codes: int) -> None:
        self.text = text
        self.codes = codes


REPEATED = (CallResult.REFUSED, CallResult.TOO_OLD)
"""Refusals after which Discord may accept newer content, or the same one later."""

RESULTS = {code: result for result in CallResult for code in result.codes}


def call_result(error: Exception) -> CallResult:
    """Return what a failed call means for its message."""
    if isinstance(error, discord.HTTPException) and error.code in RESULTS:
        return RESULTS[error.code]
    if isinstance(error, discord.NotFound):
        return CallResult.MESSAGE_GONE
    if isinstance(error, discord.Forbidden):
        return CallResult.FORBIDDEN
    return CallResult.LATER


class Attempt(NamedTuple):
    """The result of a call, and when to make the next one."""

    result: CallResult
    retry_after: float = 0.0
    """seconds; 0: the longer, the more calls failed"""
    is_last: bool = False
    """whether nothing has to be planned after it, unless something has changed meanwhile"""


class Refusals:
    """Count equal errors of each call, and report each channel and code once when a call is given up for its
    content or its channel."""

    def __init__(self) -> None:
        self.report: Callable[[int, int], object] = lambda channel, code: None
        """called with the channel and the code"""
        self.counts = LastUsed[tuple[object, ...], tuple[int, int]](REMEMBERED)
        """the last code of each call, and how often it came in a row"""
        self._reported: set[tuple[int, int]] = set()

    def is_final(self, call: tuple[object, ...], channel: int, code: int) -> bool:
        """Return True if this call got the same answer so often that it is given up."""
        known, times = self.counts.pop(call, (code, 0))
        times = times + 1 if known == code else 1
        self.counts.keep(call, (code, times))
        if times < FINAL:
            return False
        if code not in CallResult.TOO_OLD.codes and (channel, code) not in self._reported:
            self._reported.add((channel, code))
            self.report(channel, code)
        return True

    def forget(self, call: tuple[object, ...]) -> None:
        """Start counting from zero: Discord has accepted this call."""
        self.counts.pop(call, None)
