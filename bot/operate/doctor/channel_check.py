"""Check what the bot may do in the channels that servers chose, and with threads and roles by rating."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from bot.operate.doctor.local_checks import read_database
from bot.operate.doctor.report import Diagnosis, DiscordRefusal, DoctorContext, trouble, unknown, well
from bot.referee.model.guild_settings import GuildSettings
from data.sql import server

ADMINISTRATOR = 1 << 3
VIEW = "View Channels"
BITS = {
    VIEW: 1 << 10,
    "Send Messages": 1 << 11,
    "Attach Files": 1 << 15,
    "Read Message History": 1 << 16,
    "Manage Roles": 1 << 28,
    "Create Public Threads": 1 << 35,
    "Send Messages in Threads": 1 << 38,
}
"""permissions by the names that Discord's pages give them"""

POSTS = ("Send Messages",)
BOARDS = ("Send Messages", "Attach Files", "Read Message History")
IN_THREADS = ("Send Messages in Threads", "Attach Files", "Read Message History")
THREADS = ("Create Public Threads", "Send Messages in Threads")

THREAD_TYPES = (10, 11, 12)
FORUM_TYPES = (15, 16)

MOST_SERVERS = 50
"""servers that are looked at: each takes some calls"""

ASK = "ask who manages that server to allow it to the bot's role"
FORBIDDEN, GONE = 403, 404

DiscordObject = Mapping[str, Any]


async def channels(context: DoctorContext) -> list[Diagnosis]:
    """Check the chosen channels by roles and overwrites, and the rights that threads and roles by rating need."""
    decided = await read_database(context, server.all_settings())
    if decided is None and not context.settings.server and context.settings.database.exists():
        return [unknown("the database could not be read")]
    needing = [one for one in decided or () if _chosen_channels(one) or one.threads or one.bands]
    own = int((await context.ask("/users/@me", time.time))["id"])
    found: list[Diagnosis] = []
    for settings in needing[:MOST_SERVERS]:
        found += await _check_server(context, settings, own)
    if len(needing) > MOST_SERVERS:
        found.append(unknown(f"servers not checked: {len(needing) - MOST_SERVERS}"))
    return found or [
        well(f"the bot has its permissions in the chosen channels; servers that chose some: {len(needing)}")
    ]


def _chosen_channels(settings: GuildSettings) -> dict[int, tuple[str, ...]]:
    """Return each channel that a server chose, and what the bot does there besides seeing it."""
    needed = {one: POSTS for one in (settings.log, settings.champions, settings.daily, settings.waiting) if one}
    return {**needed, **dict.fromkeys(settings.channels, BOARDS + (THREADS if settings.threads else ()))}


async def _check_server(context: DoctorContext, settings: GuildSettings, own: int) -> list[Diagnosis]:
    try:
        guild: DiscordObject = await context.ask(f"/guilds/{settings.guild}", time.time)
        member: DiscordObject = await context.ask(f"/guilds/{settings.guild}/members/{own}", time.time)
    except DiscordRefusal as refused:
        if refused.status in (FORBIDDEN, GONE):
            return []  # it was removed from that server
        raise
    here = f"{guild['name']} ({guild['id']})"
    general = guild_permissions(guild, member)
    lacks = [*_missing(general, ("Manage Roles",) if settings.bands else ())]
    if settings.threads and not settings.channels:
        lacks += _missing(general, THREADS)
    found = [trouble(f"{here}: the bot lacks {', '.join(lacks)}", ASK)] if lacks else []
    for id, needed in _chosen_channels(settings).items():
        found += await _check_channel(context, f"{here}, channel {id}", id, needed, guild, member)
    return found


async def _check_channel(
    context: DoctorContext, here: str, id: int, needed: tuple[str, ...], guild: DiscordObject, member: DiscordObject
) -> list[Diagnosis]:
    """Check one channel. A thread has the overwrites of the channel that it belongs to."""
    try:
        channel: DiscordObject = await context.ask(f"/channels/{id}", time.time)
        place: DiscordObject = channel
        if channel["type"] in THREAD_TYPES:
            place = await context.ask(f"/channels/{channel['parent_id']}", time.time)
    except DiscordRefusal as refused:
        if refused.status == GONE:
            return [trouble(f"{here}: the channel was deleted", "choose another one with /gops settings show")]
        if refused.status == FORBIDDEN:
            return [trouble(f"{here}: the bot lacks {VIEW} there", ASK)]
        raise
    if channel["type"] in (*THREAD_TYPES, *FORUM_TYPES):
        needed = IN_THREADS if needed != POSTS else ("Send Messages in Threads",)
    lacks = list(_missing(channel_permissions(place, guild, member), (VIEW, *needed)))
    return [trouble(f"{here}: the bot lacks {', '.join(lacks)} there", ASK)] if lacks else []


def _missing(held: int, needed: tuple[str, ...]) -> Iterator[str]:
    return (name for name in needed if not held & BITS[name])


def guild_permissions(guild: DiscordObject, member: DiscordObject) -> int:
    """Return what the roles of a member allow; everything for an administrator."""
    held = 0
    for role in guild["roles"]:
        if role["id"] == guild["id"] or role["id"] in member["roles"]:
            held |= int(role["permissions"])
    return ~0 if held & ADMINISTRATOR or guild.get("owner_id") == member["user"]["id"] else held


def channel_permissions(channel: DiscordObject, guild: DiscordObject, member: DiscordObject) -> int:
    """Return what a member may do in a channel: overwrites of everyone count first, then of roles, then their own."""
    held = guild_permissions(guild, member)
    if held & ADMINISTRATOR:
        return held
    overwrites = {one["id"]: one for one in channel.get("permission_overwrites") or ()}
    for ids in ({guild["id"]}, {*member["roles"]}, {member["user"]["id"]}):
        those = [one for id, one in overwrites.items() if id in ids]
        for one in those:
            held &= ~int(one["deny"])
        for one in those:
            held |= int(one["allow"])
    return held
