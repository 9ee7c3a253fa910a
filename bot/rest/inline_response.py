"""An interaction that came with a request of its own: its first answer may go back as the response to that request,
which saves a call. Where it may not, the request is let go with nothing, and the answer is a call like any other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import discord

write_json = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
"""writes what is sent, as Discord reads it; it is made by us, and holds no circle"""


EXTRAS_KEY = "inline"
"""where discord.py's interaction carries it, among the extras that are ours"""

MESSAGE_TYPES = (4, 5)
"""answers that make a message"""

EPHEMERAL = 1 << 6

RESPOND_WITHIN = 2.7
"""seconds after which the request is let go: at 3 Discord takes no answer any more, whichever way it goes"""

CERTAIN_WITHIN = 2.3
"""After this age, in seconds, a proxy may have accepted a response that Discord ignored: verify with a call."""


class InlineResponse:
    """One request, until it is answered. The first answer `take`s it; the door waits for `answer` and says whether that
    could be `written`, or was `cut`."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._made = loop.time()
        self._answer: asyncio.Future[Mapping[str, Any] | None] = loop.create_future()
        self._sent: asyncio.Future[None] = loop.create_future()
        self.on_sent: Callable[[], object] = lambda: None
        """called when an answer is on its way"""

    def set_age(self, ago: float) -> None:
        """Discord made it so many seconds ago: it may have waited to be read."""
        self._made = asyncio.get_running_loop().time() - max(ago, 0.0)

    def _age(self) -> float:
        return asyncio.get_running_loop().time() - self._made

    async def try_respond(self, payload: Mapping[str, Any] | None) -> bool:
        """Whether this has gone back with the request. What everybody sees is not sent that way: its id is wanted, and
        the response to a request tells none. Nor is `None`, which no response could carry, or what comes too late.
        Raises TimeoutError where nobody knows whether it did."""
        if self._answer.done():
            return False
        fits = payload is not None and not _is_public(payload) and self._age() < RESPOND_WITHIN
        self._answer.set_result(payload if fits else None)
        await asyncio.shield(self._sent)
        if fits and self._age() > CERTAIN_WITHIN:
            raise TimeoutError("the answer may have come too late")
        return fits

    async def wait_for_payload(self, work: asyncio.Task[None]) -> Mapping[str, Any] | None:
        """What the request is answered with; nothing, where that has to go another way."""
        await asyncio.wait({self._answer, work}, timeout=RESPOND_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        if not self._answer.done():
            self._answer.set_result(None)
        return self._answer.result()

    def mark_sent(self) -> None:
        """It is on its way."""
        if self._answer.result() is not None:
            self.on_sent()
        self._sent.set_result(None)

    def mark_failed(self, why: Exception) -> None:
        """Nobody knows whether it arrived."""
        if self._answer.result() is None:
            self._sent.set_result(None)  # there was nothing in it
            return
        self._sent.set_exception(why)
        self._sent.exception()  # it is no mistake if nobody waits for it


def _is_public(payload: Mapping[str, Any]) -> bool:
    """Whether it makes a message for everybody."""
    data: Mapping[str, Any] = payload.get("data") or {}
    return payload.get("type") in MESSAGE_TYPES and not data.get("flags", 0) & EPHEMERAL


def inline_of(interaction: discord.Interaction[Any]) -> InlineResponse | None:
    """The request that it came with, if it came with one."""
    return interaction.extras.get(EXTRAS_KEY)
