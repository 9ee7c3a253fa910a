"""Routes about application emojis; the pictures themselves are served by the whole stand-in."""

import base64
import binascii
import re

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json
from bot.playground.rest.call import Call, Endpoint, Reply
from bot.playground.rules.form import Form
from bot.playground.world import payload
from bot.playground.world.model import Emoji

_EMOJIS = "/applications/{application_id}/emojis"
_MOST_EMOJIS = 2000
_MOST_BYTES = 256 * 1024
_DATA = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]*)")
_BEGINS = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8", "image/gif": b"GIF8", "image/webp": b"RIFF"}


def list_emojis(call: Call) -> Reply:
    return 200, {"items": [one.raw for one in call.own_app().emojis.values()]}


def create_emoji(call: Call) -> Reply:
    app = call.own_app()
    name = _name(call)
    if len(app.emojis) >= _MOST_EMOJIS:
        raise refusal.Refusal(400, 30008, f"Maximum number of emojis reached ({_MOST_EMOJIS})")
    kind, picture = _picture(call.json.get("image"))
    made = call.core.mint.new()
    raw: Json = {
        "id": str(made),
        "name": name,
        "user": payload.user(app.user),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    app.emojis[made] = Emoji(raw, picture, kind)
    return 201, raw


def get_emoji(call: Call) -> Reply:
    return 200, _emoji(call).raw


def edit_emoji(call: Call) -> Reply:
    emoji = _emoji(call)
    emoji.raw["name"] = _name(call)
    return 200, emoji.raw


def delete_emoji(call: Call) -> Reply:
    _emoji(call)
    del call.own_app().emojis[call.id("emoji_id")]
    return 204, None


def _name(call: Call) -> str:
    """The name that is asked for, if no other emoji of the app has it."""
    form = Form()
    name = form.text(call.json, "name", (), 32, least=2, must=True)
    if name and not re.fullmatch(r"[A-Za-z0-9_]+", name):
        form.fault(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
    own = call.params.get("emoji_id")
    if any(one.raw["name"] == name and one.raw["id"] != own for one in call.own_app().emojis.values()):
        said = "An emoji with this name already exists for this application"
        form.fault(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", said)
    form.settle()
    return name


def _picture(value: object) -> tuple[str, bytes]:
    """The picture of a data URI, and what kind it is."""
    found = _DATA.fullmatch(value) if isinstance(value, str) else None
    try:
        data = base64.b64decode(found[2], validate=True) if found else b""
    except binascii.Error:
        data = b""
    if found is None or not data.startswith(_BEGINS[found[1]]):
        raise refusal.Refusal(400, 50046, "Invalid Asset")
    if len(data) > _MOST_BYTES:
        raise refusal.invalid(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return found[1], data


def _emoji(call: Call) -> Emoji:
    found = call.own_app().emojis.get(call.id("emoji_id"))
    if found is None:
        raise refusal.Refusal(404, 10014, "Unknown Emoji")
    return found


ENDPOINTS = (
    Endpoint("GET", _EMOJIS, list_emojis),
    Endpoint("POST", _EMOJIS, create_emoji),
    Endpoint("GET", _EMOJIS + "/{emoji_id}", get_emoji),
    Endpoint("PATCH", _EMOJIS + "/{emoji_id}", edit_emoji),
    Endpoint("DELETE", _EMOJIS + "/{emoji_id}", delete_emoji),
)
