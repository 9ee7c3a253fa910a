"""Who asks first is served first."""

from __future__ import annotations

import asyncio
from types import TracebackType


class PressTurn:
    """The turn of one press among those that bid in the same match. It ends with the bid, before the answer is sent."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock = lock
        self._held = False

    async def __aenter__(self) -> PressTurn:
        """Wait for the presses that came earlier."""
        await self._lock.acquire()
        self._held = True
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """Let the next press in. Must come before every call to Discord."""
        if self._held:
            self._held = False
            self._lock.release()
