"""A person, or a bot, as the place knows them where they were named."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot import discord_internals


@dataclass(frozen=True, slots=True)
class DiscordUser:
    """Somebody who asks, or who is meant."""

    id: int
    name: str
    bot: bool = False
    is_member: bool = False
    """of the server where they were named"""
    roles: frozenset[int] = frozenset()


def read_user(user: discord.abc.User) -> DiscordUser:
    """As discord.py names them; whoever is no member has no roles."""
    if not isinstance(user, discord.Member):
        return DiscordUser(user.id, user.display_name, user.bot)
    return DiscordUser(user.id, user.display_name, user.bot, is_member=True, roles=discord_internals.roles_of(user))
