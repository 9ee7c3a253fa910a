"""Single flight: callers that want the same thing at the same time share one call to Discord."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


class SingleFlight(Generic[Key, Result]):
    """Running calls by key. A caller that is cancelled does not cancel the shared call."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._going: dict[Key, asyncio.Task[Result]] = {}

    async def run(self, key: Key, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Return the result of the call that runs under this key; start `work` if none does."""
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.create_task(work(), name=f"{self._name}-{key}")
            going.add_done_callback(lambda _: self._going.pop(key, None))
        return await asyncio.shield(going)

    async def close(self) -> None:
        """Cancel all running calls and wait for their end."""
        going = list(self._going.values())
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)
