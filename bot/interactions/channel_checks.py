"""Where a command came from, who is meant by it, and whether GOPS may be played there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.referee.lobby.setups import Wish
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.participant import Person, Place
from bot.rest.members import DiscordUser

NEEDED_PERMISSIONS = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "read_message_history": "Read Message History",
}
THREAD_PERMISSIONS = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}

FORUMS = (discord.ChannelType.forum.value, discord.ChannelType.media.value)
"""channels that hold only posts, which are threads"""
THREADS = tuple(kind.value for kind in discord.ChannelType if kind.name.endswith("thread"))

BUSY_BELOW = 0.2
"""the share of counted calls that must be free for a match that needs some"""


def person_of(who: DiscordUser) -> Person:
    """A person under the name they have in this server."""
    return Person(who.id, who.name)


def place_of(context: InteractionContext) -> Place:
    return Place(context.board_guild, context.origin.channel)


def adapt_wish(context: InteractionContext, wish: Wish) -> Wish:
    """What can be played here: where the bot is no member on the board alone, and among friends. While most counted
    calls are taken, whoever chose no place gets the one that needs none."""
    if context.origin.is_outside:
        return replace(wish, place="board", rated=False)
    is_busy = context.services.delivery.budget.free_share < BUSY_BELOW
    return replace(wish, place="board") if wish.place is None and is_busy else wish


async def check_place(context: InteractionContext) -> GuildSettings:
    """Refuse a channel where no board can be kept, or where this server does not want GOPS. Where the bot is no member
    Discord's own word on what it may do is no more than a hint."""
    if context.origin.is_outside:
        return await context.referee.deciding.load_settings(0)
    guild = await context.referee.deciding.load_settings(context.board_guild)
    here = context.origin.channel
    if guild.channels and not {here, context.origin.parent} & {*guild.channels}:
        raise RefereeError("channel-not-allowed", channels=", ".join(f"<#{channel}>" for channel in guild.channels))
    if context.origin.is_closed:
        raise RefereeError("thread-closed")
    missing = _missing(context.origin.bot_permissions, context.origin.is_thread)
    if missing:
        raise RefereeError("missing-permissions", channel=f"<#{here}>", permissions=", ".join(missing))
    return guild


def check_chosen(context: InteractionContext, channels: Iterable[int], *, for_boards: bool) -> None:
    """Refuse a channel of a menu in which the bot cannot write, by what Discord says of it in the interaction."""
    resolved: Any = context.data.get("resolved") or {}
    known: Mapping[str, Mapping[str, Any]] = resolved.get("channels") or {}
    for id in channels:
        channel = known.get(str(id), {})
        kind = channel.get("type")
        if kind in FORUMS and not for_boards:
            raise RefereeError("channel-forum", channel=f"<#{id}>")
        if "app_permissions" not in channel:  # it is the newest of these fields
            continue
        permissions = discord.Permissions(int(channel["app_permissions"]))
        missing = _missing(permissions, kind in FORUMS or kind in THREADS, history=for_boards)
        if missing:
            refusal = "missing-permissions" if for_boards else "channel-closed"
            raise RefereeError(refusal, channel=f"<#{id}>", permissions=", ".join(missing))


def _missing(permissions: discord.Permissions, thread: bool, *, history: bool = True) -> list[str]:
    """Name the permissions that the bot lacks. What is only posted needs no `history`."""
    needed = dict(NEEDED_PERMISSIONS)
    if thread:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = THREAD_PERMISSIONS["send_messages_in_threads"]
    if not history:
        del needed["read_message_history"]
    return _list_missing(permissions, needed)


def missing_for_threads(permissions: discord.Permissions) -> list[str]:
    """Name the permissions that the bot lacks for boards in threads."""
    return _list_missing(permissions, THREAD_PERMISSIONS)


def _list_missing(permissions: discord.Permissions, needed: Mapping[str, str]) -> list[str]:
    return [name for key, name in needed.items() if not getattr(permissions, key)]


def check_role(guild: GuildSettings, member: DiscordUser, asker: bool) -> None:
    """Refuse somebody who may not play in this server."""
    if not guild.roles or not member.is_member or member.roles & set(guild.roles):
        return
    roles = ", ".join(f"<@&{role}>" for role in guild.roles)
    if asker:
        raise RefereeError("role-needed", roles=roles)
    raise RefereeError("role-needed-them", name=member.name, roles=roles)


def check_opponents(context: InteractionContext, guild: GuildSettings, others: Sequence[DiscordUser]) -> list[Person]:
    """The people challenged; bots, and people who are not here, cannot be."""
    check_role(guild, context.author, asker=True)
    people: list[Person] = []
    for other in others:
        if other.id == context.token.app:
            raise RefereeError("house")
        if other.bot:
            raise RefereeError("bot", name=other.name)
        if not other.is_member and not context.origin.is_outside:  # in a group *Accept* tells who is there
            raise RefereeError("left-member", name=other.name)
        check_role(guild, other, asker=False)
        people.append(person_of(other))
    return people
