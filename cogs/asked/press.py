"""Every button and select: one listener that catches them all, and hands them to the handler of their verb.

A custom id is `g1:verb:...`; the number is the version of the format, so that old ones can be told apart. Here ids are
read strictly: each verb says what its ids look like and on what messages they stand, and whatever is otherwise is out
of date. What a button carries is never trusted even then: every handler asks the referee again.

Why not a `DynamicItem`: discord.py rebuilds the whole view of a message for each press of one, only to find the item
whose custom id it knows already. That costs as much as sealing a bid.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

import discord

from bot.errors import Refused
from bot.referee.referee import Referee
from cogs.asked.answer import Answer, answered
from cogs.services import Services, services_of
from cogs.ui import ids

Handler = Callable[["Press"], Awaitable[None]]


class On(Enum):
    """The messages on which a verb stands: a press anywhere else would draw over what is not its own."""

    ANY = auto()
    SHARED = auto()
    """for everybody in a channel"""
    OWN = auto()
    """for one person: an ephemeral one, or by DM"""
    QUESTION = auto()
    """the same, of nothing but text and buttons: an answer to it takes its place"""


@dataclass(frozen=True, slots=True)
class Verb:
    """What is done at a press, and which presses are this."""

    handler: Handler
    shape: re.Pattern[str]
    on: On

    def is_on(self, interaction: discord.Interaction[Any]) -> bool:
        if interaction.message is None:
            return False
        flags = interaction.message.flags
        own = flags.ephemeral or interaction.guild_id is None
        match self.on:
            case On.ANY:
                return True
            case On.SHARED:
                return not own
            case On.OWN:
                return own
            case On.QUESTION:
                return own and not flags.components_v2


_VERBS: dict[str, Verb] = {}


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
    def value(self) -> str:
        """The one option that was chosen in a menu."""
        values = _values(self.interaction)
        if len(values) != 1:
            raise stale()
        return values[0]

    def one_of(self, offered: Container[str]) -> str:
        """The same, where it must be one of these; options come and go with the bot's versions."""
        value = self.value
        if value not in offered:
            raise stale()
        return value

    @property
    def person(self) -> int:
        """The one person who was chosen in a menu."""
        user = ids.read_user(self.value)
        if user is None:
            raise stale()
        return user

    def part(self, place: int) -> str:
        """One part of the custom id; a button without it is out of date."""
        if place >= len(self.parts):
            raise stale()
        return self.parts[place]

    def number(self, place: int) -> int:
        part = self.part(place)
        if not part.isdecimal():
            raise stale()
        return int(part)


def stale() -> Refused:
    """Nothing of ours has such a button any more."""
    return Refused("stale-button", link="")


def press(verb: str, shape: str, on: On = On.OWN) -> Callable[[Handler], Handler]:
    """Register the handler of a verb. `shape` is what follows the verb in its ids, made of the parts in `ids`."""

    def register(handler: Handler) -> Handler:
        if verb in _VERBS:
            raise ValueError(f"two handlers for {verb}")
        _VERBS[verb] = Verb(handler, re.compile(shape), on)
        return handler

    return register


async def caught(interaction: discord.Interaction[Any]) -> None:
    """Any press of a button or menu, and any form sent in. discord.py only logs what is raised: nothing may get past
    `answered`."""
    kind = interaction.type
    if kind not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
        return
    answer = Answer(interaction)

    async def work() -> None:
        verb, parts = _read(interaction)
        await verb.handler(Press(interaction, answer, parts))

    await answered(answer, work)


def _read(interaction: discord.Interaction[Any]) -> tuple[Verb, tuple[str, ...]]:
    """What was pressed; whatever none of our messages holds is refused here, before any handler sees it."""
    data: Any = interaction.data or {}
    found = ids.read(data.get("custom_id"))
    if found is None or interaction.type is not discord.InteractionType.component:
        raise stale()
    name, rest = found
    verb = _VERBS.get(name)
    if verb is None or verb.shape.fullmatch(rest) is None or not verb.is_on(interaction):
        raise stale()
    if not all(map(ids.is_plain, _values(interaction))):
        raise stale()
    return verb, tuple(rest.split(":"))


def _values(interaction: discord.Interaction[Any]) -> list[Any]:
    """What was chosen in a menu."""
    data: Any = interaction.data or {}
    return list(data.get("values") or ())
