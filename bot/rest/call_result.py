"""What became of a call to Discord, by what it answered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import discord

from bot.rest.old_message_limit import TOO_OLD

CLOSED_DM = (50007, 50278)
TOO_MANY_DMS = (40003,)
NO_CHANNEL = (10003,)
NO_MESSAGE = (10008,)
NO_MEMBER = (10007, 10013)
NO_ROLE = (10011,)
NO_ACCESS = (50001, 50013)
THREAD_ARCHIVED = (50083,)
DEAD_TOKEN = (50027, 10015, 10062)
LASTING = (40058, 50008, 50024, 50035, 50068, 160005, 200000)
"""answers that the same call gets for ever: for what it says (50035, 50068, 200000: AutoMod), or for its channel"""
FINAL = 3
"""equal answers of that kind after which a call is given up"""
REMEMBERED = 10_000


class CallResult(Enum):
    """What became of a call."""

    DONE = "done"
    MESSAGE_GONE = "the message is gone"
    MEMBER_GONE = "they left the server"
    ROLE_GONE = "the role is gone"
    CHANNEL_GONE = "the channel is gone"
    FORBIDDEN = "a permission is missing"
    THREAD_CLOSED = "the thread is closed"
    TOO_OLD = "the message may not be edited any more"
    TOKEN_DEAD = "the token is dead"  # noqa: S105 - a sentence, not a secret
    DMS_CLOSED = "their DMs are closed"
    TOO_MANY_DMS = "DMs are opened too fast"
    REFUSED = "Discord will not take it"
    LATER = "try again later"


def call_result(error: Exception) -> CallResult:
    """What a failure means for the message."""
    code = error.code if isinstance(error, discord.HTTPException) else 0
    table = {
        CLOSED_DM: CallResult.DMS_CLOSED,
        TOO_MANY_DMS: CallResult.TOO_MANY_DMS,
        NO_CHANNEL: CallResult.CHANNEL_GONE,
        NO_MESSAGE: CallResult.MESSAGE_GONE,
        NO_MEMBER: CallResult.MEMBER_GONE,
        NO_ROLE: CallResult.ROLE_GONE,
        NO_ACCESS: CallResult.FORBIDDEN,
        TOO_OLD: CallResult.TOO_OLD,
        THREAD_ARCHIVED: CallResult.THREAD_CLOSED,
        DEAD_TOKEN: CallResult.TOKEN_DEAD,
        LASTING: CallResult.REFUSED,
    }
    for codes, fate in table.items():
        if code in codes:
            return fate
    if isinstance(error, discord.NotFound):
        return CallResult.MESSAGE_GONE
    if isinstance(error, discord.Forbidden):
        return CallResult.FORBIDDEN
    return CallResult.LATER


class Attempt(NamedTuple):
    """What became of a call, and when it can be made again."""

    result: CallResult
    retry_after: float = 0.0
    """seconds, at least"""
    is_exact: bool = False
    """whether it is to be made in just so many seconds, however many calls failed"""


class Refusals:
    """Counts the lasting answers to each call, and reports once for each channel what is given up there."""

    def __init__(self) -> None:
        self.report: Callable[[int, int], object] = lambda channel, code: None
        """hears of the channel and the code"""
        self.counts: OrderedDict[tuple[object, ...], tuple[int, int]] = OrderedDict()
        """by call, its last code and how often that came"""
        self._reported: set[tuple[int, int]] = set()

    def is_final(self, call: tuple[object, ...], channel: int, code: int) -> bool:
        """Return True if this call got the same answer so often that it is given up."""
        known, times = self.counts.pop(call, (code, 0))
        times = times + 1 if known == code else 1
        self.counts[call] = code, times
        if len(self.counts) > REMEMBERED:
            self.counts.popitem(last=False)
        if times < FINAL:
            return False
        if (channel, code) not in self._reported:
            self._reported.add((channel, code))
            self.report(channel, code)
        return True

    def forget(self, call: tuple[object, ...]) -> None:
        """It was taken after all."""
        self.counts.pop(call, None)
