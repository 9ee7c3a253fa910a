"""Slash command options: from what a person typed to what the interaction carries."""

import base64
from typing import Any

from bot.playground.play.bounds import between, counting
from bot.playground.play.error import PlayError
from bot.playground.protocol.number import read_number
from bot.playground.protocol.wire import Json, as_id, as_object, objects
from bot.playground.world import payload, permission
from bot.playground.world.attachment import Upload
from bot.playground.world.core import Core
from bot.playground.world.model import App, Channel, Guild, User

SUB_COMMAND, SUB_GROUP = 1, 2
INTEGER, USER, CHANNEL, ROLE = 4, 6, 7, 8


class Resolver:
    """Collects what ids in an interaction mean."""

    def __init__(self, core: Core, home: Channel, app: App) -> None:
        self._core = core
        self._app = app
        self._home = home
        self.found: Json = {}

    def user(self, user_id: int) -> None:
        """Add a user, and their membership where they have one."""
        world = self._core.world
        self._put("users", user_id, payload.user(world.user(user_id)))
        guild = world.guild_of(self._home)
        if guild is not None and (member := guild.members.get(user_id)):
            allowed = permission.in_channel(guild, member, self._home)
            self._put("members", user_id, {**payload.bare_member(member), "permissions": str(allowed)})

    def role(self, role_id: int) -> None:
        guild = self._guild()
        if role_id not in guild.roles:
            raise PlayError(f"There is no role {role_id} in {guild.name}.")
        self._put("roles", role_id, payload.role(guild.roles[role_id]))

    def channel(self, channel_id: int, viewer: User) -> None:
        """Add a channel as Discord resolves it: with what its viewer may do there and (since 2026-07-16,
        github.com/discord/discord-api-docs/pull/8443) what the app may; without its overwrites."""
        world = self._core.world
        one = world.channel(channel_id)
        told = payload.channel(world, one)
        told.pop("permission_overwrites", None)
        told["permissions"] = str(world.permissions(viewer.id, one))
        told["app_permissions"] = str(world.permissions(self._app.id, one))
        self._put("channels", channel_id, told)

    def message(self, message: Json) -> None:
        self._put("messages", int(message["id"]), message)

    def attachment(self, upload: Upload) -> int:
        kept = self._core.shelf.keep(upload, self._home.id, None, ephemeral=True)
        self._put("attachments", kept.id, payload.attachment(kept))
        return kept.id

    def mentionable(self, some_id: int) -> None:
        if some_id in self._core.world.users:
            self.user(some_id)
        else:
            self.role(some_id)

    def _guild(self) -> Guild:
        guild = self._core.world.guild_of(self._home)
        if guild is None:
            raise PlayError("There are no roles in a direct message.")
        return guild

    def _put(self, kind: str, some_id: int, told: Json) -> None:
        self.found.setdefault(kind, {})[str(some_id)] = told


def fill(
    command: Json,
    path: list[str],
    given: Json,
    resolver: Resolver,
    person: User,
    focused: str | None = None,
) -> list[Json]:
    """The `options` of an interaction for a command, its sub-command path and the values by name.

    While an option is focused (autocomplete), values are not yet checked and required ones may be missing.
    """
    declared = objects(command.get("options"))
    if path:
        step = next((one for one in declared if one["name"] == path[0] and one["type"] in (1, 2)), None)
        if step is None:
            raise PlayError(f"/{command['name']} has no sub-command {path[0]}.")
        return [
            {
                "name": step["name"],
                "type": step["type"],
                "options": fill(step, path[1:], given, resolver, person, focused),
            }
        ]
    if any(one["type"] in (SUB_COMMAND, SUB_GROUP) for one in declared):
        raise PlayError(f"/{command['name']} needs a sub-command: {', '.join(one['name'] for one in declared)}.")
    names = {one["name"] for one in declared}
    for name in given:
        if name not in names:
            raise PlayError(f"/{command['name']} has no option {name}; it has {', '.join(sorted(names)) or 'none'}.")
    filled: list[Json] = []
    for one in declared:
        name = one["name"]
        if name not in given or given[name] is None:
            if one.get("required") and focused is None:
                raise PlayError(f'"{name}" is required.')
            continue
        if name == focused:
            filled.append({"name": name, "type": one["type"], "value": given[name], "focused": True})
            continue
        value = _value(one, given[name], resolver, person, loose=focused is not None)
        filled.append({"name": name, "type": one["type"], "value": value})
    return filled


def _value(option: Json, value: Any, resolver: Resolver, person: User, *, loose: bool) -> Any:
    kind, name = option["type"], option["name"]
    match kind:
        case 3:
            value = str(value)
            least, most = option.get("min_length"), option.get("max_length")
            if not _fits(len(value), least, most):
                raise PlayError(f'"{name}" {counting(least, most, "character")}.')
        case 4 | 10:
            if isinstance(value, bool) or not isinstance(value, int | float) or read_number(value) is None:
                raise PlayError(f'"{name}" must be a number.')
            if kind == INTEGER and value != int(value):
                raise PlayError(f'"{name}" must be a whole number.')
            value = int(value) if kind == INTEGER else float(value)
            least, most = option.get("min_value"), option.get("max_value")
            if not _fits(value, least, most):
                raise PlayError(f'"{name}" {between(least, most)}.')
        case 5:
            if not isinstance(value, bool):
                raise PlayError(f'"{name}" must be true or false.')
        case 11:
            return str(resolver.attachment(read_upload(value)))
        case _:
            some_id = as_id(value)
            if some_id is None:
                raise PlayError(f'"{name}" must be an id.')
            if kind == USER:
                resolver.user(some_id)
            elif kind == CHANNEL:
                resolver.channel(some_id, person)
            elif kind == ROLE:
                resolver.role(some_id)
            else:
                resolver.mentionable(some_id)
            return str(some_id)
    choices = objects(option.get("choices"))
    if choices and not loose:
        # A person picks a choice by its name; the bot is told its value.
        for choice in choices:
            if value in (choice["value"], choice["name"]):
                return choice["value"]
        raise PlayError(f'"{name}" must be one of: {", ".join(choice["name"] for choice in choices)}.')
    return value


def _fits(size: float, least: float | None, most: float | None) -> bool:
    return (least is None or size >= least) and (most is None or size <= most)


def read_upload(value: object) -> Upload:
    """A file that a person attaches: `{"filename": …, "base64": …}`."""
    given = as_object(value)
    if given is None or "filename" not in given:
        raise PlayError('A file is given as {"filename": …, "base64": …}.')
    return Upload(0, str(given["filename"]), base64.b64decode(str(given.get("base64", ""))))
