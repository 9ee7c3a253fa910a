"""Live events: a websocket per person, which never carries another's ephemerals or DMs; and the stage's."""

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

from aiohttp import WSMsgType, web

from bot.playground.play import view
from bot.playground.protocol.wire import Json
from bot.playground.world import event as ev
from bot.playground.world import payload
from bot.playground.world.core import Core
from bot.playground.world.model import Channel, Guild, Interaction, Member, Message, User


class Feed:
    """One open websocket: whose it is, and which channels it wants to hear of (none named: all)."""

    def __init__(self, socket: web.WebSocketResponse, person: User | None, only: frozenset[int]) -> None:
        self.person = person
        self.only = only
        self._socket = socket
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, text: str) -> None:
        self._outbox.put_nowait(text)

    def stop(self) -> None:
        self._outbox.put_nowait(None)

    async def run(self) -> None:
        """Write until the other side goes or the stand-in stops."""
        reader = asyncio.create_task(self._read())
        try:
            while (text := await self._outbox.get()) is not None:
                await self._socket.send_str(text)
            await self._socket.close()
        except ConnectionError:
            pass
        finally:
            reader.cancel()

    async def _read(self) -> None:
        async for message in self._socket:
            if message.type in (WSMsgType.ERROR, WSMsgType.CLOSE):
                break
        self.stop()


