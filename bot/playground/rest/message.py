"""Routes about messages in channels and DMs, with the bot's token."""

from bot.playground.protocol import refusal
from bot.playground.protocol.number import whole
from bot.playground.protocol.wire import as_id, as_object
from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.world import event as ev
from bot.playground.world import payload
from bot.playground.world.model import Channel, ChannelType
from bot.playground.world.permission import BITS
from bot.playground.world.posting import PLAIN

HOLDS_MESSAGES = (
    ChannelType.TEXT,
    ChannelType.ANNOUNCEMENT,
    ChannelType.VOICE,
    ChannelType.DM,
    ChannelType.ANNOUNCEMENT_THREAD,
    ChannelType.PUBLIC_THREAD,
    ChannelType.PRIVATE_THREAD,
)


def list_messages(call: Call) -> Reply:
    channel = call.channel("READ_MESSAGE_HISTORY")
    asked = call.query.get("limit", "50")
    limit = whole(("limit",), asked, 1, 100)
    before, after = as_id(call.query.get("before")), as_id(call.query.get("after"))
    around = as_id(call.query.get("around"))
    ids = sorted(channel.messages)
    if before is not None:
        ids = [one for one in ids if one < before]
    if after is not None:
        ids = [one for one in ids if one > after][:limit]
    if around is not None:
        middle = next((index for index, one in enumerate(ids) if one >= around), len(ids))
        ids = ids[max(0, middle - limit // 2) : middle + (limit + 1) // 2]
    newest_first = reversed(ids[-limit:])
    return 200, [payload.message(call.core.world, channel.messages[one]) for one in newest_first]


def get_message(call: Call) -> Reply:
    channel = call.channel("READ_MESSAGE_HISTORY")
    found = call.core.posting.find(channel, call.id("message_id"))
    return 200, payload.message(call.core.world, found)


def create_message(call: Call) -> Reply:
    channel = _writable(call)
    message = call.core.posting.create(call.app.id, channel, call.json, call.uploads, PLAIN)
    return 200, payload.message(call.core.world, message)


def edit_message(call: Call) -> Reply:
    channel = call.channel()
    found = call.core.posting.find(channel, call.id("message_id"))
    if found.author_id != call.app.id:
        if set(call.json) - {"flags"}:
            raise refusal.not_the_author()
        call.channel("MANAGE_MESSAGES")
    if channel.archived or call.core.world.is_locked_to(call.app.id, channel):
        raise refusal.thread_archived()
    if call.uploads:
        call.channel("ATTACH_FILES")
    call.core.posting.pace_old_edit(found)
    return 200, payload.message(call.core.world, call.core.posting.edit(found, call.json, call.uploads))


def delete_message(call: Call) -> Reply:
    channel = call.channel()
    found = call.core.posting.find(channel, call.id("message_id"))
    if found.author_id != call.app.id:
        if channel.is_dm:
            raise refusal.Refusal(403, 50003, "Cannot execute action on a DM channel")
        call.channel("MANAGE_MESSAGES")
    if channel.archived:
        raise refusal.thread_archived()
    call.core.posting.delete(found)
    return 204, None


def type_(call: Call) -> Reply:
    call.core.bus.publish(ev.TypingStarted(_writable(call), call.app.id))
    return 204, None


def _writable(call: Call) -> Channel:
    """The channel of a new message, once everything about the place lets the bot write it."""
    world = call.core.world
    channel = call.channel()
    if channel.is_dm:
        other = next(one for one in channel.recipients if one != call.app.id)
        if refused := world.dm_refusal(call.app, world.user(other)):
            raise refused
        return channel
    if channel.type not in HOLDS_MESSAGES:
        raise refusal.non_text_channel()
    call.channel("SEND_MESSAGES_IN_THREADS" if channel.is_thread else "SEND_MESSAGES")
    if call.uploads:
        call.channel("ATTACH_FILES")
    if call.json.get("embeds"):
        call.channel("EMBED_LINKS")
    replies = as_object(call.json.get("message_reference")) is not None
    if replies and not world.permissions(call.app.id, channel) & BITS["READ_MESSAGE_HISTORY"]:
        raise refusal.no_history()
    if world.is_locked_to(call.app.id, channel):
        raise refusal.thread_archived()
    channel.archived = False
    return channel


ENDPOINTS = (
    Endpoint("GET", "/channels/{channel_id}/messages", list_messages),
    Endpoint("POST", "/channels/{channel_id}/messages", create_message, "message.create"),
    Endpoint("GET", "/channels/{channel_id}/messages/{message_id}", get_message),
    Endpoint("PATCH", "/channels/{channel_id}/messages/{message_id}", edit_message, "message.edit"),
    Endpoint("DELETE", "/channels/{channel_id}/messages/{message_id}", delete_message, "message.delete"),
    Endpoint("POST", "/channels/{channel_id}/typing", type_),
)
