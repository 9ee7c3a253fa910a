"""A session: what a bot is told, numbered and kept for a RESUME, whether or not it is connected."""

import json
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from bot.playground.gateway import frame
from bot.playground.protocol.wire import Json
from bot.playground.world.model import App


class Sink(Protocol):
    """Where frames go: an open connection."""

    def send(self, text: str) -> None: ...


@dataclass(slots=True, eq=False)
class Session:
    app: App
    intents: int
    shard: tuple[int, int]
    keep: int
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    sink: Sink | None = None
    parted: float = 0.0
    """When its last connection ended, by the stand-in's clock."""
    _kept: deque[tuple[int, str]] = field(default_factory=deque[tuple[int, str]])

    def wants(self, intent: int, guild_id: int | None) -> bool:
        """Whether an event is for this session: by intent and by shard."""
        if intent and not self.intents & intent:
            return False
        index, count = self.shard
        return index == (0 if guild_id is None else (guild_id >> 22) % count)

    def push(self, name: str, data: str) -> None:
        """Number an event, keep it, and send it if somebody listens."""
        self.sequence += 1
        text = frame.dispatch(name, self.sequence, data)
        self._kept.append((self.sequence, text))
        while len(self._kept) > self.keep:
            self._kept.popleft()
        if self.sink is not None:
            self.sink.send(text)

    def kept(self, name: str) -> list[Json]:
        """What all events of this name that are still kept said, oldest first."""
        frames = [json.loads(text) for _, text in self._kept if f'"t":"{name}"' in text]
        return [one["d"] for one in frames if one["t"] == name]

    def missed(self, sequence: int) -> list[str] | None:
        """Everything after a number, or None if it is not all there any more."""
        oldest = self._kept[0][0] if self._kept else self.sequence + 1
        if sequence + 1 < oldest:
            return None
        return [text for number, text in self._kept if number > sequence]
