"""The two big events: a server as a bot first sees it, and an interaction."""

from bot.playground.protocol.wire import Json, stamp
from bot.playground.world import payload, permission
from bot.playground.world.core import Core
from bot.playground.world.model import App, Guild, Interaction
from bot.playground.world.world import World


def guild_create(world: World, guild: Guild, app: App, *, members: bool = False) -> Json:
    """GUILD_CREATE. Without the members intent, the bot is told of nobody but itself."""
    own = guild.members[app.id]
    known = guild.members.values() if members else (own,)
    return {
        **payload.guild(guild),
        "joined_at": stamp(own.joined_at),
        "large": False,
        "member_count": len(guild.members),
        "members": [payload.member(world, one) for one in known],
        "channels": [payload.gateway_channel(world, world.channels[one], app.id) for one in guild.channels],
        "threads": [
            payload.channel(world, one)
            for one in (world.channels[id] for id in guild.threads)
            if not one.archived and world.sees(app.id, one)
        ],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def interaction_create(core: Core, made: Interaction) -> Json:
    """INTERACTION_CREATE, with every key that discord.py takes for granted."""
    world = core.world
    channel = world.channels[made.channel_id]
    guild = world.guild_of(channel)
    person = world.permissions(made.user.id, channel)
    body: Json = {
        "id": str(made.id),
        "application_id": str(made.app.id),
        "type": int(made.kind),
        "token": made.token,
        "version": 1,
        "data": made.data,
        "channel_id": str(channel.id),
        "channel": {**payload.channel(world, channel, made.app.id), "permissions": str(person)},
        "app_permissions": str(_app_permissions(world, made, person)),
        "locale": made.user.locale,
        "entitlements": [],
        "authorizing_integration_owners": made.owners,
        "attachment_size_limit": core.settings.attachment_bytes,
    }
    if guild is None:
        body["context"] = 1 if made.app.id in channel.recipients else 2
        body["user"] = payload.user(made.user)
    else:
        member = guild.members[made.user.id]
        body["context"] = 0
        body["guild_id"] = str(guild.id)
        body["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
        body["guild_locale"] = guild.locale
        body["member"] = {**payload.member(world, member), "permissions": str(person)}
    if made.source is not None:
        body["message"] = payload.message(world, made.source)
    return body


def _app_permissions(world: World, made: Interaction, person: int) -> int:
    """What the app may do there; one that is no member of the server has what its user lends it."""
    channel = world.channels[made.channel_id]
    if channel.is_dm:
        return permission.IN_DM
    if not made.outside:
        return world.permissions(made.app.id, channel)
    lent = permission.bits("VIEW_CHANNEL", "SEND_MESSAGES", "EMBED_LINKS", "ATTACH_FILES", "READ_MESSAGE_HISTORY")
    if not person & permission.BITS["USE_EXTERNAL_APPS"]:
        return 0
    return person & lent
