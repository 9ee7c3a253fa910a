"""Every button and select: one dynamic item that catches them all, and hands them to the handler of their verb.

A custom id is `g1:verb:...`; the number is the version of the format, so that old ones can be told apart. What a
button carries is never trusted: every handler asks the referee again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import discord

from bot.errors import Refused
from bot.referee.referee import Referee
from cogs.answer import Answer, answered
from cogs.services import Services, services_of

Handler = Callable[["Press"], Awaitable[None]]

_HANDLERS: dict[str, Handler] = {}


@dataclass(slots=True)
class Press:
    """One press: who, when, on what, and how to answer."""

    interaction: discord.Interaction[Any]
    answer: Answer
    parts: tuple[str, ...]
    """the custom id after the verb"""

    @property
    def services(self) -> Services:
        return services_of(self.interaction)

    @property
    def referee(self) -> Referee:
        return self.services.referee

    @property
    def user(self) -> int:
        return self.interaction.user.id

    @property
    def at(self) -> datetime:
        """When it was pressed: the interaction's id tells, not its arrival."""
        return self.interaction.created_at

    @property
    def message(self) -> discord.Message:
        assert self.interaction.message is not None
        return self.interaction.message

    @property
    def values(self) -> list[str]:
        """What was chosen in a select."""
        data: Any = self.interaction.data or {}
        return list(data.get("values", ()))

    def part(self, place: int) -> str:
        """One part of the custom id; a button without it is out of date."""
        if place >= len(self.parts):
            raise Refused("stale-button", link="")
        return self.parts[place]

    def number(self, place: int) -> int:
        part = self.part(place)
        if not part.isdecimal():
            raise Refused("stale-button", link="")
        return int(part)


def press(verb: str) -> Callable[[Handler], Handler]:
    """Register the handler of a verb."""

    def register(handler: Handler) -> Handler:
        if verb in _HANDLERS:
            raise ValueError(f"two handlers for {verb}")
        _HANDLERS[verb] = handler
        return handler

    return register


class AnyPress(
    discord.ui.DynamicItem[discord.ui.Item[Any]], template=r"g(?P<version>\d+):(?P<verb>[a-z]+):?(?P<rest>.*)"
):
    """The one dynamic item. discord.py only logs what a callback raises, so nothing may get past `answered`."""

    def __init__(self, item: discord.ui.Item[Any], version: str, verb: str, rest: str) -> None:
        super().__init__(item)
        self.version = version
        self.verb = verb
        self.rest = rest

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> AnyPress:
        return cls(item, match["version"], match["verb"], match["rest"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        answer = Answer(interaction)
        pressed = Press(interaction, answer, tuple(self.rest.split(":")) if self.rest else ())

        async def work() -> None:
            handler = _HANDLERS.get(self.verb) if self.version == "1" else None
            if handler is None:
                raise Refused("stale-button", link="")
            await handler(pressed)

        await answered(answer, work)
