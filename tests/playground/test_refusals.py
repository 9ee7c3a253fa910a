"""What Discord refuses, with its codes: messages, channels, permissions, DMs."""

from typing import Any

import pytest

from bot.playground.server import TOKEN, Playground
from bot.playground.world.model import ChannelType
from bot.playground.world.settings import Window
from tests.driver import Server, Stage
from tests.playground.raw import RawBot

pytestmark = pytest.mark.asyncio(loop_scope="module")

V2 = 1 << 15


def button(n: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "go", "custom_id": f"b{n}", **more}


def row(*inner: Any) -> dict[str, Any]:
    return {"type": 1, "components": list(inner)}


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def select(count: int = 1, **more: Any) -> dict[str, Any]:
    options = [{"label": f"o{n}", "value": f"o{n}"} for n in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **more}


def v2(*components: Any, **more: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(components), **more}


def plain(*components: Any) -> dict[str, Any]:
    return {"content": "x", "components": list(components)}


GOOD = {
    "content": {"content": "x" * 2000},
    "only an embed": {"embeds": [{"title": "t", "description": "d" * 4096}]},
    "five rows of five": plain(*(row(*(button(5 * r + n) for n in range(5))) for r in range(5))),
    "a link": plain(row({"type": 2, "style": 5, "label": "go", "url": "https://example.org"})),
    "a bare emoji": plain(row({"type": 2, "style": 1, "emoji": {"name": "🂡"}, "custom_id": "e"})),
    "a select": plain(row(select(25, max_values=25))),
    "40 components": v2({"type": 17, "components": [text("x")] * 39}),
    "4000 characters": v2(text("x" * 2000), {"type": 17, "components": [text("y" * 2000)]}),
    "a section": v2({"type": 9, "components": [text("x")], "accessory": button()}),
    "a gallery": v2({"type": 12, "items": [{"media": {"url": "https://example.org/x.png"}}]}),
    "ids as numbers": {"content": "x", "allowed_mentions": {"parse": [], "users": [123]}},
}

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "2001 characters": ({"content": "x" * 2001}, "content"),
    "embeds over 6000": ({"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]}, "embeds"),
    "11 embeds": ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    "a long embed title": ({"embeds": [{"title": "x" * 257}]}, "embeds.0.title"),
    "six rows": (plain(*(row(button(n)) for n in range(6))), "components"),
    "six buttons in a row": (plain(row(*(button(n) for n in range(6)))), "components.0.components"),
    "an empty row": (plain(row()), "components.0.components"),
    "a mixed row": (plain(row(button(), select())), "components.0.components"),
    "two selects in a row": (plain(row(select(), select(custom_id="s2"))), "components.0.components"),
    "no custom id": (
        plain(row({"type": 2, "style": 1, "label": "x"})),
        "components.0.components.0.custom_id",
    ),
    "a long custom id": (plain(row(button(custom_id="x" * 101))), "components.0.components.0.custom_id"),
    "the same custom id": (plain(row(button(1), button(1))), "components.0.components.1.custom_id"),
    "neither label nor emoji": (
        plain(row({"type": 2, "style": 1, "custom_id": "x"})),
        "components.0.components.0",
    ),
    "a long label": (plain(row(button(label="x" * 81))), "components.0.components.0.label"),
    "a link without address": (
        plain(row({"type": 2, "style": 5, "label": "x"})),
        "components.0.components.0.url",
    ),
    "no options": (plain(row(select(0))), "components.0.components.0.options"),
    "26 options": (plain(row(select(26))), "components.0.components.0.options"),
    "min over max": (
        plain(row(select(5, min_values=3, max_values=2))),
        "components.0.components.0.min_values",
    ),
    "the same value twice": (
        plain(
            row(
                {
                    "type": 3,
                    "custom_id": "s",
                    "options": [{"label": "a", "value": "v"}, {"label": "b", "value": "v"}],
                }
            )
        ),
        "components.0.components.0.options.1.value",
    ),
    "V2 without the flag": ({"components": [text("x")]}, "components.0.type"),
    "the flag with content": (v2(text("x"), content="y"), "content"),
    "the flag with embeds": (v2(text("x"), embeds=[{"title": "t"}]), "embeds"),
    "the flag with nothing": ({"flags": V2}, "components"),
    "41 components": (v2({"type": 17, "components": [text("x")] * 40}), "components"),
    "4001 characters": (v2(text("x" * 2000), text("y" * 2001)), "components"),
    "an empty text": (v2(text("")), "components.0.content"),
    "a button outside of a row": (v2(button()), "components.0.type"),
    "a container in a container": (
        v2({"type": 17, "components": [{"type": 17, "components": [text("x")]}]}),
        "components.0.components.0.type",
    ),
    "a section without accessory": (v2({"type": 9, "components": [text("x")]}), "components.0"),
    "a section of four": (
        v2({"type": 9, "components": [text("x")] * 4, "accessory": button()}),
        "components.0.components",
    ),
    "a missing attachment": (
        v2({"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}),
        "components.0.items.0.media.url",
    ),
    "a file from elsewhere": (
        v2({"type": 13, "file": {"url": "https://example.org/x"}}),
        "components.0.file.url",
    ),
    "parse and list": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
    "a long nonce": ({"content": "x", "nonce": "x" * 26}, "nonce"),
    "an unknown upload": ({"content": "x", "attachments": [{"id": 0}]}, "attachments.0.id"),
    "a lost reply": ({"content": "x", "message_reference": {"message_id": "1"}}, "message_reference"),
}


@pytest.fixture(params=["described", "by hand"])
def described(request: pytest.FixtureRequest, playground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rule holds with Discord's description and without it."""
    if request.param == "by hand":
        monkeypatch.setattr(playground.pipeline, "schema", None)
    else:
        assert playground.pipeline.schema is not None


@pytest.mark.usefixtures("described")
@pytest.mark.parametrize("name", GOOD)
async def test_good_message_is_accepted(raw: RawBot, club: Server, name: str) -> None:
    told = await raw.call("POST", f"/channels/{club.channels[0].id}/messages", GOOD[name])
    assert (told.status, told.body.get("errors")) == (200, None)


@pytest.mark.usefixtures("described")
@pytest.mark.parametrize("name", BAD)
async def test_wrong_message_is_refused_with_the_place_of_the_fault(raw: RawBot, club: Server, name: str) -> None:
    body, place = BAD[name]
    told = await raw.call("POST", f"/channels/{club.channels[0].id}/messages", body)
    assert (told.status, told.code) == (400, 50035)
    assert any(where.startswith(place) for where, _ in told.faults()), told.faults()


async def test_empty_messages_are_refused(raw: RawBot, club: Server) -> None:
    path = f"/channels/{club.channels[0].id}/messages"
    for body in ({}, {"content": " \n "}, {"content": None, "embeds": []}):
        assert (await raw.call("POST", path, body)).code == 50006
    made = await raw.call("POST", path, {"content": "x"})
    assert (await raw.call("PATCH", f"{path}/{made.body['id']}", {"content": ""})).code == 50006


async def test_plain_message_can_become_v2_but_not_go_back(raw: RawBot, club: Server) -> None:
    path = f"/channels/{club.channels[0].id}/messages"
    made = await raw.call("POST", path, {"content": "plain", "embeds": [{"title": "t"}]})
    one = f"{path}/{made.body['id']}"
    kept = await raw.call("PATCH", one, v2(text("board")))
    assert {where for where, _ in kept.faults()} == {"content", "embeds"}
    turned = await raw.call("PATCH", one, v2(text("board"), content=None, embeds=[]))
    assert (turned.status, turned.body["flags"] & V2, turned.body["content"]) == (200, V2, "")
    assert (await raw.call("PATCH", one, {"content": "plain again"})).code == 50035
    still = await raw.call("PATCH", one, {"flags": 0, "components": [text("new")]})
    assert (still.status, still.body["flags"] & V2) == (200, V2)


NOBODY = "999"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/channels/{nobody}", None, 404, 10003),
        ("POST", "/channels/{nobody}/messages", {"content": "x"}, 404, 10003),
        ("GET", "/channels/x", None, 400, 50035),
        ("GET", "/channels/{channel}/messages/{nobody}", None, 404, 10008),
        ("PATCH", "/channels/{channel}/messages/{nobody}", {"content": "x"}, 404, 10008),
        ("DELETE", "/channels/{channel}/messages/{nobody}", None, 404, 10008),
        ("PATCH", "/channels/{channel}/messages/{other}", {"content": "x"}, 403, 50005),
        ("DELETE", "/channels/{channel}/messages/{other}", None, 403, 50013),
        ("GET", "/channels/{channel}/messages?limit=101", None, 400, 50035),
        ("GET", "/channels/{secret}", None, 403, 50001),
        ("POST", "/channels/{secret}/messages", {"content": "x"}, 403, 50001),
        ("POST", "/channels/{quiet}/messages", {"content": "x"}, 403, 50013),
        ("POST", "/channels/{quiet}/messages", {"content": "x", "embeds": [{"title": "x"}]}, 403, 50013),
        ("GET", "/guilds/{nobody}", None, 404, 10004),
        ("GET", "/guilds/{server}/members/{nobody}", None, 404, 10013),
        ("GET", "/guilds/{server}/members/{stranger}", None, 404, 10007),
        ("GET", "/guilds/{server}/members", None, 403, 50001),
        ("GET", "/users/{nobody}", None, 404, 10013),
        ("POST", "/users/@me/channels", {"recipient_id": NOBODY}, 404, 10013),
        ("GET", "/applications/{nobody}/commands", None, 403, 20012),
        ("GET", "/applications/{bot}/commands/{nobody}", None, 404, 10063),
        ("POST", "/interactions/{nobody}/token/callback", {"type": 6}, 404, 10062),
        ("POST", "/webhooks/{bot}/token", {"content": "x"}, 404, 10015),
        ("GET", "/webhooks/{bot}/token/messages/@original", None, 404, 10015),
        ("GET", "/nowhere", None, 404, 0),
    ],
)
async def test_forbidden_and_unknown_targets_are_refused_with_their_codes(
    stage: Stage, raw: RawBot, club: Server, method: str, path: str, body: Any, status: int, code: int
) -> None:
    secret, quiet = await stage.channel(club, "secret"), await stage.channel(club, "quiet")
    await stage.deny(secret, "Bot", "VIEW_CHANNEL")
    await stage.deny(quiet, "Bot", "SEND_MESSAGES", "EMBED_LINKS")
    ana = await stage.person("Ana", server=club)
    stranger = await stage.person("Stranger", server=await stage.server("Elsewhere"))
    other = await ana.say("not the bot's")
    filled = path.format(
        nobody=NOBODY,
        channel=club.channels[0].id,
        secret=secret.id,
        quiet=quiet.id,
        server=club.id,
        other=other.id,
        stranger=stranger.id,
        bot=raw.id,
    )
    told = await raw.call(method, filled, body)
    assert (told.status, told.code) == (status, code)


async def test_missing_and_wrong_tokens_are_refused(raw: RawBot) -> None:
    for token in (None, "wrong"):
        told = await raw.call("GET", "/users/@me", token=token)
        assert (told.status, told.body) == (401, {"message": "401: Unauthorized", "code": 0})
    assert (await raw.call("GET", "/gateway", token=None)).status == 200
    assert (await raw.call("GET", "/users/@me")).headers["Content-Type"] == "application/json"


async def test_dm_is_refused_after_block_close_or_leaving(stage: Stage, raw: RawBot, club: Server) -> None:
    eve = await stage.person("Eve", server=club)

    async def write() -> int:
        opened = await raw.call("POST", "/users/@me/channels", {"recipient_id": eve.id})
        told = await raw.call("POST", f"/channels/{opened.body['id']}/messages", {"content": "psst"})
        return 0 if told.status == 200 else told.code

    assert await write() == 0
    await eve.close_dms()
    assert await write() == 50007
    await eve.open_dms()
    await eve.close_dms(club.id)
    assert await write() == 50007
    await eve.open_dms(club.id)
    await stage.link.call("PATCH", f"/servers/{club.id}", {"dms_allowed": False})
    assert await write() == 50007
    await stage.leave(club, eve)
    assert await write() == 50278
    await stage.link.call("PATCH", f"/people/{eve.id}", {"installs": {"Bot": True}})
    assert await write() == 0


async def test_opening_too_many_dms_is_refused(stage: Stage, raw: RawBot, club: Server) -> None:
    await stage.settings(dm_opens=[2, 600])
    fresh = [await stage.person(f"Fresh {n}", server=club) for n in range(3)]
    bodies = [{"recipient_id": one.id} for one in fresh]
    told = [await raw.call("POST", "/users/@me/channels", body) for body in bodies]
    await stage.settings(dm_opens=[100, 600])
    assert told[0].status == 200
    assert told[2].code == 40003
    assert (await raw.call("POST", "/users/@me/channels", bodies[0])).status == 200


async def test_edits_of_old_messages_have_a_pace_for_each_channel(stage: Stage, raw: RawBot, club: Server) -> None:
    """The pace is by channel, for any message in it, and not for edits by token."""
    await stage.limits(enabled=False)
    path = f"/channels/{club.channels[0].id}/messages"
    made = [await raw.call("POST", path, {"content": str(n)}) for n in range(5)]
    await stage.forward(3601)
    try:
        told = [await raw.call("PATCH", f"{path}/{one.body['id']}", {"content": "x"}) for one in made]
        assert [one.status for one in told] == [200, 200, 200, 429, 429]
        assert told[3].code == 30046
        assert 5 < told[3].body["retry_after"] <= 6
        await stage.forward(6)
        again = await raw.call("PATCH", f"{path}/{made[3].body['id']}", {"content": "x"})
        assert again.status == 200
    finally:
        await stage.forward(-3607)
        await stage.limits(enabled=True)


async def test_edits_of_messages_older_than_an_hour_are_limited(stage: Stage, raw: RawBot, club: Server) -> None:
    await stage.settings(old_edits=[2, 3600], aged_edits=None)
    await stage.limits(enabled=False)
    path = f"/channels/{club.channels[0].id}/messages"
    made = await raw.call("POST", path, {"content": "x"})
    one = f"{path}/{made.body['id']}"
    statuses = [(await raw.call("PATCH", one, {"content": str(n)})).status for n in range(3)]
    await stage.forward(3601)
    try:
        told = [await raw.call("PATCH", one, {"content": str(n)}) for n in range(3)]
        assert statuses == [200, 200, 200]
        assert [each.status for each in told] == [200, 200, 429]
        assert told[2].code == 30046
    finally:
        await stage.forward(-3601)
        await stage.settings(old_edits=None, aged_edits=[3, 6])
        await stage.limits(enabled=True)


async def test_enforced_nonce_posts_once(raw: RawBot, club: Server) -> None:
    path = f"/channels/{club.channels[0].id}/messages"
    body = {"content": "once", "nonce": "n-1", "enforce_nonce": True}
    first, second = await raw.call("POST", path, body), await raw.call("POST", path, body)
    assert first.body["id"] == second.body["id"]
    third = await raw.call("POST", path, {"content": "again", "nonce": "n-1"})
    assert third.body["id"] != first.body["id"]
    listed = await raw.call("GET", path)
    assert [one["content"] for one in listed.body] == ["again", "once"]


async def test_archived_thread_refuses_edits_until_a_message_wakes_it(stage: Stage, raw: RawBot, club: Server) -> None:
    parent = club.channels[0].id
    starter = await raw.call("POST", f"/channels/{parent}/messages", {"content": "starter"})
    threads = f"/channels/{parent}/messages/{starter.body['id']}/threads"
    thread = await raw.call("POST", threads, {"name": "a thread"})
    assert thread.status == 201
    assert (await raw.call("POST", threads, {"name": "again"})).code == 160004
    home = f"/channels/{thread.body['id']}"
    inside = await raw.call("POST", f"{home}/messages", {"content": "inside"})
    assert (await raw.call("PATCH", home, {"archived": True})).status == 200
    told = await raw.call("PATCH", f"{home}/messages/{inside.body['id']}", {"content": "x"})
    assert (told.status, told.code) == (400, 50083)
    assert (await raw.call("POST", f"{home}/messages", {"content": "wakes it"})).status == 200
    assert (await raw.call("GET", home)).body["thread_metadata"]["archived"] is False
    active = await raw.call("GET", f"/guilds/{club.id}/threads/active")
    assert [one["name"] for one in active.body["threads"]] == ["a thread"]


async def test_messages_and_threads_are_refused_in_channels_of_the_wrong_kind(
    stage: Stage, raw: RawBot, club: Server
) -> None:
    """A forum and a category take no messages (50008); the chat of a voice channel has no threads (50024)."""
    for kind in (ChannelType.FORUM, ChannelType.CATEGORY):
        place = await stage.channel(club, kind.name.lower(), kind)
        told = await raw.call("POST", f"/channels/{place.id}/messages", {"content": "x"})
        assert (told.status, told.code) == (400, 50008)
    voice = await stage.channel(club, "voice", ChannelType.VOICE)
    said = await raw.call("POST", f"/channels/{voice.id}/messages", {"content": "x"})
    assert said.status == 200
    threads = f"/channels/{voice.id}/messages/{said.body['id']}/threads"
    assert (await raw.call("POST", threads, {"name": "no"})).code == 50024


async def test_locked_threads_need_manage_threads(stage: Stage, raw: RawBot, club: Server) -> None:
    """A locked thread refuses new messages and edits without being archived; messages can be deleted."""
    thread = await stage.thread(club.channels[0], "a thread")
    home = f"/channels/{thread.id}/messages"
    inside = await raw.call("POST", home, {"content": "inside"})
    await stage.link.call("PATCH", f"/channels/{thread.id}", {"locked": True})
    edited = await raw.call("PATCH", f"{home}/{inside.body['id']}", {"content": "x"})
    assert (edited.status, edited.code) == (400, 50083)
    assert (await raw.call("POST", home, {"content": "more"})).code == 50083
    await stage.allow(club.channels[0], stage.bot(), "MANAGE_THREADS")
    assert (await raw.call("POST", home, {"content": "more"})).status == 200
    await stage.deny(club.channels[0], stage.bot(), "MANAGE_THREADS")
    assert (await raw.call("DELETE", f"{home}/{inside.body['id']}")).status == 204


async def test_replies_need_history(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana", server=club)
    said = await ana.say("question")
    path = f"/channels/{said.channel_id}/messages"
    body = {"content": "answer", "message_reference": {"message_id": said.id}}
    told = await raw.call("POST", path, body)
    assert (told.body["type"], told.body["referenced_message"]["content"]) == (19, "question")
    assert (await ana.pinged("answer")).message_id == told.body["id"]
    await stage.deny(said.channel_id, "Bot", "READ_MESSAGE_HISTORY")
    assert (await raw.call("POST", path, body)).code == 160002
    assert (await raw.call("GET", path)).code == 50013


async def test_too_many_invalid_requests_ban_the_address() -> None:
    """Calls without a token are banned too; the answer does not look like one of Discord."""
    playground = Playground()
    playground.add_bot()
    playground.pipeline.limits.invalid = Window(3, 600.0)
    async with playground, RawBot.connect(playground.address, TOKEN) as raw:
        told = [await raw.call("POST", "/channels/1/messages", {"content": "x"}, token="wrong") for _ in range(4)]
        assert [one.status for one in told] == [401, 401, 401, 429]
        assert "Via" not in told[3].headers
        free = await raw.call("POST", "/interactions/1/token/callback", {"type": 6})
        assert free.status == 429
