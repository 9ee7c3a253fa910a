"""Port to the other processes of a bot, which handle the interactions of their partitions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """The answer of another process to an interaction that came by HTTP."""

    body: bytes | None = field(repr=False)
    """None: the answer is a call"""
    acknowledge: Callable[[bool], None] = field(default=lambda _: None, repr=False, compare=False)
    """call it with True when the answer was written, and with False when it was not"""


class SharedWork(Protocol):
    """The work that this process shares with others: each interaction is handled by the owner of its partition."""

    def hear(self, payload: dict[str, Any]) -> None:
        """Have an interaction of the gateway handled, here or elsewhere."""
        ...

    def hear_event(self, name: str, *args: Any) -> None:
        """Have an event of a server handled, here or elsewhere."""
        ...

    async def answer_elsewhere(self, payload: dict[str, Any]) -> PeerAnswer | None:
        """Have an interaction that came by HTTP handled elsewhere. Return None if this process should handle it."""
        ...

    def tell_shards(self, shards: Collection[tuple[int, int]]) -> bool:
        """Tell the other processes which shards this one keeps connected, each with the number of shards that it is one
        of. Return True if all shards are connected, here or elsewhere."""
        ...

    def track(self, payload: dict[str, Any], work: asyncio.Task[None]) -> None:
        """Keep the partition of an interaction until it has been handled."""
        ...
