"""The first answer to an interaction that came by HTTP: it can go into the HTTP response, which saves a call.

If it cannot, the response is empty, and the answer is a call like any other.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

write_json = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
"""Encodes a payload as JSON. Payloads of the bot contain no cycles."""


EXTRAS_KEY = "inline"
"""Key of the response in `extras` of an interaction."""

EPHEMERAL = 1 << 6

RESPOND_WITHIN = 2.7
"""Seconds after which the response goes out empty. After 3 seconds Discord accepts no answer at all."""

CERTAIN_WITHIN = 2.3
"""After this age, in seconds, a proxy may have accepted a response that Discord ignored: verify with a call."""


class InlineResponse:
    """The HTTP response to one interaction. A handler passes a payload to `try_respond`; the HTTP server waits for
    it, and marks it as sent."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[Mapping[str, Any] | None] = loop.create_future()
        self._sent: asyncio.Future[Exception | None] = loop.create_future()
        self.on_sent: Callable[[], object] = lambda: None
        """called when an answer was sent"""
        self.age: Callable[[], float] = lambda: 0.0
        """gives the seconds since the interaction was made: the request may have waited before it was read"""

    async def try_respond(self, payload: Mapping[str, Any] | None) -> bool:
        """Send this payload in the response, and return True. Return False for None, which fits into no response, and
        for a payload that is too late. Raise TimeoutError if Discord may or may not have accepted it."""
        if self._answer.done():
            return False
        fits = payload is not None and self.age() < RESPOND_WITHIN
        self._answer.set_result(payload if fits else None)
        if (failure := await asyncio.shield(self._sent)) is not None:
            raise failure
        if fits and self.age() > CERTAIN_WITHIN:
            raise TimeoutError("the answer may have come too late")
        return fits

    async def wait_for_payload(self, work: asyncio.Task[None]) -> Mapping[str, Any] | None:
        """Return the payload of the response, or None if the answer is a call."""
        await asyncio.wait({self._answer, work}, timeout=RESPOND_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        if not self._answer.done():
            self._answer.set_result(None)
        return self._answer.result()

    def mark_sent(self, failure: Exception | None = None) -> None:
        """Record that the response was written; with `failure`, that it may or may not have arrived."""
        is_answered = self._answer.result() is not None
        if is_answered and failure is None:
            self.on_sent()
        self._sent.set_result(failure if is_answered else None)
