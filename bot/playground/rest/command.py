"""Routes about application commands, global and per server, and about application emojis."""

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json, objects
from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.rules.form import Form
from bot.playground.world import payload

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"
_EMOJIS = "/applications/{application_id}/emojis"
_MOST_EMOJIS = 2000


def _scope(call: Call) -> int | None:
    """The server of the path, or None for everywhere."""
    return call.guild().id if "guild_id" in call.params else None


def list_commands(call: Call) -> Reply:
    return 200, call.core.registry.all(call.own_app(), _scope(call))


def overwrite_commands(call: Call) -> Reply:
    return 200, call.core.registry.overwrite(call.own_app(), _scope(call), objects(call.body))


def create_command(call: Call) -> Reply:
    made, is_new = call.core.registry.upsert(call.own_app(), _scope(call), call.json)
    return 201 if is_new else 200, made


def get_command(call: Call) -> Reply:
    return 200, call.core.registry.get(call.own_app(), _scope(call), call.id("command_id"))


def edit_command(call: Call) -> Reply:
    return 200, call.core.registry.edit(call.own_app(), _scope(call), call.id("command_id"), call.json)


def delete_command(call: Call) -> Reply:
    call.core.registry.delete(call.own_app(), _scope(call), call.id("command_id"))
    return 204, None


def list_emojis(call: Call) -> Reply:
    return 200, {"items": call.own_app().emojis}


def create_emoji(call: Call) -> Reply:
    app = call.own_app()
    form = Form()
    name = form.text(call.json, "name", (), 32, least=2, must=True)
    form.text(call.json, "image", (), 400_000, least=1, must=True)
    form.settle()
    if len(app.emojis) >= _MOST_EMOJIS:
        raise refusal.Refusal(400, 30008, f"Maximum number of emojis reached ({_MOST_EMOJIS})")
    emoji: Json = {
        "id": str(call.core.mint.new()),
        "name": name,
        "user": payload.user(app.user),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    app.emojis.append(emoji)
    return 201, emoji


def get_emoji(call: Call) -> Reply:
    return 200, _emoji(call)


def edit_emoji(call: Call) -> Reply:
    form = Form()
    name = form.text(call.json, "name", (), 32, least=2, must=True)
    form.settle()
    emoji = _emoji(call)
    emoji["name"] = name
    return 200, emoji


def delete_emoji(call: Call) -> Reply:
    call.own_app().emojis.remove(_emoji(call))
    return 204, None


def _emoji(call: Call) -> Json:
    wanted = str(call.id("emoji_id"))
    found = next((one for one in call.own_app().emojis if one["id"] == wanted), None)
    if found is None:
        raise refusal.Refusal(404, 10014, "Unknown Emoji")
    return found


def _commands(path: str) -> tuple[Endpoint, ...]:
    return (
        Endpoint("GET", path, list_commands),
        Endpoint("PUT", path, overwrite_commands),
        Endpoint("POST", path, create_command),
        Endpoint("GET", path + "/{command_id}", get_command),
        Endpoint("PATCH", path + "/{command_id}", edit_command),
        Endpoint("DELETE", path + "/{command_id}", delete_command),
    )


ENDPOINTS = (
    *_commands(_GLOBAL),
    *_commands(_GUILD),
    Endpoint("GET", _EMOJIS, list_emojis),
    Endpoint("POST", _EMOJIS, create_emoji),
    Endpoint("GET", _EMOJIS + "/{emoji_id}", get_emoji),
    Endpoint("PATCH", _EMOJIS + "/{emoji_id}", edit_emoji),
    Endpoint("DELETE", _EMOJIS + "/{emoji_id}", delete_emoji),
)
