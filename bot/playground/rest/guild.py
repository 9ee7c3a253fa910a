"""Routes about servers and their members."""

from bot.playground.gateway.intent import GUILD_MEMBERS
from bot.playground.protocol import refusal
from bot.playground.protocol.number import whole
from bot.playground.protocol.wire import as_id
from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.world import event as ev
from bot.playground.world import payload, permission
from bot.playground.world.model import Guild, Member, Role


def get_guild(call: Call) -> Reply:
    guild = call.guild()
    told = payload.guild(guild)
    if call.query.get("with_counts") in ("1", "true", "True"):
        told |= {"approximate_member_count": len(guild.members), "approximate_presence_count": 0}
    return 200, told


def list_own_guilds(call: Call) -> Reply:
    world = call.core.world
    mine = [guild for guild in world.guilds.values() if call.app.id in guild.members]
    keys = ("id", "name", "icon", "banner", "features")
    after, limit = as_id(call.query.get("after")) or 0, whole(("limit",), call.query.get("limit", "200"), 1, 200)
    page = sorted((one for one in mine if one.id > after), key=lambda one: one.id)[:limit]
    return 200, [
        {
            **{key: payload.guild(one)[key] for key in keys},
            "owner": one.owner_id == call.app.id,
            "permissions": str(permission.in_guild(one, world.member(one, call.app.id))),
        }
        for one in page
    ]


def leave_guild(call: Call) -> Reply:
    call.core.world.remove_member(call.guild(), call.app.id)
    return 204, None


def list_channels(call: Call) -> Reply:
    """Those that the bot may view; the gateway alone tells of the others."""
    world, guild = call.core.world, call.guild()
    seen = [one for one in guild.channels if world.sees(call.app.id, world.channels[one])]
    return 200, [payload.channel(world, world.channels[one]) for one in seen]


def list_roles(call: Call) -> Reply:
    return 200, [payload.role(one) for one in call.guild().roles.values()]


def get_member(call: Call) -> Reply:
    world, guild = call.core.world, call.guild()
    user_id = call.app.id if call.params.get("user_id") == "@me" else call.id("user_id")
    world.user(user_id)
    return 200, payload.member(world, world.member(guild, user_id))


def list_members(call: Call) -> Reply:
    """Everybody, for bots with the members intent."""
    world, guild = call.core.world, call.guild()
    if not call.app.privileged & GUILD_MEMBERS:
        raise refusal.missing_access()
    after = as_id(call.query.get("after")) or 0
    limit = whole(("limit",), call.query.get("limit", "1"), 1, 1000)
    ids = [one for one in sorted(guild.members) if one > after][:limit]
    return 200, [payload.member(world, guild.members[one]) for one in ids]


def search_members(call: Call) -> Reply:
    world, guild = call.core.world, call.guild()
    start = call.query.get("query", "").lower()
    limit = whole(("limit",), call.query.get("limit", "1"), 1, 1000)
    found = [
        member
        for member in guild.members.values()
        if any(
            name.lower().startswith(start)
            for name in (member.nick, world.users[member.user_id].name, world.users[member.user_id].display)
            if name
        )
    ]
    return 200, [payload.member(world, one) for one in found[:limit]]


def give_role(call: Call) -> Reply:
    guild, member, role = _role_of(call)
    if role.id not in member.roles:
        member.roles.append(role.id)
        _note(call, guild, member, "give", role)
    return 204, None


def take_role(call: Call) -> Reply:
    guild, member, role = _role_of(call)
    if role.id in member.roles:
        member.roles.remove(role.id)
        _note(call, guild, member, "take", role)
    return 204, None


def _role_of(call: Call) -> tuple[Guild, Member, Role]:
    """A bot gives what stands below its own highest role, and nothing that an integration manages."""
    guild = call.guild()
    member = call.core.world.member(guild, call.id("user_id"))
    role = guild.roles.get(call.id("role_id"))
    if role is None:
        raise refusal.unknown_role()
    own = guild.members[call.app.id]
    highest = max((guild.roles[one].position for one in own.roles), default=0)
    may = permission.in_guild(guild, own) & permission.BITS["MANAGE_ROLES"]
    if not may or role.position >= highest or role.managed or role.id == guild.id:
        raise refusal.missing_permissions()
    return guild, member, role


def _note(call: Call, guild: Guild, member: Member, what: str, role: Role) -> None:
    ids = {"bot": str(call.app.id), "person": str(member.user_id), "role": str(role.id)}
    guild.audit.append({"what": what, **ids, "reason": call.reason})
    call.core.bus.publish(ev.MemberUpdated(guild, member))


ENDPOINTS = (
    Endpoint("GET", "/users/@me/guilds", list_own_guilds),
    Endpoint("DELETE", "/users/@me/guilds/{guild_id}", leave_guild),
    Endpoint("GET", "/guilds/{guild_id}", get_guild),
    Endpoint("GET", "/guilds/{guild_id}/channels", list_channels),
    Endpoint("GET", "/guilds/{guild_id}/roles", list_roles),
    Endpoint("GET", "/guilds/{guild_id}/members", list_members),
    Endpoint("GET", "/guilds/{guild_id}/members/search", search_members),
    Endpoint("GET", "/guilds/{guild_id}/members/{user_id}", get_member),
    Endpoint("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", give_role),
    Endpoint("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", take_role),
)
