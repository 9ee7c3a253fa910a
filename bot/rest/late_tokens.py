"""Tokens that Discord does not know yet: it may process an answer in the HTTP response seconds later.

Until then each call by the token gets the error of an unknown token (10015). Delays of about 10 seconds were seen
(discord-api-docs#7220). Such a call had no effect, so it can be repeated.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import accumulate
from typing import TypeVar

import discord

T = TypeVar("T")

UNKNOWN_TOKEN = (10015, 10062)
"""Error codes of a token that Discord does not know."""

LATEST = 15.0
"""Seconds after the answer in which these errors mean *not yet*."""

AT_ONCE = 0.03
"""Seconds until the second try: mostly Discord has processed the answer by then."""

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0, 4.0)
"""Seconds between further tries."""


class LateTokens:
    """The tokens of interactions that were answered in the HTTP response a short time ago."""

    def __init__(self) -> None:
        self._answered: dict[str, float] = {}
        """when, by token; the oldest is first"""

    def record(self, token: str) -> None:
        """Note that the interaction with this token was answered in the HTTP response."""
        now = time.monotonic()
        self._answered.pop(token, None)
        self._answered[token] = now
        while now - self._answered[first := next(iter(self._answered))] > LATEST:
            del self._answered[first]

    def delay(self, token: str, error: Exception) -> float | None:
        """Return the seconds until the next try of a call that was refused so; None where no try makes sense.

        The answer counts, not the call: all calls by a token are tried again at the same moments."""
        answered = self._answered.get(token)
        if answered is None or getattr(error, "code", 0) not in UNKNOWN_TOKEN:
            return None
        age = time.monotonic() - answered
        due = next((due for due in (*accumulate((AT_ONCE, *PAUSES)), LATEST) if age < due), None)
        return None if due is None else due - age

    async def retry(self, token: str, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call by this token, again while Discord does not know the token yet."""
        while True:
            try:
                return await call()
            except discord.HTTPException as error:
                if (wait := self.delay(token, error)) is None:
                    raise
            await asyncio.sleep(wait)
