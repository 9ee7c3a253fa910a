"""Routes about application commands, global and per server."""

from bot.playground.protocol.wire import objects
from bot.playground.rest.call import Call, Endpoint, Reply

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


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
)
