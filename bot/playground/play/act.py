"""What people do: type, press, choose, submit. Each makes an interaction, or says why a client would not."""

from bot.playground.play import option, view
from bot.playground.play.bounds import counting
from bot.playground.play.error import PlayError
from bot.playground.play.modal import fields
from bot.playground.protocol import component as kinds
from bot.playground.protocol.wire import Json, as_id, objects
from bot.playground.world import payload, permission
from bot.playground.world.core import Core
from bot.playground.world.model import App, Channel, Interaction, Kind, Message, User


def slash(core: Core, person: User, home: Channel, text: str, given: Json, focused: str | None = None) -> Interaction:
    """Type a slash command, or with `focused` ask for the completions of one option."""
    name, *path = text.removeprefix("/").split()
    app, command = _command(core, person, home, 1, name)
    if core.world.is_locked_to(person.id, home):
        raise PlayError("The thread is locked.")
    resolver = option.Resolver(core, home, app)
    data = _command_data(command)
    data["options"] = option.fill(command, path, given, resolver, person, focused)
    if resolver.found:
        data["resolved"] = resolver.found
    kind = Kind.COMMAND if focused is None else Kind.AUTOCOMPLETE
    return _open(core, app, kind, person, home, data, command=" ".join([name, *path]))


def menu(core: Core, person: User, home: Channel, name: str, target_id: int, *, on_message: bool) -> Interaction:
    """Use a context menu on a user or a message."""
    app, command = _command(core, person, home, 3 if on_message else 2, name)
    resolver = option.Resolver(core, home, app)
    data = _command_data(command)
    data["target_id"] = str(target_id)
    extra: Json = {}
    if on_message:
        target = view.message(core, person, home.id, target_id)
        resolver.message(payload.message(core.world, target))
        extra["target_message_id"] = str(target.id)
    else:
        resolver.user(target_id)
        extra["target_user"] = payload.user(core.world.user(target_id))
    data["resolved"] = resolver.found
    return _open(core, app, Kind.COMMAND, person, home, data, command=name, extra=extra)


def press(core: Core, person: User, home: Channel, message_id: int, custom_id: str) -> Interaction:
    """Press a button."""
    message, found = _component(core, person, home, message_id, custom_id)
    if found["type"] != kinds.BUTTON:
        raise PlayError(f"{custom_id} is not a button.")
    if home.locked:  # github.com/discord/discord-api-docs/issues/7900
        raise PlayError("Buttons of a locked thread cannot be pressed.")
    data: Json = {"custom_id": custom_id, "component_type": kinds.BUTTON, "id": found["id"]}
    return _open(core, _author(core, message), Kind.COMPONENT, person, home, data, source=message)


def choose(core: Core, person: User, home: Channel, message_id: int, custom_id: str, values: list[str]) -> Interaction:
    """Choose in a select: values of a string select, ids in the others."""
    message, found = _component(core, person, home, message_id, custom_id)
    app = _author(core, message)
    data = _chosen(core, app, person, home, found, values)
    data["component_type"] = data.pop("type")
    return _open(core, app, Kind.COMPONENT, person, home, data, source=message)


