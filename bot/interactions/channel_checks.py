"""Where a command came from, who is meant by it, and whether GOPS may be played there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.errors import Refused
from bot.interactions.context import Asked
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Person, Place
from bot.referee.model.people import GuildSettings
from bot.rest.member import Who

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
}


SPARE = 0.2
"""the share of counted calls that must be free for a match that needs some"""


def person_of(who: Who) -> Person:
    """A person under the name they have in this server."""
    return Person(who.id, who.name)


def place_of(asked: Asked) -> Place:
    return Place(0 if asked.where.outside else asked.guild, asked.where.channel)


def wish_here(asked: Asked, wish: Wish) -> Wish:
    """What can be played here: where the bot is no member on the board alone, and among friends. While most counted
    calls are taken, whoever chose no place gets the one that needs none."""
    if asked.where.outside:
        return replace(wish, place="table", rated=False)
    return replace(wish, place="table") if wish.place is None and is_busy(asked) else wish


def is_busy(asked: Asked) -> bool:
    """Whether more than 80 % of the counted calls are taken at this moment."""
    return asked.services.publisher.reach.budget.free < SPARE


async def check_place(asked: Asked) -> GuildSettings:
    """Refuse a channel where no board can be kept, or where this server does not want GOPS. Where the bot is no member
    Discord's own word on what it may do is no more than a hint."""
    if asked.where.outside:
        return await asked.referee.store.guild(0)
    guild = await asked.referee.store.guild(asked.guild)
    here = asked.where.channel
    if guild.channels and here not in guild.channels:
        raise Refused("channel-not-allowed", channels=", ".join(f"<#{channel}>" for channel in guild.channels))
    if asked.where.closed:
        raise Refused("thread-closed")
    missing = _missing(asked.where.rights, asked.where.thread)
    if missing:
        raise Refused("missing-permissions", channel=f"<#{here}>", permissions=", ".join(missing))
    return guild


def _missing(permissions: discord.Permissions, thread: bool) -> list[str]:
    needed = dict(NEEDED)
    if thread:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = "Send Messages in Threads"
    return [name for key, name in needed.items() if not getattr(permissions, key)]


def check_role(guild: GuildSettings, member: Who, asker: bool) -> None:
    """Refuse somebody who may not play in this server."""
    if not guild.roles or not member.member or member.roles & set(guild.roles):
        return
    roles = ", ".join(f"<@&{role}>" for role in guild.roles)
    if asker:
        raise Refused("role-needed", roles=roles)
    raise Refused("role-needed-them", name=member.name, roles=roles)


def check_opponents(asked: Asked, guild: GuildSettings, others: Sequence[Who]) -> list[Person]:
    """The people challenged; bots, and people who are not here, cannot be."""
    check_role(guild, asked.who, asker=True)
    people: list[Person] = []
    for other in others:
        if other.id == asked.token.app:
            raise Refused("house")
        if other.bot:
            raise Refused("bot", name=other.name)
        if not other.member and not asked.where.outside:  # in a group *Accept* tells who is there
            raise Refused("left-member", name=other.name)
        check_role(guild, other, asker=False)
        people.append(person_of(other))
    return people
