"""Tells each session what it may know of what happens."""

from collections.abc import Callable, Iterator
from typing import Any

from bot.playground.gateway import frame, intent
from bot.playground.gateway.describe import guild_create, interaction_create
from bot.playground.gateway.session import Session
from bot.playground.protocol.wire import Json
from bot.playground.world import event as ev
from bot.playground.world import payload
from bot.playground.world.core import Core
from bot.playground.world.model import App, Channel, Message


class Hub:
    def __init__(self, core: Core) -> None:
        self._core = core
        self._world = core.world
        self._sessions: dict[int, list[Session]] = {}
        self._tellers: dict[type, Callable[[Any], None]] = {
            ev.MessageCreated: self._message_created,
            ev.MessageEdited: self._message_edited,
            ev.MessageDeleted: self._message_deleted,
            ev.ChannelCreated: lambda event: self._channel(event.channel, "CREATE"),
            ev.ChannelUpdated: lambda event: self._channel(event.channel, "UPDATE"),
            ev.ChannelDeleted: lambda event: self._channel(event.channel, "DELETE"),
            ev.AccessGained: self._access_gained,
            ev.GuildJoined: self._guild_joined,
            ev.GuildLeft: self._guild_left,
            ev.GuildUpdated: self._guild_updated,
            ev.RoleDeleted: self._role_deleted,
            ev.MemberJoined: self._member_joined,
            ev.MemberUpdated: self._member_updated,
            ev.MemberLeft: self._member_left,
            ev.InteractionMade: self._interaction_made,
        }
        core.bus.subscribe(self._hear)

    # -- sessions

    def add(self, session: Session) -> None:
        self._forget_lost()
        self._sessions.setdefault(session.app.id, []).append(session)

    def remove(self, session: Session) -> None:
        if session in (kept := self._sessions[session.app.id]):
            kept.remove(session)

    def find(self, session_id: str, app: App) -> Session | None:
        self._forget_lost()
        return next((one for one in self._sessions.get(app.id, ()) if one.id == session_id), None)

    def of_app(self, app: App) -> list[Session]:
        return list(self._sessions.get(app.id, ()))

    def sessions(self) -> Iterator[Session]:
        for of_app in self._sessions.values():
            yield from of_app

    def _forget_lost(self) -> None:
        """Drop sessions that have been away for too long: those of processes that were killed."""
        limit = self._core.clock.time() - self._core.settings.resume_seconds
        for session in [one for one in self.sessions() if one.sink is None and one.parted < limit]:
            self.remove(session)

    def welcome(self, session: Session, address: str) -> None:
        """READY, then every server of its shard."""
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if session.app.id in guild.members and session.wants(intent.NONE, guild.id)
        ]
        ready: Json = {
            "v": 10,
            "user": payload.own_user(session.app.user),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": address,
            "shard": list(session.shard),
            "application": {"id": str(session.app.id), "flags": 0},
            "private_channels": [],
            "relationships": [],
            "presences": [],
        }
        session.push("READY", frame.dump(ready))
        if session.intents & intent.GUILDS:
            for guild in guilds:
                body = guild_create(self._world, guild, session.app, members=_hears_members(session))
                session.push("GUILD_CREATE", frame.dump({**body, "unavailable": False}))

    # -- telling

    def _hear(self, event: ev.Event) -> None:
        if teller := self._tellers.get(type(event)):
            teller(event)

    def _tell(self, app: App, name: str, body: Callable[[], Json], wanted: int, guild_id: int | None) -> None:
        """Push one event to the app's sessions that want it; the body is made only if there are any."""
        wanting = [one for one in self._sessions.get(app.id, ()) if one.wants(wanted, guild_id)]
        if wanting:
            text = frame.dump(body())
            for session in wanting:
                session.push(name, text)

    def _message_created(self, event: ev.MessageCreated) -> None:
        self._message(event.message, "MESSAGE_CREATE")

    def _message_edited(self, event: ev.MessageEdited) -> None:
        self._message(event.message, "MESSAGE_UPDATE")

    def _message(self, message: Message, name: str) -> None:
        if message.is_ephemeral:
            return
        channel = self._world.channels[message.channel_id]
        wanted = _message_intent(channel)
        for app in self._apps(channel, wanted):
            for session in self._sessions[app.id]:
                if session.wants(wanted, channel.guild_id):
                    session.push(name, frame.dump(self._seen(message, channel, session)))

    def _seen(self, message: Message, channel: Channel, session: Session) -> Json:
        """A message as far as this session may read it."""
        body = payload.event_message(self._world, message)
        app_id = session.app.id
        readable = session.intents & intent.MESSAGE_CONTENT or channel.is_dm
        if not (readable or message.author_id == app_id or app_id in message.mentions):
            body |= {"content": "", "embeds": [], "attachments": [], "components": []}
        return body

    def _message_deleted(self, event: ev.MessageDeleted) -> None:
        message = event.message
        if message.is_ephemeral:
            return
        channel = self._world.channels[message.channel_id]
        body: Json = {"id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild_id is not None:
            body["guild_id"] = str(channel.guild_id)
        wanted = _message_intent(channel)
        for app in self._apps(channel, wanted):
            self._tell(app, "MESSAGE_DELETE", lambda: body, wanted, channel.guild_id)

    def _apps(self, channel: Channel, wanted: int) -> list[App]:
        """Apps that are connected, want it and see the channel."""
        apps = self._world.apps
        listening = [
            apps[app_id]
            for app_id, sessions in self._sessions.items()
            if any(one.wants(wanted, channel.guild_id) for one in sessions)
        ]
        return [app for app in listening if self._world.sees(app.id, channel)]

    def _channel(self, channel: Channel, what: str) -> None:
        guild = self._world.guild_of(channel)
        if guild is None:
            return
        name = f"{'THREAD' if channel.is_thread else 'CHANNEL'}_{what}"
        for app in self._world.apps.values():
            if app.id not in guild.members or (channel.is_thread and not self._world.sees(app.id, channel)):
                continue
            told = payload.gateway_channel(self._world, channel, app.id)
            self._tell(app, name, lambda told=told: told, intent.GUILDS, guild.id)

    def _access_gained(self, event: ev.AccessGained) -> None:
        """THREAD_LIST_SYNC (`docs: events/gateway-events`, Thread List Sync): all active threads of these channels."""
        world, app = self._world, event.app
        there = [world.channels[one] for one in event.guild.threads]
        threads = [one for one in there if one.parent_id in event.channels and not one.archived]
        seen = [one for one in threads if world.sees(app.id, one)]
        told: Json = {
            "guild_id": str(event.guild.id),
            "channel_ids": [str(one) for one in sorted(event.channels)],
            "threads": [payload.gateway_channel(world, one, app.id) for one in seen],
            "members": [payload.thread_member(one, app.id) for one in seen if app.id in one.thread_members],
        }
        self._tell(app, "THREAD_LIST_SYNC", lambda: told, intent.GUILDS, event.guild.id)

    def _guild_joined(self, event: ev.GuildJoined) -> None:
        guild, app = event.guild, event.app
        self._tell(app, "GUILD_CREATE", lambda: guild_create(self._world, guild, app), intent.GUILDS, guild.id)

    def _guild_left(self, event: ev.GuildLeft) -> None:
        guild_id = event.guild.id
        self._tell(event.app, "GUILD_DELETE", lambda: {"id": str(guild_id)}, intent.GUILDS, guild_id)

    def _guild_updated(self, event: ev.GuildUpdated) -> None:
        guild = event.guild
        for app in self._world.apps.values():
            if app.id in guild.members:
                self._tell(app, "GUILD_UPDATE", lambda: payload.guild(guild), intent.GUILDS, guild.id)

    def _role_deleted(self, event: ev.RoleDeleted) -> None:
        told: Json = {"guild_id": str(event.guild.id), "role_id": str(event.role_id)}
        for app in self._world.apps.values():
            if app.id in event.guild.members:
                self._tell(app, "GUILD_ROLE_DELETE", lambda: told, intent.GUILDS, event.guild.id)

    def _member_joined(self, event: ev.MemberJoined) -> None:
        self._member(event, "GUILD_MEMBER_ADD", payload.member(self._world, event.member))

    def _member_updated(self, event: ev.MemberUpdated) -> None:
        self._member(event, "GUILD_MEMBER_UPDATE", payload.member(self._world, event.member))

    def _member_left(self, event: ev.MemberLeft) -> None:
        user = payload.user(self._world.users[event.member.user_id])
        self._member(event, "GUILD_MEMBER_REMOVE", {"user": user})

    def _member(self, event: ev.MemberJoined | ev.MemberUpdated | ev.MemberLeft, name: str, body: Json) -> None:
        guild_id = event.guild.id
        for app in self._world.apps.values():
            if app.id in event.guild.members:
                told: Json = {**body, "guild_id": str(guild_id)}
                itself = name == "GUILD_MEMBER_UPDATE" and event.member.user_id == app.id  # told whatever it wants
                wanted = intent.NONE if itself else intent.GUILD_MEMBERS
                self._tell(app, name, lambda told=told: told, wanted, guild_id)

    def _interaction_made(self, event: ev.InteractionMade) -> None:
        made = event.interaction
        if made.app.endpoint:
            return  # it goes there
        self._tell(
            made.app,
            "INTERACTION_CREATE",
            lambda: interaction_create(self._core, made),
            intent.NONE,
            made.guild_id,
        )


def _message_intent(channel: Channel) -> int:
    return intent.DIRECT_MESSAGES if channel.is_dm else intent.GUILD_MESSAGES


def _hears_members(session: Session) -> bool:
    return bool(session.intents & intent.GUILD_MEMBERS)
