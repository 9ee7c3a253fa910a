"""Routes about channels and threads."""

from bot.playground.protocol import refusal
from bot.playground.protocol.number import whole
from bot.playground.protocol.wire import Json
from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.rules.form import Form
from bot.playground.world import event as ev
from bot.playground.world import payload
from bot.playground.world.model import Channel, ChannelType, MessageType
from bot.playground.world.model import Message as Starter
from bot.playground.world.permission import BITS

_PARENTS = (ChannelType.TEXT, ChannelType.ANNOUNCEMENT)


def get_channel(call: Call) -> Reply:
    return 200, payload.channel(call.core.world, call.channel(), call.app.id)


def edit_channel(call: Call) -> Reply:
    """Name, topic, and a thread's archiving. An archived thread takes nothing but its reopening."""
    channel = call.channel()
    change = call.json
    own = channel.is_thread and channel.owner_id == call.app.id
    if not own or "locked" in change:
        call.channel("MANAGE_THREADS" if channel.is_thread else "MANAGE_CHANNELS")
    if channel.archived and change.get("archived") is not False:
        raise refusal.thread_archived()
    form = Form()
    name = form.text(change, "name", (), 100, least=1)
    form.settle()
    channel.name = name or channel.name
    channel.topic = change.get("topic", channel.topic)
    channel.locked = bool(change.get("locked", channel.locked))
    channel.auto_archive = _archive(change, channel)
    if "archived" in change:
        channel.archived = bool(change["archived"])
        channel.archived_at = call.core.clock.now()
    call.core.bus.publish(ev.ChannelUpdated(channel))
    return 200, payload.channel(call.core.world, channel, call.app.id)


def _archive(change: Json, channel: Channel) -> int:
    """Minutes after which a thread that nobody writes in is archived."""
    return whole(("auto_archive_duration",), change.get("auto_archive_duration") or channel.auto_archive)


def delete_channel(call: Call) -> Reply:
    channel = call.channel()
    if not channel.is_dm:
        call.channel("MANAGE_THREADS" if channel.is_thread else "MANAGE_CHANNELS")
        told = payload.channel(call.core.world, channel, call.app.id)
        call.core.world.delete_channel(channel)
        return 200, told
    return 200, payload.channel(call.core.world, channel, call.app.id)


def thread_from_message(call: Call) -> Reply:
    parent = call.channel("CREATE_PUBLIC_THREADS")
    starter = call.core.posting.find(parent, call.id("message_id"))
    if starter.id in call.core.world.channels:
        raise refusal.thread_exists()
    return _start(call, parent, private=False, thread_id=starter.id)


def thread_alone(call: Call) -> Reply:
    """A thread without a message to grow from: private, unless asked for as public."""
    private = call.json.get("type", ChannelType.PRIVATE_THREAD) != ChannelType.PUBLIC_THREAD
    parent = call.channel("CREATE_PRIVATE_THREADS" if private else "CREATE_PUBLIC_THREADS")
    status, thread = _start(call, parent, private=private, thread_id=None)
    if not private:
        _announce(call, parent, int(thread["id"]))
    return status, thread


def _start(call: Call, parent: Channel, *, private: bool, thread_id: int | None) -> Reply:
    if parent.type not in _PARENTS:
        raise refusal.wrong_channel_type()
    form = Form()
    name = form.text(call.json, "name", (), 100, least=1, must=True)
    form.settle()
    thread = call.core.world.add_thread(parent, name, call.app.id, private=private, thread_id=thread_id)
    thread.auto_archive = _archive(call.json, thread)
    told = payload.channel(call.core.world, thread, call.app.id)
    return 201, {**told, "member": payload.thread_member(thread, call.app.id)}


def _announce(call: Call, parent: Channel, thread_id: int) -> None:
    """The line in the channel that says that there is a thread."""
    thread = call.core.world.channel(thread_id)
    line = Starter(call.core.mint.new(), parent.id, call.app.id, MessageType.THREAD_CREATED, thread.name)
    line.reference = {"type": 0, "channel_id": str(thread.id), "guild_id": str(parent.guild_id)}
    parent.messages[line.id] = line
    call.core.bus.publish(ev.MessageCreated(line))


def list_thread_members(call: Call) -> Reply:
    thread = _thread(call)
    return 200, [payload.thread_member(thread, one) for one in thread.thread_members]


def join_thread(call: Call) -> Reply:
    thread = _thread(call)
    thread.thread_members.setdefault(call.app.id, call.core.clock.now())
    return 204, None


def add_thread_member(call: Call) -> Reply:
    thread = _thread(call)
    user = call.core.world.user(call.id("user_id"))
    guild = call.core.world.guild_of(thread)
    if guild is None or user.id not in guild.members:
        raise refusal.unknown_member()
    if thread.archived:
        raise refusal.thread_archived()
    thread.thread_members.setdefault(user.id, call.core.clock.now())
    call.core.bus.publish(ev.ChannelUpdated(thread))
    return 204, None


def leave_thread(call: Call) -> Reply:
    thread = _thread(call)
    thread.thread_members.pop(call.app.id, None)
    return 204, None


def remove_thread_member(call: Call) -> Reply:
    thread = _thread(call)
    if thread.owner_id != call.app.id:
        call.channel("MANAGE_THREADS")
    thread.thread_members.pop(call.id("user_id"), None)
    return 204, None


def active_threads(call: Call) -> Reply:
    world, guild = call.core.world, call.guild()
    threads = [world.channels[one] for one in guild.threads]
    seen = [one for one in threads if not one.archived and world.permissions(call.app.id, one) & BITS["VIEW_CHANNEL"]]
    mine = [payload.thread_member(one, call.app.id) for one in seen if call.app.id in one.thread_members]
    told = [payload.channel(world, one) for one in seen]
    return 200, {"threads": told, "members": mine, "has_more": False}


def _thread(call: Call) -> Channel:
    channel = call.channel()
    if not channel.is_thread:
        raise refusal.wrong_channel_type()
    return channel


_MEMBERS = "/channels/{channel_id}/thread-members"

ENDPOINTS = (
    Endpoint("GET", "/channels/{channel_id}", get_channel),
    Endpoint("PATCH", "/channels/{channel_id}", edit_channel),
    Endpoint("DELETE", "/channels/{channel_id}", delete_channel),
    Endpoint("POST", "/channels/{channel_id}/messages/{message_id}/threads", thread_from_message),
    Endpoint("POST", "/channels/{channel_id}/threads", thread_alone),
    Endpoint("GET", _MEMBERS, list_thread_members),
    Endpoint("PUT", f"{_MEMBERS}/@me", join_thread),
    Endpoint("DELETE", f"{_MEMBERS}/@me", leave_thread),
    Endpoint("PUT", _MEMBERS + "/{user_id}", add_thread_member),
    Endpoint("DELETE", _MEMBERS + "/{user_id}", remove_thread_member),
    Endpoint("GET", "/guilds/{guild_id}/threads/active", active_threads),
)
