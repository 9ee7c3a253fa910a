"""What one person has before them, kept up to date by their feed; and waiting for it to change."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.playground.protocol.wire import Json
from tests.driver.seen import Seen

Found = TypeVar("Found")


class NotSeen(AssertionError):
    """What was waited for did not come; the message shows what this person sees instead."""


@dataclass(frozen=True, slots=True)
class Ping:
    """A notification: which message, what the lock screen said, and whether there was a push at all."""

    channel_id: str
    message_id: str
    text: str
    push: bool


class Screen:
    def __init__(self, name: str, names: Mapping[str, str]) -> None:
        self._name = name
        self._names = names
        self._messages: dict[str, dict[str, Seen]] = {}
        self.channels: dict[str, Json] = {}
        self.pings: list[Ping] = []
        self.interactions: dict[str, Json] = {}
        self.waits: dict[object, str] = {}
        """what is waited for at this moment"""
        self.explain: Callable[[], str] = lambda: ""
        """what else there is to tell when a wait runs out"""
        self._changed = asyncio.Event()

    def hear(self, frame: Json) -> None:
        """Take in one frame of the feed."""
        match frame["type"]:
            case "snapshot":
                self.channels = {one["id"]: one for one in frame["channels"]}
                for channel_id, messages in frame["messages"].items():
                    self._messages[channel_id] = {one["id"]: self._seen(one) for one in messages}
            case "message_created" | "message_edited":
                one = self._seen(frame["message"])
                self._messages.setdefault(one.channel_id, {})[one.id] = one
            case "message_deleted":
                self._messages.get(frame["channel"], {}).pop(frame["message"], None)
            case "channel_created" | "channel_updated":
                self.channels[frame["channel"]["id"]] = frame["channel"]
            case "channel_deleted":
                self.channels.pop(frame["channel"]["id"], None)
                self._messages.pop(frame["channel"]["id"], None)
            case "notified":
                ping = Ping(frame["channel"], frame["message"], frame["text"], frame["push"])
                self.pings.append(ping)
            case "interaction":
                self.interactions[frame["interaction"]] = frame
            case _:
                pass
        self._changed.set()

    def messages(self, channel_id: str | None = None) -> list[Seen]:
        """All messages of a channel, or of every one, oldest first."""
        homes = list(self._messages) if channel_id is None else [channel_id]
        found = [one for home in homes for one in self._messages.get(home, {}).values()]
        return sorted(found, key=lambda one: one.number)

    def message(self, channel_id: str, message_id: str) -> Seen | None:
        return self._messages.get(channel_id, {}).get(message_id)

    async def wait(self, look: Callable[[], Found | None], what: str, patience: float) -> Found:
        """Look, and look again after every change, until something is found or patience ends."""
        wait = object()
        self.waits[wait] = what
        try:
            async with asyncio.timeout(patience):
                while True:
                    self._changed.clear()
                    found = look()
                    if found is not None:
                        return found
                    await self._changed.wait()
        except TimeoutError:
            raise NotSeen(f"{self._name} waited {patience:g} s for {what}.\n{self}\n{self.explain()}") from None
        finally:
            del self.waits[wait]

    def __str__(self) -> str:
        lines = [f"{self._name} sees:"]
        for channel_id, kept in self._messages.items():
            if kept:
                lines.append(f"  {self._title(channel_id)}")
                for one in sorted(kept.values(), key=lambda seen: seen.number):
                    lines += [f"    {line}" for line in str(one).splitlines()]
        return "\n".join(lines) if len(lines) > 1 else f"{self._name} sees nothing."

    def _title(self, channel_id: str) -> str:
        channel = self.channels.get(channel_id, {})
        if channel.get("type") == 1:
            others = ", ".join(one["global_name"] or one["username"] for one in channel["recipients"])
            return f"DM with {others}"
        return f"#{channel.get('name', channel_id)}"

    def _seen(self, raw: Json) -> Seen:
        return Seen.shared(raw, self._names)
