"""Every button and select: one listener that catches them all, and hands them to the handler of their verb.

A custom id is `g1:verb:...`; the number is the version of the format, so that old ones can be told apart. What a
button carries is never trusted: every handler asks the referee again.

Why not a `DynamicItem`: discord.py rebuilds the whole view of a message for each press of one, only to find the item
whose custom id it knows already. That costs as much as sealing a bid.
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


_ID = re.compile(r"g(?P<version>\d+):(?P<verb>[a-z]+):?(?P<rest>.*)", re.DOTALL)


async def caught(interaction: discord.Interaction[Any]) -> None:
    """Any press of a button or select of ours. discord.py only logs what is raised, so nothing may get past `answered`."""
    data: Any = interaction.data or {}
    match = _ID.fullmatch(str(data.get("custom_id", "")))
    if match is None or interaction.type is not discord.InteractionType.component:
        return
    version, verb, rest = match["version"], match["verb"], match["rest"]
    answer = Answer(interaction)
    pressed = Press(interaction, answer, tuple(rest.split(":")) if rest else ())

    async def work() -> None:
        handler = _HANDLERS.get(verb) if version == "1" else None
        if handler is None:
            raise Refused("stale-button", link="")
        await handler(pressed)

    await answered(answer, work)
