"""Permission bits, and what a member may do in a channel."""

from bot.playground.world.model import Channel, Guild, Member

BITS: dict[str, int] = {
    "CREATE_INSTANT_INVITE": 1 << 0,
    "KICK_MEMBERS": 1 << 1,
    "ADMINISTRATOR": 1 << 3,
    "MANAGE_CHANNELS": 1 << 4,
    "MANAGE_GUILD": 1 << 5,
    "ADD_REACTIONS": 1 << 6,
    "VIEW_CHANNEL": 1 << 10,
    "SEND_MESSAGES": 1 << 11,
    "MANAGE_MESSAGES": 1 << 13,
    "EMBED_LINKS": 1 << 14,
    "ATTACH_FILES": 1 << 15,
    "READ_MESSAGE_HISTORY": 1 << 16,
    "MENTION_EVERYONE": 1 << 17,
    "USE_EXTERNAL_EMOJIS": 1 << 18,
    "CHANGE_NICKNAME": 1 << 26,
    "MANAGE_NICKNAMES": 1 << 27,
    "MANAGE_ROLES": 1 << 28,
    "USE_APPLICATION_COMMANDS": 1 << 31,
    "MANAGE_THREADS": 1 << 34,
    "CREATE_PUBLIC_THREADS": 1 << 35,
    "CREATE_PRIVATE_THREADS": 1 << 36,
    "SEND_MESSAGES_IN_THREADS": 1 << 38,
    "SEND_POLLS": 1 << 49,
    "USE_EXTERNAL_APPS": 1 << 50,
}
ALL = sum(BITS.values())


def bits(*names: str) -> int:
    """The bits of these names; an unknown name raises KeyError."""
    total = 0
    for name in names:
        total |= BITS[name]
    return total


def names(value: int) -> list[str]:
    return [name for name, bit in BITS.items() if value & bit]


EVERYONE = bits(
    "CREATE_INSTANT_INVITE",
    "ADD_REACTIONS",
    "VIEW_CHANNEL",
    "SEND_MESSAGES",
    "EMBED_LINKS",
    "ATTACH_FILES",
    "READ_MESSAGE_HISTORY",
    "USE_EXTERNAL_EMOJIS",
    "CHANGE_NICKNAME",
    "USE_APPLICATION_COMMANDS",
    "CREATE_PUBLIC_THREADS",
    "CREATE_PRIVATE_THREADS",
    "SEND_MESSAGES_IN_THREADS",
    "SEND_POLLS",
    "USE_EXTERNAL_APPS",
)
"""What @everyone may do in a fresh server. Mentioning everyone is left out, to be granted on purpose."""

IN_DM = bits(
    "VIEW_CHANNEL",
    "SEND_MESSAGES",
    "EMBED_LINKS",
    "ATTACH_FILES",
    "READ_MESSAGE_HISTORY",
    "MENTION_EVERYONE",
    "USE_EXTERNAL_EMOJIS",
    "ADD_REACTIONS",
    "SEND_POLLS",
)


def in_guild(guild: Guild, member: Member) -> int:
    """What the member's roles allow, before any channel has a say."""
    if guild.owner_id == member.user_id:
        return ALL
    total = guild.roles[guild.id].permissions
    for role_id in member.roles:
        if role := guild.roles.get(role_id):
            total |= role.permissions
    return ALL if total & BITS["ADMINISTRATOR"] else total


def in_channel(guild: Guild, member: Member, channel: Channel) -> int:
    """What the member may do in the channel; for a thread, pass its parent.

    Overwrites apply in Discord's order: @everyone, then all roles together, then the member.
    """
    total = in_guild(guild, member)
    if total & BITS["ADMINISTRATOR"]:
        return ALL
    overwrites = channel.overwrites
    if everyone := overwrites.get(guild.id):
        total = total & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role_id in member.roles:
        if overwrite := overwrites.get(role_id):
            allow |= overwrite.allow
            deny |= overwrite.deny
    total = total & ~deny | allow
    if own := overwrites.get(member.user_id):
        total = total & ~own.deny | own.allow
    return total if total & BITS["VIEW_CHANNEL"] else 0
