"""What one person sees: channels, messages with their own ephemerals, and the commands on offer."""

from collections.abc import Iterator

from bot.playground.play.error import PlayError
from bot.playground.protocol.wire import Json, as_id, items
from bot.playground.world import payload, permission
from bot.playground.world.core import Core
from bot.playground.world.model import App, Channel, Guild, Message, User


def find_user(core: Core, name: str) -> User:
    """A person by id, user name or display name."""
    world = core.world
    found = world.users.get(as_id(name) or 0)
    if found is not None:
        return found
    named = [one for one in world.users.values() if name in (one.name, one.display)]
    if len(named) == 1:
        return named[0]
    raise PlayError(f"There {'is nobody' if not named else 'are several people'} called {name}.", 404)


def channels(core: Core, person: User) -> Iterator[Channel]:
    """Channels of their servers, threads, and their DMs."""
    world = core.world
    for guild in world.guilds.values():
        if person.id in guild.members:
            for channel_id in (*guild.channels, *guild.threads):
                channel = world.channels[channel_id]
                if world.sees(person.id, channel):
                    yield channel
    yield from world.dms_of(person.id)


def channel(core: Core, person: User, channel_id: int) -> Channel:
    """A channel that this person sees."""
    found = core.world.channels.get(channel_id)
    if found is None or not core.world.sees(person.id, found):
        raise PlayError(f"{person.name} sees no channel {channel_id}.", 404)
    return found


def is_shown(person_id: int, message: Message) -> bool:
    """Whether a message in a channel that they see is for this person's eyes."""
    return message.viewer_id is None or (message.viewer_id == person_id and not message.dismissed)


def messages(core: Core, person: User, channel_: Channel, limit: int = 200) -> list[Json]:
    """The newest messages of a channel, oldest first, with this person's ephemerals in their places."""
    own = [one for one in channel_.ephemerals.values() if is_shown(person.id, one)]
    newest = list(channel_.messages.values())[-limit:]
    shown = sorted([*newest, *own], key=lambda one: one.id)[-limit:]
    return [describe(core, one) for one in shown]


def message(core: Core, person: User, channel_id: int, message_id: int) -> Message:
    """A message that this person sees."""
    home = channel(core, person, channel_id)
    found = home.messages.get(message_id) or home.ephemerals.get(message_id)
    if found is None or not is_shown(person.id, found):
        raise PlayError(f"{person.name} sees no message {message_id} there.", 404)
    return found


def describe(core: Core, one: Message) -> Json:
    """A message as a client gets it."""
    return payload.event_message(core.world, one)


def describe_channel(core: Core, one: Channel, person: User) -> Json:
    told = payload.channel(core.world, one, person.id)
    told["permissions"] = str(core.world.permissions(person.id, one))
    return told


def snapshot(core: Core, person: User, only: frozenset[int] = frozenset()) -> Json:
    """All that this person sees now, or what is in the channels named and in DMs."""
    seen = [one for one in channels(core, person) if not only or one.id in only or one.is_dm]
    return {
        "type": "snapshot",
        "me": payload.user(person),
        "channels": [describe_channel(core, one, person) for one in seen],
        "messages": {str(one.id): messages(core, person, one) for one in seen},
    }


def owners(core: Core, app: App, person: User, home: Channel) -> Json:
    """`authorizing_integration_owners`: the server's installation, the person's own, or both; or neither."""
    found: Json = {}
    if home.guild_id is None:
        if app.id in home.recipients:
            found["0"] = "0"
    elif app.id in core.world.guilds[home.guild_id].members:
        found["0"] = str(home.guild_id)
    if person.id in app.installs:
        found["1"] = str(person.id)
    return found


def commands(core: Core, person: User, home: Channel) -> Iterator[tuple[App, Json]]:
    """The commands that Discord would offer this person in this place."""
    guild = core.world.guild_of(home)
    allowed = core.world.permissions(person.id, home)
    if guild is not None and not allowed & permission.BITS["USE_APPLICATION_COMMANDS"]:
        return
    for app in core.world.apps.values():
        installed = {int(one) for one in owners(core, app, person, home)}
        for command in core.registry.visible(app, home.guild_id):
            if installed & set(command["integration_types"]) and _offered(command, app, guild, home, allowed):
                yield app, command


def _offered(command: Json, app: App, guild: Guild | None, home: Channel, allowed: int) -> bool:
    contexts = items(command["contexts"])
    if guild is None:
        here = 1 if app.id in home.recipients else 2
        return here in contexts if contexts else bool(command["dm_permission"])
    if contexts and 0 not in contexts:
        return False
    needed = command["default_member_permissions"]
    if needed is None or allowed & permission.BITS["ADMINISTRATOR"]:
        return True
    return int(needed) != 0 and not int(needed) & ~allowed
