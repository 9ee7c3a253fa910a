"""Application commands: what each app registered, globally and per server."""

import json
from collections.abc import Sequence

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json, objects
from bot.playground.rules import command as rules
from bot.playground.world import event as ev
from bot.playground.world.clock import fixed
from bot.playground.world.model import App
from bot.playground.world.world import World

Scope = tuple[int, int | None]
"""An app, and a server or None for everywhere."""


class Registry:
    def __init__(self, world: World) -> None:
        self._world = world
        self._scopes: dict[Scope, dict[int, Json]] = {}

    def all(self, app: App, guild_id: int | None = None) -> list[Json]:
        return list(self._scopes.get((app.id, guild_id), {}).values())

    def visible(self, app: App, guild_id: int | None) -> list[Json]:
        """What people can choose in a place: the global ones, hidden by a server's own of the same name."""
        own = self.all(app, guild_id) if guild_id is not None else []
        names = {(one["type"], one["name"]) for one in own}
        return [*own, *(one for one in self.all(app) if (one["type"], one["name"]) not in names)]

    def get(self, app: App, guild_id: int | None, command_id: int) -> Json:
        found = self._scopes.get((app.id, guild_id), {}).get(command_id)
        if found is None:
            raise refusal.unknown_command()
        return found

    def overwrite(self, app: App, guild_id: int | None, commands: Sequence[Json]) -> list[Json]:
        """Replace a whole scope; commands that stay keep their id, and their version if nothing changed."""
        rules.check_all(commands, app.supported_types)
        old = self._scopes.get((app.id, guild_id), {})
        made = [self._settle(app, guild_id, one, old) for one in commands]
        self._scopes[app.id, guild_id] = {int(one["id"]): one for one in made}
        self._world.bus.publish(ev.CommandsChanged(app, guild_id))
        return made

    def upsert(self, app: App, guild_id: int | None, command: Json) -> tuple[Json, bool]:
        """Add a command, or overwrite the one of this name; the flag says which."""
        scope = self._scopes.setdefault((app.id, guild_id), {})
        key = (rules.kind_of(command), command.get("name"))
        others = [one for one in scope.values() if (one["type"], one["name"]) != key]
        rules.check_one(command, others, app.supported_types)
        made = self._settle(app, guild_id, command, scope)
        is_new = int(made["id"]) not in scope
        scope[int(made["id"])] = made
        self._world.bus.publish(ev.CommandsChanged(app, guild_id))
        return made, is_new

    def edit(self, app: App, guild_id: int | None, command_id: int, change: Json) -> Json:
        old = self.get(app, guild_id, command_id)
        scope = self._scopes[app.id, guild_id]
        merged = {**old, **change, "type": old["type"]}
        rules.check_one(merged, [one for one in scope.values() if one is not old], app.supported_types)
        made = self._settle(app, guild_id, merged, {})
        made["id"] = old["id"]
        scope[command_id] = made
        self._world.bus.publish(ev.CommandsChanged(app, guild_id))
        return made

    def delete(self, app: App, guild_id: int | None, command_id: int) -> None:
        self.get(app, guild_id, command_id)
        del self._scopes[app.id, guild_id][command_id]
        self._world.bus.publish(ev.CommandsChanged(app, guild_id))

    def _settle(self, app: App, guild_id: int | None, command: Json, old: dict[int, Json]) -> Json:
        """A command as Discord answers it, with an id that depends on its name alone."""
        kind = rules.kind_of(command)
        made: Json = {
            "id": str(fixed(app.name, guild_id, kind, command["name"])),
            "application_id": str(app.id),
            "type": kind,
            "name": command["name"],
            "name_localizations": command.get("name_localizations"),
            "description": command.get("description") or "",
            "description_localizations": command.get("description_localizations"),
            "default_member_permissions": _as_text(command.get("default_member_permissions")),
            "dm_permission": command.get("dm_permission", True) is not False,
            "contexts": command.get("contexts"),
            "integration_types": command.get("integration_types") or app.supported_types,
            "nsfw": bool(command.get("nsfw")),
        }
        if guild_id is not None:
            made["guild_id"] = str(guild_id)
        if options := objects(command.get("options")):
            made["options"] = [_option(one) for one in options]
        before = old.get(int(made["id"]))
        same = before is not None and {**before, "version": ""} == {**made, "version": ""}
        made["version"] = before["version"] if same and before else str(self._world.mint.new())
        return made


def _option(option: Json) -> Json:
    """An option without the keys that were left empty."""
    made = {key: value for key, value in option.items() if value is not None}
    if option.get("type") in rules.GROUPED or "options" in made:
        made["options"] = [_option(one) for one in objects(option.get("options"))]
    return json.loads(json.dumps(made))


def _as_text(value: object) -> str | None:
    return None if value is None else str(value)