class Feeds:
    """Hears everything, and tells each person what is theirs to see."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._world = core.world
        self._people: dict[int, set[Feed]] = {}
        self._stage: set[Feed] = set()
        self._tellers: dict[type, Callable[[Any], None]] = {
            ev.MessageCreated: lambda event: self._message("message_created", event.message),
            ev.MessageEdited: lambda event: self._message("message_edited", event.message),
            ev.MessageDeleted: self._message_deleted,
            ev.Notified: self._notified,
            ev.InteractionMade: lambda event: self._interaction(event.interaction),
            ev.InteractionChanged: lambda event: self._interaction(event.interaction),
            ev.TypingStarted: self._typing,
            ev.ChannelCreated: lambda event: self._channel("channel_created", event.channel),
            ev.ChannelUpdated: lambda event: self._channel("channel_updated", event.channel),
            ev.ChannelDeleted: lambda event: self._channel("channel_deleted", event.channel),
            ev.GuildDeleted: self._guild_deleted,
            ev.MemberJoined: self._member_joined,
            ev.MemberUpdated: lambda event: self._member("member_updated", event.guild, event.member),
            ev.MemberLeft: self._member_left,
            ev.SessionChanged: self._session,
            ev.CommandsChanged: self._commands,
        }
        core.bus.subscribe(self._hear)

    async def serve_person(self, request: web.Request, person: User, only: frozenset[int]) -> web.StreamResponse:
        """Everything they see now, and from then on every change of it."""
        socket = await _prepare(request)
        feed = Feed(socket, person, only)
        feed.send(_dump(view.snapshot(self._core, person, only)))
        mine = self._people.setdefault(person.id, set())
        mine.add(feed)
        try:
            await feed.run()
        finally:
            mine.discard(feed)
        return socket

    async def serve_stage(self, request: web.Request, snapshot: Json) -> web.StreamResponse:
        """Bots that come and go, and commands that change."""
        socket = await _prepare(request)
        feed = Feed(socket, None, frozenset())
        feed.send(_dump({"type": "snapshot", **snapshot}))
        self._stage.add(feed)
        try:
            await feed.run()
        finally:
            self._stage.discard(feed)
        return socket

    def stop(self) -> None:
        for feed in [*self._stage, *(feed for feeds in self._people.values() for feed in feeds)]:
            feed.stop()

    def processes(self, states: list[Json]) -> None:
        """Send how the processes of the bot are now."""
        self._tell_stage({"type": "processes", "processes": states})

    def clock(self, told: Json) -> None:
        """Somebody moved the clock."""
        self._tell_stage({"type": "clock", **told})

    # -- telling

    def _hear(self, event: ev.Event) -> None:
        if teller := self._tellers.get(type(event)):
            teller(event)

    def _watchers(self, channel: Channel) -> Iterable[Feed]:
        """Feeds of everybody who sees a channel."""
        people = channel.recipients if channel.is_dm else tuple(self._people)
        for person_id in people:
            feeds = self._people.get(person_id)
            if not feeds:
                continue
            wanting = [one for one in feeds if not one.only or channel.is_dm or channel.id in one.only]
            if wanting and self._world.sees(person_id, channel):
                yield from wanting

    def _tell(self, channel: Channel, body: Callable[[], Json], viewer_id: int | None = None) -> None:
        """Send one frame to all who see the channel, or to the one viewer of an ephemeral."""
        text: str | None = None
        watchers = self._watchers(channel) if viewer_id is None else self._people.get(viewer_id, ())
        for feed in watchers:
            text = text or _dump(body())
            feed.send(text)

    def _message(self, what: str, message: Message) -> None:
        if message.dismissed:
            return
        channel = self._world.channels[message.channel_id]
        self._tell(channel, lambda: {"type": what, "message": view.describe(self._core, message)}, message.viewer_id)

    def _message_deleted(self, event: ev.MessageDeleted) -> None:
        one = event.message
        told = {"type": "message_deleted", "channel": str(one.channel_id), "message": str(one.id)}
        self._tell(self._world.channels[one.channel_id], lambda: told, one.viewer_id)

    def dismissed(self, message: Message) -> None:
        """Tell its viewer, and nobody else, that an ephemeral is put away."""
        self._message_deleted(ev.MessageDeleted(message))

    def _notified(self, event: ev.Notified) -> None:
        self._tell_one(
            event.user_id,
            {
                "type": "notified",
                "channel": str(event.message.channel_id),
                "message": str(event.message.id),
                "text": event.text,
                "push": event.push,
            },
        )

    def _interaction(self, interaction: Interaction) -> None:
        if self._people.get(interaction.user.id):
            told = {"type": "interaction", **describe_interaction(self._core, interaction)}
            self._tell_one(interaction.user.id, told)

    def _typing(self, event: ev.TypingStarted) -> None:
        told: Json = {"type": "typing", "channel": str(event.channel.id), "user": str(event.user_id)}
        self._tell(event.channel, lambda: told)

    def _channel(self, what: str, channel: Channel) -> None:
        """A changed channel: shown to whoever sees it, and gone for whoever does not any more."""
        guild = self._world.guild_of(channel)
        people = channel.recipients if guild is None else [one for one in self._people if one in guild.members]
        for person_id in people:
            self._show_channel(what, channel, person_id)

    def _show_channel(self, what: str, channel: Channel, person_id: int) -> None:
        if not self._people.get(person_id):
            return
        if what == "channel_deleted" or not self._world.sees(person_id, channel):
            told: Json = {"type": "channel_deleted", "channel": {"id": str(channel.id)}}
        else:
            told = {
                "type": what,
                "channel": view.describe_channel(self._core, channel, self._world.users[person_id]),
            }
        self._tell_one(person_id, told)

    def _guild_deleted(self, event: ev.GuildDeleted) -> None:
        for person_id in event.guild.members:
            self._close_channels(event.guild, person_id)

    def _member_joined(self, event: ev.MemberJoined) -> None:
        self._member("member_joined", event.guild, event.member)
        for channel_id in event.guild.channels:
            self._show_channel("channel_created", self._world.channels[channel_id], event.member.user_id)

    def _member_left(self, event: ev.MemberLeft) -> None:
        self._member("member_left", event.guild, event.member)
        self._close_channels(event.guild, event.member.user_id)

    def _close_channels(self, guild: Guild, person_id: int) -> None:
        """Somebody sees nothing of a server any more."""
        for channel_id in (*guild.channels, *guild.threads):
            self._tell_one(person_id, {"type": "channel_deleted", "channel": {"id": str(channel_id)}})

    def _member(self, what: str, guild: Guild, member: Member) -> None:
        told: Json = {"type": what, "guild": str(guild.id), "member": payload.member(self._world, member)}
        text = _dump(told)
        for person_id, feeds in self._people.items():
            if feeds and (person_id in guild.members or person_id == member.user_id):
                for feed in feeds:
                    feed.send(text)

    def _session(self, event: ev.SessionChanged) -> None:
        app = None if event.app_id is None else str(event.app_id)
        self._tell_stage(
            {"type": "session", "app": app, "what": event.what, "detail": event.detail, "shard": event.shard}
        )

    def _commands(self, event: ev.CommandsChanged) -> None:
        self._tell_stage(
            {
                "type": "commands",
                "app": str(event.app.id),
                "guild": None if event.guild_id is None else str(event.guild_id),
            }
        )

    def _tell_one(self, person_id: int, told: Json) -> None:
        if feeds := self._people.get(person_id):
            text = _dump(told)
            for feed in feeds:
                feed.send(text)

    def _tell_stage(self, told: Json) -> None:
        text = _dump(told)
        for feed in self._stage:
            feed.send(text)


def describe_interaction(core: Core, one: Interaction) -> Json:
    """How far an interaction has come, for the person who made it."""
    return {
        "interaction": str(one.id),
        "kind": int(one.kind),
        "state": str(one.state),
        "answer": one.answer,
        "channel": str(one.channel_id),
        "source": None if one.source is None else str(one.source.id),
        "message": None if one.original is None else view.describe(core, one.original),
        "modal": one.modal,
        "choices": one.choices,
    }


async def _prepare(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(compress=False, timeout=1.0)
    await socket.prepare(request)
    return socket


def _dump(body: Json) -> str:
    return json.dumps(body, separators=(",", ":"))
