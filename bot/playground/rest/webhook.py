"""Routes that need no bot token, for the interaction's own says enough: callbacks and what follows them."""

from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.world import payload
from bot.playground.world.model import Interaction

_HOOK = "/webhooks/{webhook_id}/{webhook_token}"


def callback(call: Call) -> Reply:
    core = call.core
    interaction = core.interactions.for_callback(call.id("interaction_id"), call.params["interaction_token"])
    core.callbacks.respond(interaction, call.json, call.uploads)
    if call.query.get("with_response", "").lower() in ("1", "true"):
        return 200, core.callbacks.describe(interaction)
    return 204, None


def follow_up(call: Call) -> Reply:
    message = call.core.callbacks.follow_up(_interaction(call), call.json, call.uploads)
    return 200, payload.message(call.core.world, message)


def get_message(call: Call) -> Reply:
    message = call.core.callbacks.message(_interaction(call), _name(call))
    return 200, payload.message(call.core.world, message)


def edit_message(call: Call) -> Reply:
    message = call.core.callbacks.edit(_interaction(call), _name(call), call.json, call.uploads)
    return 200, payload.message(call.core.world, message)


def delete_message(call: Call) -> Reply:
    call.core.callbacks.delete(_interaction(call), _name(call))
    return 204, None


def _interaction(call: Call) -> Interaction:
    return call.core.interactions.for_webhook(call.id("webhook_id"), call.params["webhook_token"])


def _name(call: Call) -> str:
    return call.params.get("message_id", "@original")


def _messages(path: str) -> tuple[Endpoint, ...]:
    return (
        Endpoint("GET", path, get_message, "webhook", is_free=True),
        Endpoint("PATCH", path, edit_message, "webhook", is_free=True),
        Endpoint("DELETE", path, delete_message, "webhook", is_free=True),
    )


ENDPOINTS = (
    Endpoint("POST", "/interactions/{interaction_id}/{interaction_token}/callback", callback, None, is_free=True),
    Endpoint("POST", _HOOK, follow_up, "webhook", is_free=True),
    *_messages(f"{_HOOK}/messages/@original"),
    *_messages(_HOOK + "/messages/{message_id}"),
)
