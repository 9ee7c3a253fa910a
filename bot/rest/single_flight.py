"""One call to Discord for all who wait for the same thing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


class SingleFlight(Generic[Key, Result]):
    """Calls under way, by key: whoever asks for the same one waits for it too, and may stop without ending it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._going: dict[Key, asyncio.Task[Result]] = {}

    async def run(self, key: Key, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """The answer of the work that goes on under this key, which is this work if none does."""
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.create_task(work(), name=f"{self._name}-{key}")
            going.add_done_callback(lambda _: self._going.pop(key, None))
        return await asyncio.shield(going)

    async def close(self) -> None:
        """Nothing goes on behind this."""
        going = list(self._going.values())
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)
