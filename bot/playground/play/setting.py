"""Routes that set the stage: people, servers, channels, roles, permissions."""

from aiohttp import web

from bot.playground.play import view
from bot.playground.play.error import PlayError
from bot.playground.play.web import Route, answer, needed, read, whole
from bot.playground.protocol.number import read_whole
from bot.playground.protocol.wire import Json, as_id, as_object, items
from bot.playground.world import event as ev
from bot.playground.world import payload, permission
from bot.playground.world.core import Core
from bot.playground.world.model import Channel, ChannelType, Guild, Overwrite, Role, User


class SettingRoutes:
    def __init__(self, core: Core) -> None:
        self._core = core
        self._world = core.world

    def routes(self) -> list[Route]:
        server = "/play/servers/{server}"
        channel = "/play/channels/{channel}"
        return [
            ("GET", "/play/world", self.world),
            ("POST", "/play/people", self.add_person),
            ("PATCH", "/play/people/{person}", self.change_person),
            ("POST", "/play/bots", self.add_bot),
            ("PATCH", "/play/bots/{bot}", self.change_bot),
            ("POST", "/play/servers", self.add_server),
            ("POST", "/play/groups", self.add_group),
            ("PATCH", server, self.change_server),
            ("DELETE", server, self.delete_server),
            ("POST", f"{server}/channels", self.add_channel),
            ("POST", f"{server}/roles", self.add_role),
            ("PATCH", server + "/roles/{role}", self.change_role),
            ("DELETE", server + "/roles/{role}", self.delete_role),
            ("PUT", server + "/members/{person}", self.put_member),
            ("DELETE", server + "/members/{person}", self.remove_member),
            ("PATCH", channel, self.change_channel),
            ("POST", f"{channel}/threads", self.add_thread),
            ("DELETE", channel, self.delete_channel),
            ("PUT", channel + "/overwrites/{target}", self.put_overwrite),
            ("DELETE", channel + "/messages/{message}", self.delete_message),
        ]

    async def world(self, request: web.Request) -> web.StreamResponse:
        """Everybody and everything, without messages."""
        world = self._world
        return answer(
            {
                "people": [self._person(one) for one in world.users.values() if not one.is_bot],
                "bots": [{"id": str(app.id), "name": app.name} for app in world.apps.values()],
                "address": self._core.shelf.base,
                "servers": [self._server(one) for one in world.guilds.values()],
            }
        )

    async def add_person(self, request: web.Request) -> web.StreamResponse:
        """Somebody new, who joins the servers named; the same name again is the same person."""
        body = await read(request)
        name = str(needed(body, "name"))
        known = [one for one in self._world.users.values() if one.name == name and not one.is_bot]
        person = known[0] if known else self._world.add_user(name, body.get("display"))
        for server in items(body.get("servers")):
            self._world.add_member(self._guild(server), person, body.get("nick"))
        return answer(self._person(person))

    async def change_person(self, request: web.Request) -> web.StreamResponse:
        """Name, locale, and whether they installed a bot for themselves."""
        person, body = view.find_user(self._core, request.match_info["person"]), await read(request)
        person.display = body.get("display", person.display)
        person.locale = str(body.get("locale", person.locale))
        if "dms_open" in body:
            person.dms_open = bool(body["dms_open"])
        for name, installed in (as_object(body.get("installs")) or {}).items():
            installs = self._world.apps[view.find_user(self._core, name).id].installs
            (installs.add if installed else installs.discard)(person.id)
        return answer(self._person(person))

    async def add_bot(self, request: web.Request) -> web.StreamResponse:
        body = await read(request)
        token = str(needed(body, "token"))
        if token in self._world.tokens:
            raise PlayError("There is a bot with this token.")
        app = self._world.add_app(str(needed(body, "name")), token, privileged=_intents(body.get("privileged", 0)))
        for server in items(body.get("servers")):
            self._world.invite(self._guild(server), app)
        return answer({"id": str(app.id), "name": app.name})

    async def change_bot(self, request: web.Request) -> web.StreamResponse:
        body = await read(request)
        app = self._world.apps.get(view.find_user(self._core, request.match_info["bot"]).id)
        if app is None:
            raise PlayError("That is no bot.", 404)
        app.privileged = _intents(body.get("privileged", app.privileged))
        return answer({"id": str(app.id), "name": app.name, "privileged": app.privileged})

    async def add_server(self, request: web.Request) -> web.StreamResponse:
        """A server with its channels and every bot there is, unless `bots` names fewer. `greets`: new members are told
        of in its first channel."""
        body = await read(request)
        owner = self._world.add_user(f"owner of {needed(body, 'name')}")
        guild = self._world.add_guild(str(body["name"]), owner)
        for name in items(body.get("channels")) or ["general"]:
            self._world.add_channel(guild, str(name))
        guild.system_channel = guild.channels[0] if body.get("greets") else None
        for app in self._world.apps.values():
            if "bots" not in body or app.name in items(body["bots"]):
                self._world.invite(guild, app)
        return answer(self._server(guild))

    async def add_group(self, request: web.Request) -> web.StreamResponse:
        """A group chat of these people, the first of whom owns it."""
        body = await read(request)
        people = [view.find_user(self._core, str(one)) for one in items(needed(body, "people"))]
        if len(people) < 2:
            raise PlayError("A group has two people at the least.")
        return answer(payload.channel(self._world, self._world.add_group(str(needed(body, "name")), people)))

    async def change_server(self, request: web.Request) -> web.StreamResponse:
        guild, body = self._guild(request.match_info["server"]), await read(request)
        guild.name = str(body.get("name", guild.name))
        guild.locale = str(body.get("locale", guild.locale))
        guild.dms_allowed = bool(body.get("dms_allowed", guild.dms_allowed))
        if "owner" in body:
            owner = view.find_user(self._core, str(body["owner"])).id
            if owner not in guild.members:
                raise PlayError("The new owner of a server must be in it.")
            guild.owner_id = owner
        self._core.bus.publish(ev.GuildUpdated(guild))
        return answer(self._server(guild))

    async def delete_server(self, request: web.Request) -> web.StreamResponse:
        self._world.delete_guild(self._guild(request.match_info["server"]))
        return answer({})

    async def add_channel(self, request: web.Request) -> web.StreamResponse:
        guild, body = self._guild(request.match_info["server"]), await read(request)
        number = read_whole(body.get("type", ChannelType.TEXT))
        if number not in tuple(ChannelType):
            raise PlayError(f"There is no channel of type {number}.")
        kind = ChannelType(number)
        channel = self._world.add_channel(guild, str(needed(body, "name")), kind, as_id(body.get("category")))
        return answer(payload.channel(self._world, channel))

    async def add_role(self, request: web.Request) -> web.StreamResponse:
        guild, body = self._guild(request.match_info["server"]), await read(request)
        role = self._world.add_role(guild, str(needed(body, "name")), _bits(body.get("permissions")))
        role.mentionable = bool(body.get("mentionable", False))
        return answer(payload.role(role))

    async def change_role(self, request: web.Request) -> web.StreamResponse:
        """A role's permissions, and how high it stands; `@everyone` has the server's id."""
        guild, body = self._guild(request.match_info["server"]), await read(request)
        role = _role(guild, request)
        role.position = whole(body.get("position", role.position), "position", 0, 250)
        with self._world.changing_access(guild):
            if "permissions" in body:
                role.permissions = _bits(body["permissions"])
            self._core.bus.publish(ev.GuildUpdated(guild))
        return answer(payload.role(role))

    async def delete_role(self, request: web.Request) -> web.StreamResponse:
        """Everybody loses it."""
        guild = self._guild(request.match_info["server"])
        self._world.delete_role(guild, _role(guild, request))
        return answer({})

    async def put_member(self, request: web.Request) -> web.StreamResponse:
        """Let somebody join, or change their nickname and roles. A bot may be invited this way too."""
        guild, body = self._guild(request.match_info["server"]), await read(request)
        user = view.find_user(self._core, request.match_info["person"])
        if app := self._world.apps.get(user.id):
            member = self._world.invite(guild, app)
        else:
            member = self._world.add_member(guild, user)
        member.nick = body.get("nick", member.nick)
        if "dms_open" in body:
            member.dms_open = bool(body["dms_open"])
        with self._world.changing_access(guild):
            if "roles" in body:
                member.roles = [found for one in items(body["roles"]) if (found := as_id(one)) is not None]
            self._core.bus.publish(ev.MemberUpdated(guild, member))
        return answer(payload.member(self._world, member))

    async def remove_member(self, request: web.Request) -> web.StreamResponse:
        user = view.find_user(self._core, request.match_info["person"])
        self._world.remove_member(self._guild(request.match_info["server"]), user.id)
        return answer({})

    async def change_channel(self, request: web.Request) -> web.StreamResponse:
        """Name, topic, and whether a thread is archived or locked."""
        channel, body = self._channel(request), await read(request)
        channel.name = str(body.get("name", channel.name))
        channel.topic = body.get("topic", channel.topic)
        channel.archived = bool(body.get("archived", channel.archived))
        channel.locked = bool(body.get("locked", channel.locked))
        self._core.bus.publish(ev.ChannelUpdated(channel))
        return answer(payload.channel(self._world, channel))

    async def add_thread(self, request: web.Request) -> web.StreamResponse:
        """A thread that the owner of the server opens."""
        channel, body = self._channel(request), await read(request)
        guild = self._world.guild_of(channel)
        if guild is None or channel.is_thread:
            raise PlayError("Threads grow in a server's channels.")
        thread = self._world.add_thread(channel, str(needed(body, "name")), guild.owner_id)
        return answer(payload.channel(self._world, thread))

    async def delete_channel(self, request: web.Request) -> web.StreamResponse:
        self._world.delete_channel(self._channel(request))
        return answer({})

    async def put_overwrite(self, request: web.Request) -> web.StreamResponse:
        """Allow or deny permissions by name to a role, a person or a bot in one channel."""
        channel, body = self._channel(request), await read(request)
        target = request.match_info["target"]
        guild = self._world.guild_of(channel)
        role_id = as_id(target)
        is_role = guild is not None and role_id in guild.roles
        target_id = role_id if is_role and role_id else view.find_user(self._core, target).id
        allow, deny = _bits(body.get("allow")), _bits(body.get("deny"))
        overwrite = Overwrite(target_id, not is_role, allow, deny)
        self._world.set_overwrite(channel, overwrite)
        return answer(payload.overwrite(overwrite))

    async def delete_message(self, request: web.Request) -> web.StreamResponse:
        """As a moderator would."""
        found = self._core.posting.find(self._channel(request), as_id(request.match_info["message"]) or 0)
        self._core.posting.delete(found)
        return answer({})

    # -- parts

    def _guild(self, name: object) -> Guild:
        found = self._world.guilds.get(as_id(name) or 0)
        named = [one for one in self._world.guilds.values() if one.name == name]
        if found is None and len(named) == 1:
            found = named[0]
        if found is None:
            raise PlayError(f"There is no one server {name}.", 404)
        return found

    def _channel(self, request: web.Request) -> Channel:
        return self._world.channel(as_id(request.match_info["channel"]) or 0)

    def _person(self, one: User) -> Json:
        joined = [str(guild.id) for guild in self._world.guilds.values() if one.id in guild.members]
        return {**payload.user(one), "dms_open": one.dms_open, "locale": one.locale, "servers": joined}

    def _server(self, guild: Guild) -> Json:
        world = self._world
        return {
            "id": str(guild.id),
            "name": guild.name,
            "dms_allowed": guild.dms_allowed,
            "channels": [payload.channel(world, world.channels[one]) for one in guild.channels],
            "threads": [payload.channel(world, world.channels[one]) for one in guild.threads],
            "roles": [payload.role(one) for one in guild.roles.values()],
            "members": [payload.member(world, one) for one in guild.members.values()],
            "audit": guild.audit,
        }


def _role(guild: Guild, request: web.Request) -> Role:
    role = guild.roles.get(as_id(request.match_info["role"]) or 0)
    if role is None:
        raise PlayError("There is no such role.", 404)
    return role


def _intents(value: object) -> int:
    return whole(value, "privileged", 0, 2**31)


def _bits(value: object) -> int:
    """Permissions by name, or as Discord's number."""
    number = as_id(value)
    if number is not None:
        return number
    try:
        return permission.bits(*(str(one) for one in items(value)))
    except KeyError as unknown:
        raise PlayError(f"There is no permission {unknown.args[0]}.") from None
