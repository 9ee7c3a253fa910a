"""Presses that Discord would not deliver: any id, on any message, with any options."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.playground.protocol.component import texts
from bot.playground.protocol.wire import Json
from bot.playground.server import Playground
from bot.playground.world.model import Interaction, Kind, Message, State
from tests.driver import Person, Seen
from tests.e2e.house import plain

BUTTON, MENU = 2, 3


class Forger:
    """Makes interactions as Discord makes them, out of data that no client sends."""

    def __init__(self, playground: Playground) -> None:
        self.core = playground.core
        self.app = next(iter(self.core.world.apps.values()))

    async def press(self, person: Person, message: Seen, custom_id: str, values: list[Any] | None = None) -> str:
        """What came of a press: the text of the answer, or of the message as it was drawn anew."""
        source = self._message(message)
        data: Json = {"custom_id": custom_id, "component_type": BUTTON, "id": 1}
        if values is not None:
            data |= {"component_type": MENU, "values": values}
        return await self._open(person, Kind.COMPONENT, message, data, source)

    async def submit(self, person: Person, message: Seen, custom_id: str) -> str:
        """A form that nobody opened."""
        source = self._message(message)
        return await self._open(person, Kind.MODAL_SUBMIT, message, {"custom_id": custom_id, "components": []}, source)

    def there(self, message: Seen) -> bool:
        """Whether it can still be pressed: a console that is sent anew takes the place of the old one."""
        channel, id = self.core.world.channel(int(message.channel_id)), int(message.id)
        return id in channel.messages or id in channel.ephemerals

    def _message(self, message: Seen) -> Message:
        channel, id = self.core.world.channel(int(message.channel_id)), int(message.id)
        return channel.messages.get(id) or channel.ephemerals[id]

    async def _open(self, person: Person, kind: Kind, message: Seen, data: Json, source: Message) -> str:
        user = self.core.world.user(int(person.id))
        channel = int(message.channel_id)
        guild = self.core.world.channel(channel).guild_id
        owners: Json = {"0": str(guild or 0)}
        made = self.core.interactions.open(self.app, kind, user, channel, guild, data, owners, source=source)
        async with asyncio.timeout(15):
            await made.settled.wait()
        assert made.state is State.ACKNOWLEDGED, f"{data} was not answered"
        return told(made)


def told(made: Interaction) -> str:
    """The text that an interaction brought; empty while it is only announced."""
    if made.original is None:
        return ""
    return plain("\n".join(filter(None, (made.original.content, *texts(made.original.components)))))
