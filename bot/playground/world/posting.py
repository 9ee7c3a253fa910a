"""Messages come, change and go. Whether the writer may is asked before, in the routes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.playground.protocol import refusal
from bot.playground.protocol.number import whole
from bot.playground.protocol.wire import Json, as_id, as_object, objects
from bot.playground.rules import message as rules
from bot.playground.world import event as ev
from bot.playground.world import mention
from bot.playground.world.attachment import Shelf, Upload, names, settle_components
from bot.playground.world.clock import time_of
from bot.playground.world.model import Channel, Flag, Message, MessageType
from bot.playground.world.settings import Settings, Window
from bot.playground.world.world import World

SETTABLE = Flag.SUPPRESS_EMBEDS | Flag.SILENT | Flag.COMPONENTS_V2


@dataclass(frozen=True, slots=True)
class Origin:
    """What a message owes to an interaction; a plain message owes nothing."""

    app_id: int | None = None
    viewer_id: int | None = None
    metadata: Json | None = None
    command: str | None = None
    type: MessageType = MessageType.DEFAULT
    parse: tuple[str, ...] = mention.PARSE_ALL


PLAIN = Origin()


class Posting:
    def __init__(self, world: World, shelf: Shelf, settings: Settings) -> None:
        self._world = world
        self._shelf = shelf
        self._settings = settings
        self._nonces: dict[tuple[int, int, str], tuple[float, Message]] = {}

    def create(
        self,
        author_id: int,
        channel: Channel,
        body: Json,
        uploads: Sequence[Upload] = (),
        origin: Origin = PLAIN,
    ) -> Message:
        """Post a message, unless an enforced nonce says that it is there already."""
        nonce = body.get("nonce")
        key = (author_id, channel.id, str(nonce))
        if nonce is not None and body.get("enforce_nonce") and (known := self._known(key)):
            return known
        flags = whole(("flags",), body.get("flags") or 0) & SETTABLE
        v2 = bool(flags & Flag.COMPONENTS_V2)
        rules.check_create(body, v2=v2, files=names(body, uploads, ()), emojis=self._emojis(author_id))
        allowed = mention.read_allowed(body, origin.parse)
        ephemeral = origin.viewer_id is not None
        files = self._shelf.gather(body, uploads, (), channel.id, ephemeral=ephemeral)
        message = Message(
            self._world.mint.new(),
            channel.id,
            author_id,
            origin.type,
            content=str(body.get("content") or "").strip(),
            embeds=_embeds(body.get("embeds")),
            components=settle_components(objects(body.get("components")), files, self._world.mint.new),
            attachments=files,
            flags=int(flags) | (Flag.EPHEMERAL if ephemeral else 0),
            tts=bool(body.get("tts")),
            nonce=nonce,
            viewer_id=origin.viewer_id,
            app_id=origin.app_id,
            metadata=origin.metadata,
            command=origin.command,
        )
        self._refer(message, channel, body)
        self._mention(message, channel, allowed)
        self._add(message, channel)
        if nonce is not None:
            self._nonces[key] = (self._world.clock.time(), message)
        return message

    def create_loading(self, author_id: int, channel: Channel, origin: Origin) -> Message:
        """The "is thinking" message of a deferred answer."""
        message = Message(
            self._world.mint.new(),
            channel.id,
            author_id,
            origin.type,
            flags=int(Flag.LOADING | (Flag.EPHEMERAL if origin.viewer_id is not None else 0)),
            viewer_id=origin.viewer_id,
            app_id=origin.app_id,
            metadata=origin.metadata,
            command=origin.command,
        )
        self._add(message, channel)
        return message

    def edit(
        self,
        message: Message,
        body: Json,
        uploads: Sequence[Upload] = (),
        parse: tuple[str, ...] = mention.PARSE_ALL,
    ) -> Message:
        """Change what the body names. A plain message may become Components V2; the way back is refused."""
        channel = self._world.channel(message.channel_id)
        asked = whole(("flags",), body.get("flags") or 0)
        v2 = message.is_v2 or bool(asked & Flag.COMPONENTS_V2)
        files_named, emojis = names(body, uploads, message.attachments), self._emojis(message.author_id)
        rules.check_edit(message, body, v2=v2, files=files_named, emojis=emojis)
        allowed = mention.read_allowed(body, parse)
        self._count_old_edit(message)
        files = self._shelf.gather(body, uploads, message.attachments, channel.id, ephemeral=message.is_ephemeral)
        if "content" in body:
            message.content = str(body["content"] or "").strip()
        if "embeds" in body:
            message.embeds = _embeds(body["embeds"])
        if "components" in body:
            message.components = settle_components(objects(body["components"]), files, self._world.mint.new)
        message.attachments = files
        if body.get("flags") is not None:
            kept = message.flags & ~Flag.SUPPRESS_EMBEDS
            message.flags = int(kept | (asked & (Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2)))
        if message.flags & Flag.LOADING:
            message.flags &= ~Flag.LOADING  # what fills a deferred answer in is its first text, not an edit of it
        else:
            message.edited_at = self._world.clock.now()
        self._mention(message, channel, allowed)
        self._world.bus.publish(ev.MessageEdited(message))
        return message

    def delete(self, message: Message) -> None:
        channel = self._world.channel(message.channel_id)
        kept = channel.ephemerals if message.is_ephemeral else channel.messages
        if kept.pop(message.id, None) is None:
            raise refusal.unknown_message()
        for other in channel.messages.values():
            if other.referenced is message:
                other.referenced = None
        self._world.bus.publish(ev.MessageDeleted(message))

    def find(self, channel: Channel, message_id: int) -> Message:
        """A message that everybody in the channel can see; an ephemeral is never found here."""
        if found := channel.messages.get(message_id):
            return found
        raise refusal.unknown_message()

    def find_any(self, message_id: int, channel_id: int) -> Message:
        """A message or an ephemeral, for whoever holds a token or is its viewer."""
        channel = self._world.channel(channel_id)
        found = channel.messages.get(message_id) or channel.ephemerals.get(message_id)
        if found is None:
            raise refusal.unknown_message()
        return found

    def _emojis(self, author_id: int) -> Collection[int]:
        app = self._world.apps.get(author_id)
        return app.emojis if app is not None else ()

    def _add(self, message: Message, channel: Channel) -> None:
        kept = channel.ephemerals if message.is_ephemeral else channel.messages
        kept[message.id] = message
        if not message.is_ephemeral:
            channel.last_message_id = message.id
            channel.sent += 1
        bus = self._world.bus
        bus.publish(ev.MessageCreated(message))
        for user_id in mention.notified(self._world, channel, message):
            push = not message.flags & Flag.SILENT
            bus.publish(ev.Notified(user_id, message, mention.push_text(self._world, message), push))

    def _refer(self, message: Message, channel: Channel, body: Json) -> None:
        reference = as_object(body.get("message_reference"))
        if reference is None:
            return
        target = channel.messages.get(as_id(reference.get("message_id")) or 0)
        if target is None and reference.get("fail_if_not_exists", True):
            raise refusal.invalid(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        if target is None:
            return
        message.type = MessageType.REPLY
        message.referenced = target
        message.reference = {"type": 0, "channel_id": str(channel.id), "message_id": str(target.id)}
        if channel.guild_id is not None:
            message.reference["guild_id"] = str(channel.guild_id)

    def _mention(self, message: Message, channel: Channel, allowed: mention.Allowed) -> None:
        found = mention.resolve(self._world, channel, message, allowed)
        message.mentions = found.users
        message.mention_roles = found.roles
        message.mention_everyone = found.everyone

    def _known(self, key: tuple[int, int, str]) -> Message | None:
        if key not in self._nonces:
            return None
        at, message = self._nonces[key]
        return message if self._world.clock.time() - at < self._settings.nonce_seconds else None

    def pace_old_edit(self, message: Message) -> None:
        """By a bot's own route; whether edits by token are paced is nowhere told."""
        channel = self._world.channel(message.channel_id)
        channel.aged_edits = self._one_more(message, channel.aged_edits, self._settings.aged_edits)

    def _count_old_edit(self, message: Message) -> None:
        message.old_edits = self._one_more(message, message.old_edits, self._settings.old_edits)

    def _one_more(self, message: Message, before: list[float], window: Window | None) -> list[float]:
        """When old messages were edited, this time included; refused where it was too often."""
        now = self._world.clock.now()
        if window is None or (now - time_of(message.id)).total_seconds() < 3600:
            return before
        recent = [one for one in before if now.timestamp() - one < window.seconds]
        if len(recent) >= window.count:
            raise refusal.too_many_old_edits(recent[0] + window.seconds - now.timestamp())
        return [*recent, now.timestamp()]


def _embeds(value: object) -> list[Json]:
    """Embeds as Discord answers them: without empty keys, and every one of type `rich`."""
    return [{"type": "rich", **{key: kept for key, kept in one.items() if kept is not None}} for one in objects(value)]