def _chosen(core: Core, app: App, person: User, home: Channel, select: Json, values: list[str]) -> Json:
    """What a select sends for these values; also inside modals."""
    kind = select["type"]
    if kind not in kinds.SELECTS:
        raise PlayError(f"{select.get('custom_id')} is not a select.")
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not least <= len(values) <= most:
        raise PlayError(f"{select['custom_id']} {counting(least, most, 'value')}.")
    data: Json = {"type": kind, "custom_id": select["custom_id"], "id": select.get("id", 0), "values": values}
    if kind == kinds.STRING_SELECT:
        offered = [one["value"] for one in objects(select.get("options"))]
        for value in values:
            if value not in offered:
                raise PlayError(f"{select['custom_id']} offers {', '.join(offered)}.")
        return data
    resolver = option.Resolver(core, home, app)
    for value in values:
        some_id = as_id(value)
        if some_id is None:
            raise PlayError(f"{select['custom_id']} takes ids.")
        if kind == kinds.USER_SELECT:
            resolver.user(some_id)
        elif kind == kinds.ROLE_SELECT:
            resolver.role(some_id)
        elif kind == kinds.CHANNEL_SELECT:
            kind_of = core.world.channel(some_id).type
            if kind_of not in (select.get("channel_types") or [kind_of]):
                raise PlayError(f"{select['custom_id']} offers no channel of type {int(kind_of)}.")
            resolver.channel(some_id, person)
        else:
            resolver.mentionable(some_id)
    data["resolved"] = resolver.found
    return data


def submit(core: Core, person: User, interaction_id: int, values: Json) -> Interaction:
    """Fill in and send the modal that an interaction opened."""
    opener = core.interactions.get(interaction_id)
    if opener is None or opener.user is not person or opener.modal is None or not opener.modal_open:
        raise PlayError("There is no such modal open.", 404)
    home = view.channel(core, person, opener.channel_id)

    def pick(select: Json, picked: list[str]) -> Json:
        return _chosen(core, opener.app, person, home, select, picked)

    data = fields(opener.modal, values, pick)
    opener.modal_open = False
    return _open(core, opener.app, Kind.MODAL_SUBMIT, person, home, data, source=opener.source, parent=opener)


def say(core: Core, person: User, home: Channel, content: str) -> Message:
    """Write an ordinary message."""
    need = "SEND_MESSAGES_IN_THREADS" if home.is_thread else "SEND_MESSAGES"
    may = core.world.permissions(person.id, home) & permission.BITS[need]
    if not may or core.world.is_locked_to(person.id, home):
        raise PlayError(f"{person.name} may not write here.")
    return core.posting.create(person.id, home, {"content": content})


def _open(
    core: Core,
    app: App,
    kind: Kind,
    person: User,
    home: Channel,
    data: Json,
    *,
    source: Message | None = None,
    command: str | None = None,
    parent: Interaction | None = None,
    extra: Json | None = None,
) -> Interaction:
    if home.archived:
        raise PlayError("The thread is archived.")
    owners = view.owners(core, app, person, home)
    return core.interactions.open(
        app,
        kind,
        person,
        home.id,
        home.guild_id,
        data,
        owners or _borrowed(source),
        source=source,
        command=command,
        parent=parent,
        extra=extra,
    )


def _borrowed(source: Message | None) -> Json:
    """Whose installation made the message, for somebody else who presses its buttons."""
    metadata = source.metadata if source is not None else None
    return (metadata or {}).get("authorizing_integration_owners") or {"1": "0"}


def _command(core: Core, person: User, home: Channel, kind: int, name: str) -> tuple[App, Json]:
    offered = [pair for pair in view.commands(core, person, home) if pair[1]["type"] == kind]
    for app, command in offered:
        if command["name"] == name:
            return app, command
    names = ", ".join(command["name"] for _, command in offered) or "none"
    raise PlayError(f"{person.name} is offered no command {name} here, but {names}.", 404)


def _command_data(command: Json) -> Json:
    data: Json = {key: command[key] for key in ("id", "name", "type")}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return data


def _component(core: Core, person: User, home: Channel, message_id: int, custom_id: str) -> tuple[Message, Json]:
    message = view.message(core, person, home.id, message_id)
    found = kinds.find(message.components, custom_id)
    if found is None:
        raise PlayError("That button is gone: the message changed while you pressed.")
    if found.get("disabled"):
        raise PlayError(f"{custom_id} is disabled.")
    return message, found


def _author(core: Core, message: Message) -> App:
    app = core.world.apps.get(message.author_id)
    if app is None:
        raise PlayError("Its author is no app.")
    return app
