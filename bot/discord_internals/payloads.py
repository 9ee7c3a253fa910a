"""What is read from objects of discord.py, and finished payloads that discord.py sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import discord
from discord import app_commands
from discord.ui import LayoutView, View


def roles_of(member: discord.Member) -> frozenset[int]:
    """Return the ids of all roles: `Member.roles` leaves out roles that the cache does not know yet."""
    return frozenset((member.guild.id, *member._roles))  # pyright: ignore[reportPrivateUsage]


def payload_of(told: Sequence[Any], tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return the payload that registers commands, groups and menus."""
    return [one.to_dict(tree) for one in told]


def walk_components(components: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield every component of a message as Discord sends them, nested ones included."""
    for one in components:
        yield one
        yield from walk_components(one.get("components", ()))
        if "accessory" in one:
            yield from walk_components((one["accessory"],))


def list_custom_ids(components: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the custom ids of all components of a message."""
    return [one["custom_id"] for one in walk_components(components) if "custom_id" in one]


@lru_cache(maxsize=1024)
def emoji(text: str) -> dict[str, Any]:
    """Return an emoji as components carry it. Ids are strings, because not every program reads such large numbers."""
    read = discord.PartialEmoji.from_str(text)
    return {"id": str(read.id), "name": read.name} if read.id else {"name": read.name}


class ReadyLayout(LayoutView):
    """A finished layout to send. It is stopped: otherwise discord.py would keep each private screen, with its sealed
    cards and a task, for a quarter of an hour."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self.stop()
        self.ready = components

    def to_components(self) -> list[dict[str, Any]]:
        return self.ready

    def has_components_v2(self) -> bool:
        return True


class ReadyView(View):
    """Finished rows under a plain message, stopped likewise."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self.stop()
        self.ready = components

    def to_components(self) -> list[dict[str, Any]]:
        return self.ready
