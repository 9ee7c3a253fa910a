"""Records as Discord's JSON."""

from bot.playground.protocol.wire import Json, stamp, texts
from bot.playground.world.clock import time_of
from bot.playground.world.model import (
    App,
    Attachment,
    Channel,
    ChannelType,
    Guild,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)
from bot.playground.world.world import World


def user(one: User) -> Json:
    return {
        "id": str(one.id),
        "username": one.name,
        "global_name": one.display,
        "discriminator": "0000" if one.is_bot else "0",
        "avatar": None,
        "banner": None,
        "accent_color": None,
        "bot": one.is_bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def own_user(one: User) -> Json:
    """A user as seen by itself (`/users/@me`, READY)."""
    return {
        **user(one),
        "mfa_enabled": True,
        "locale": one.locale,
        "verified": True,
        "email": None,
        "premium_type": 0,
    }


OBFUSCATED = 1 << 17
GIVEN = {1 << 1: 1 << 15, 1 << 8: 1 << 13, 1 << 15: 1 << 19}
"""the flag by which an application shows that it was given a privileged intent, as one that is not verified has it"""


def application(world: World, app: App) -> Json:
    given = sum(flag for intent, flag in GIVEN.items() if app.privileged & intent)
    return {
        "id": str(app.id),
        "name": app.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(app.user),
        "bot_public": True,
        "bot_require_code_grant": False,
        "integration_types_config": {str(one): {} for one in sorted(app.install_types)},
        "verify_key": app.signer.public,
        "flags": given,
        "flags_new": str(given),
        "tags": [],
        "redirect_uris": [],
        "interactions_endpoint_url": app.endpoint,
        "role_connections_verification_url": None,
        "owner": user(world.users[app.owner_id]),
        "approximate_guild_count": sum(app.id in guild.members for guild in world.guilds.values()),
        "approximate_user_install_count": len(app.installs),
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
    }


def bare_member(one: Member) -> Json:
    """A member without its user, as it stands in messages and among resolved members."""
    return {
        "nick": one.nick,
        "roles": texts(one.roles),
        "joined_at": stamp(one.joined_at),
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "premium_since": None,
        "flags": 0,
        "pending": False,
        "mute": False,
        "deaf": False,
    }


def member(world: World, one: Member) -> Json:
    return {**bare_member(one), "user": user(world.users[one.user_id])}


def role(one: Role) -> Json:
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": one.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": one.managed,
        "mentionable": one.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def overwrite(one: Overwrite) -> Json:
    return {"id": str(one.id), "type": int(one.is_member), "allow": str(one.allow), "deny": str(one.deny)}


def channel(world: World, one: Channel, viewer_id: int | None = None) -> Json:
    """A channel or thread; a DM leaves out whoever is looking."""
    last = None if one.last_message_id is None else str(one.last_message_id)
    if one.is_dm:
        others = [world.users[each] for each in one.recipients if each != viewer_id]
        told: Json = {
            "id": str(one.id),
            "type": int(one.type),
            "flags": 0,
            "last_message_id": last,
            "recipients": [user(other) for other in others],
        }
        if one.owner_id is not None:
            told |= {"name": one.name, "icon": None, "owner_id": str(one.owner_id)}
        return told
    common: Json = {
        "id": str(one.id),
        "type": int(one.type),
        "guild_id": str(one.guild_id),
        "name": one.name,
        "flags": 0,
        "parent_id": None if one.parent_id is None else str(one.parent_id),
        "last_message_id": last,
        "rate_limit_per_user": 0,
    }
    if one.is_thread:
        return {**common, **_thread(one)}
    if one.type is ChannelType.VOICE:
        common |= {"bitrate": 64_000, "user_limit": 0, "rtc_region": None}
    elif one.type is ChannelType.FORUM:
        common |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
    return {
        **common,
        "position": one.position,
        "topic": one.topic,
        "nsfw": False,
        "permission_overwrites": [overwrite(each) for each in one.overwrites.values()],
    }


def gateway_channel(world: World, one: Channel, app_id: int) -> Json:
    """A channel as the gateway tells an app of it. Since 2026-11-16 one that it may not view is obfuscated (`docs:
    resources/channel`, Obfuscated Channels; github.com/discord/discord-api-docs/pull/8454): the flag, and no name."""
    told = channel(world, one)
    if one.is_dm or world.sees(app_id, one):
        return told
    hidden: Json = {"name": "___hidden___", "topic": None, "last_message_id": None, "nsfw": False}
    return {**told, **{key: value for key, value in hidden.items() if key in told}, "flags": OBFUSCATED}


def _thread(one: Channel) -> Json:
    created = stamp(time_of(one.id))
    return {
        "owner_id": str(one.owner_id),
        "message_count": len(one.messages),
        "member_count": len(one.thread_members),
        "total_message_sent": one.sent,
        "thread_metadata": {
            "archived": one.archived,
            "archive_timestamp": stamp(one.archived_at) or created,
            "auto_archive_duration": one.auto_archive,
            "locked": one.locked,
            "create_timestamp": created,
        },
    }


def thread_member(thread: Channel, user_id: int) -> Json:
    joined = thread.thread_members[user_id]
    return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": stamp(joined), "flags": 0}


def guild(one: Guild) -> Json:
    """A server as REST tells it: without channels and members."""
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(one.owner_id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None if one.system_channel is None else str(one.system_channel),
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(each) for each in one.roles.values()],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": one.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def attachment(one: Attachment) -> Json:
    body: Json = {
        "id": str(one.id),
        "filename": one.filename,
        "size": len(one.content),
        "url": one.url,
        "proxy_url": one.url,
        "content_type": one.content_type,
    }
    if one.width is not None and one.height is not None:
        body |= {"width": one.width, "height": one.height}
    if one.description is not None:
        body["description"] = one.description
    if one.ephemeral:
        body["ephemeral"] = True
    return body


def message(world: World, one: Message, *, nested: bool = False) -> Json:
    """A message as REST tells it; a referenced one is told without what it refers to."""
    body: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel_id),
        "type": int(one.type),
        "author": user(world.users[one.author_id]),
        "content": one.content,
        "embeds": one.embeds,
        "components": one.components,
        "attachments": [attachment(each) for each in one.attachments],
        "flags": one.flags,
        "tts": one.tts,
        "pinned": one.pinned,
        "mention_everyone": one.mention_everyone,
        "mentions": [user(world.users[each]) for each in one.mentions],
        "mention_roles": texts(one.mention_roles),
        "timestamp": stamp(time_of(one.id)),
        "edited_timestamp": stamp(one.edited_at),
    }
    if one.nonce is not None:
        body["nonce"] = one.nonce
    if one.app_id is not None:
        body["application_id"] = str(one.app_id)
        body["webhook_id"] = str(one.app_id)
    if one.metadata is not None:
        body["interaction_metadata"] = one.metadata
        if one.command is not None:
            keys = ("id", "type", "user")
            body["interaction"] = {**{key: one.metadata[key] for key in keys}, "name": one.command}
    if one.reference is not None:
        body["message_reference"] = one.reference
        if not nested:
            found = one.referenced
            body["referenced_message"] = None if found is None else message(world, found, nested=True)
    return body


def event_message(world: World, one: Message) -> Json:
    """A message as the gateway tells it: with its server and its author's membership."""
    body = message(world, one)
    channel_ = world.channels.get(one.channel_id)
    home = None if channel_ is None else world.guild_of(channel_)
    if home is not None:
        body["guild_id"] = str(home.id)
        if author := home.members.get(one.author_id):
            body["member"] = bare_member(author)
    return body
