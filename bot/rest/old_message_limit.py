"""The limit of edits of messages older than an hour, by channel (error 30046).

Discord documents no number. One community measured 3 in 6 seconds, another bot 3 in 20. So the pace begins with the
first; each refusal makes it slower, and each success a little faster.
"""

from __future__ import annotations

import time
from collections import deque
from datetime import datetime, timedelta

import discord

AGE = timedelta(hours=1)

EDITS, WINDOW = 3, 6.0
SLOWEST = 60.0
SLOWER, FASTER = 1.5, 0.99


def is_old(message: int, now: datetime) -> bool:
    """Return True if the message was posted more than an hour ago, by its id."""
    return 0 < message <= discord.utils.time_snowflake(now - AGE, high=True)


class OldMessageLimit:
    """The pace of counted edits of old messages, one for all channels; each channel has its own turns."""

    def __init__(self) -> None:
        self.window = WINDOW
        """seconds in which Discord is expected to accept EDITS edits"""
        self._slowed = time.monotonic() - SLOWEST
        """when a refusal last made the pace slower"""
        self._turns: dict[int, deque[float]] = {}

    def delay(self, channel: int) -> float:
        """Return the seconds until the next edit may go out."""
        turns = self._turns.get(channel, ())
        return max(0.0, turns[0] + self.window - time.monotonic()) if len(turns) == EDITS else 0.0

    def reserve(self, channel: int) -> float:
        """Reserve the next edit and return the seconds to wait for it."""
        now, wait = time.monotonic(), self.delay(channel)
        self._turns = {one: turns for one, turns in self._turns.items() if turns[-1] + self.window >= now}
        self._turns.setdefault(channel, deque(maxlen=EDITS)).append(now + wait)
        return wait

    def record_success(self) -> None:
        """Make the pace a little faster after a successful edit."""
        self.window = max(WINDOW, self.window * FASTER)

    def record_refusal(self) -> None:
        """Slow the pace down after a refusal, once in a window: other refusals in it are of edits that went out at the
        old pace."""
        now = time.monotonic()
        if now - self._slowed >= self.window:
            self.window, self._slowed = min(SLOWEST, self.window * SLOWER), now
