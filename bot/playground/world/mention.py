"""Mentions: whom a text names, whom `allowed_mentions` lets through, and what a lock screen shows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.playground.protocol import component
from bot.playground.protocol.wire import Json, as_id, as_object, items
from bot.playground.rules.form import Form
from bot.playground.world.model import Channel, Flag, Message
from bot.playground.world.permission import BITS
from bot.playground.world.world import World

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_USER = re.compile(r"<@!?([0-9]{1,20})>")
_ROLE = re.compile(r"<@&([0-9]{1,20})>")
_CHANNEL = re.compile(r"<#([0-9]{1,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")

PARSE_ALL = ("users", "roles", "everyone")
PARSE_USERS = ("users",)


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who may be pinged: kinds to parse from the text, and single ids."""

    parse: tuple[str, ...]
    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    replied_user: bool = False


@dataclass(slots=True)
class Mentions:
    users: list[int] = field(default_factory=list[int])
    roles: list[int] = field(default_factory=list[int])
    everyone: bool = False


def read_allowed(body: Json, default: tuple[str, ...]) -> Allowed:
    """`allowed_mentions` of a body; without one, the default of the route."""
    given = as_object(body.get("allowed_mentions"))
    if given is None:
        return Allowed(default, replied_user=default is PARSE_ALL)
    form = Form()
    where = ("allowed_mentions",)
    parse = tuple(str(one) for one in items(given.get("parse")))
    listed: dict[str, frozenset[int]] = {}
    for kind in ("users", "roles"):
        ids = items(given.get(kind))
        listed[kind] = frozenset(found for one in ids if (found := as_id(one)) is not None)
        form.length((*where, kind), len(ids), 0, 100)
        if ids and kind in parse:
            said = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.fault(where, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", said)
    for index, one in enumerate(parse):
        if one not in PARSE_ALL:
            said = "Value must be one of ('users', 'roles', 'everyone')."
            form.fault((*where, "parse", index), "BASE_TYPE_CHOICES", said)
    form.settle()
    return Allowed(parse, listed["users"], listed["roles"], bool(given.get("replied_user")))


def resolve(world: World, channel: Channel, message: Message, allowed: Allowed) -> Mentions:
    """Whom this message mentions, of those it is allowed to."""
    found = Mentions()
    text = _CODE.sub("", "\n".join([message.content, *component.texts(message.components)]))
    if "@" not in text and message.referenced is None:
        return found
    for user_id in map(int, _USER.findall(text)):
        let = "users" in allowed.parse or user_id in allowed.users
        if let and user_id in world.users and user_id not in found.users:
            found.users.append(user_id)
    if message.referenced is not None and allowed.replied_user:
        replied = message.referenced.author_id
        if replied not in found.users:
            found.users.append(replied)
    guild = world.guild_of(channel)
    if guild is None:
        return found
    may_all = bool(world.permissions(message.author_id, channel) & BITS["MENTION_EVERYONE"])
    for role_id in map(int, _ROLE.findall(text)):
        role = guild.roles.get(role_id)
        let = "roles" in allowed.parse or role_id in allowed.roles
        if role is not None and let and (role.mentionable or may_all) and role_id not in found.roles:
            found.roles.append(role_id)
    found.everyone = bool(_EVERYONE.search(text)) and "everyone" in allowed.parse and may_all
    return found


def notified(world: World, channel: Channel, message: Message) -> Iterable[int]:
    """People whom a new message calls: everybody mentioned who can see it, and the other side of a DM."""
    if message.is_ephemeral or message.flags & Flag.LOADING:
        return ()
    if channel.is_dm:
        called = set(channel.recipients)
    else:
        called = set(message.mentions)
        guild = world.guild_of(channel)
        for member in guild.members.values() if guild else ():
            if message.mention_everyone or not set(message.mention_roles).isdisjoint(member.roles):
                called.add(member.user_id)
    called.discard(message.author_id)
    return sorted(one for one in called if not world.users[one].is_bot and world.sees(one, channel))


def push_text(world: World, message: Message) -> str:
    """What a lock screen shows: the content with names in it; of a Components V2 message, nothing."""

    def user(match: re.Match[str]) -> str:
        one = world.users.get(int(match[1]))
        return f"@{one.display or one.name}" if one else "@unknown-user"

    def channel(match: re.Match[str]) -> str:
        one = world.channels.get(int(match[1]))
        return f"#{one.name}" if one else "#unknown"

    def role(match: re.Match[str]) -> str:
        found = (guild.roles.get(int(match[1])) for guild in world.guilds.values())
        one = next((each for each in found if each), None)
        return f"@{one.name}" if one else "@unknown-role"

    return _CHANNEL.sub(channel, _ROLE.sub(role, _USER.sub(user, message.content)))
