"""Routes about the bot itself, users, and the way to the gateway."""

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import as_id, as_object, items
from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.rules import command as rules
from bot.playground.world import payload


def get_me(call: Call) -> Reply:
    return 200, payload.own_user(call.app.user)


def get_user(call: Call) -> Reply:
    return 200, payload.user(call.core.world.user(call.id("user_id")))


def get_application(call: Call) -> Reply:
    return 200, payload.application(call.core.world, call.app)


async def edit_application(call: Call) -> Reply:
    """Only how it may be installed, and where its interactions go."""
    config = as_object(call.json.get("integration_types_config"))
    if config is not None:
        call.app.install_types = rules.read_install_types(config)
    if "interactions_endpoint_url" in call.json and call.by_http is not None:
        url = call.json["interactions_endpoint_url"]
        await call.by_http.set(call.app, url if isinstance(url, str) else None)
    return get_application(call)


def get_gateway(call: Call) -> Reply:
    return 200, {"url": call.gateway}


def get_gateway_bot(call: Call) -> Reply:
    limit = call.starts.describe(call.app.id) if call.starts is not None else {}
    return 200, {"url": call.gateway, "shards": call.core.settings.shards, "session_start_limit": limit}


def open_dm(call: Call) -> Reply:
    """The DM with one person. Opening it always works; writing into it may not (50007)."""
    world = call.core.world
    listed = items(call.json.get("recipients"))
    user_id = as_id(call.json.get("recipient_id")) or as_id(listed[0] if listed else None)
    if user_id is None:
        raise refusal.invalid(("recipient_id",), "BASE_TYPE_REQUIRED", "This field is required")
    user = world.user(user_id)
    if user.id == call.app.id:
        raise refusal.Refusal(400, 50007, "Cannot send messages to this user")
    call.core.dms.count(call.app.id, user.id)
    return 200, payload.channel(world, world.open_dm(call.app.id, user.id), call.app.id)


ENDPOINTS = (
    Endpoint("GET", "/users/@me", get_me),
    Endpoint("POST", "/users/@me/channels", open_dm, "dm.open"),
    Endpoint("GET", "/users/{user_id}", get_user),
    Endpoint("GET", "/oauth2/applications/@me", get_application),
    Endpoint("GET", "/applications/@me", get_application),
    Endpoint("PATCH", "/applications/@me", edit_application),
    Endpoint("GET", "/gateway", get_gateway, is_free=True),
    Endpoint("GET", "/gateway/bot", get_gateway_bot),
)
