"""The short way of a bid's calls: each is made once, and whatever comes of it is told as discord.py would."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.app import Bot
from bot.discord_internals import api_calls
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget, GlobalLimit
from bot.rest.rest_client import LimitTrace, RestClient
from bot.ui.message import Attachment, Message, Picture, Text
from bot.ui.screens.board import render_board
from bot.ui.screens.challenge import render_lobby as draw_lobby
from bot.ui.screens.console import render_console
from tests.cogs.ui.views import arguments_of_edit, example, lobby
from tests.cogs.wire import opened

HELLO = Message("hello")


@dataclass
class Wire:
    """A server that gives the answers that wait, and then 204."""

    answers: list[web.Response] = field(default_factory=list[web.Response])
    calls: list[tuple[str, str, Any]] = field(default_factory=list[tuple[str, str, Any]])
    authorized: list[str] = field(default_factory=list[str])
    direct: RestClient | None = None
    called: asyncio.Event = field(default_factory=asyncio.Event)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    """until this happens, no call is answered"""

    def __post_init__(self) -> None:
        self.answered.set()

    async def answer(self, request: web.Request) -> web.Response:
        self.calls.append((request.method, request.path, await request.json()))
        self.called.set()
        await self.answered.wait()
        self.authorized += request.headers.getall("Authorization", [])
        return self.answers.pop(0) if self.answers else web.Response(status=204)

    async def edit(self) -> None:
        assert self.direct is not None
        await self.direct.edit_by_token(7, "token", HELLO)


def logged_in() -> Any:
    return SimpleNamespace(http=SimpleNamespace(token="secret", user_agent="gops"))


def told(status: int, **data: Any) -> web.Response:
    """As Discord writes it, behind its proxy."""
    return web.Response(
        body=json.dumps(data).encode(), status=status, content_type="application/json", headers={"Via": "1.1 google"}
    )


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    wire = Wire()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", wire.answer)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        monkeypatch.setattr(api_calls.Route, "BASE", str(server.make_url("")).rstrip("/"))
        wire.direct = opened(logged_in(), session)
        yield wire


async def test_edit_is_one_call_with_its_body(wire: Wire) -> None:
    await wire.edit()
    assert wire.calls == [("PATCH", "/webhooks/7/token/messages/@original", HELLO.edit_payload)]


async def test_edit_is_written_only_while_this_process_owns_the_matches(wire: Wire) -> None:
    """A process that had hung for 30 s between the decision to send and the sending drew over a newer board."""
    owns = False
    async with aiohttp.ClientSession() as session:
        direct = opened(logged_in(), session)
        direct.is_owner = lambda: owns
        with pytest.raises(aiohttp.ClientConnectionError):
            await direct.edit_by_token(7, "token", HELLO)
        wire.answers.append(told(200, id="5"))
        assert await direct.send_ephemeral(7, "token", HELLO) == 5
        owns = True
        await direct.edit_by_token(7, "token", HELLO)
        assert [method for method, *_ in wire.calls] == ["POST", "PATCH"]


async def test_counted_edit_is_unsent_while_it_waits_for_the_limits_and_can_be_given_up(wire: Wire) -> None:
    """The limit of its route is not known before the answer to the first one."""
    wire.answered.clear()
    async with aiohttp.ClientSession(trace_configs=[LimitTrace(GlobalLimit(lambda: 50.0))]) as session:
        direct = opened(logged_in(), session)
        delivery, now = Delivery(direct, CallBudget(lambda: 50.0)), datetime.now(UTC)
        board = Surface("K7Q2", SurfaceKind.BOARD, 0, 9, 500, 0, now)
        first, second = [asyncio.create_task(delivery.edit(board, HELLO, now)) for _ in range(2)]
        await wire.called.wait()
        assert direct.unsent == {second}
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        wire.answered.set()
        await first
        await delivery.edit(board, HELLO, now)
        assert (second.cancelled(), len(wire.calls), direct.unsent) == (True, 2, set())


@pytest.mark.parametrize(
    ("status", "error"), [(403, discord.Forbidden), (404, discord.NotFound), (400, discord.HTTPException)]
)
async def test_refusal_of_discord_raises_the_error_of_its_status(
    wire: Wire, status: int, error: type[discord.HTTPException]
) -> None:
    wire.answers.append(told(status, code=10015, message="Unknown Webhook"))
    with pytest.raises(error) as caught:
        await wire.edit()
    assert type(caught.value) is error
    assert (caught.value.status, caught.value.code) == (status, 10015)
    assert len(wire.calls) == 1


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_failed_call_is_not_repeated(wire: Wire, status: int) -> None:
    wire.answers.append(web.Response(status=status))
    with pytest.raises(discord.DiscordServerError):
        await wire.edit()
    assert wire.calls == [("PATCH", "/webhooks/7/token/messages/@original", HELLO.edit_payload)]


@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        (told(429, retry_after=0.25), 0.25),
        (web.Response(status=429, headers={"Retry-After": "7"}), 7.0),
        (web.Response(status=429), 1.0),
    ],
)
async def test_a_limit_tells_how_long_it_lasts(wire: Wire, answer: web.Response, seconds: float) -> None:
    wire.answers.append(answer)
    with pytest.raises(discord.RateLimited) as caught:
        await wire.edit()
    assert caught.value.retry_after == seconds
    assert len(wire.calls) == 1


async def test_a_counted_edit_tells_whose_it_is(wire: Wire) -> None:
    assert wire.direct is not None
    await wire.direct.edit_message(8, 9, HELLO)
    assert wire.calls == [("PATCH", "/channels/8/messages/9", HELLO.edit_payload)]
    assert wire.authorized == ["Bot secret"]


# --- by HTTP -----------------------------------------------------------------------------------------------------


@dataclass
class Request:
    """What an interaction came with."""

    takes: bool
    payloads: list[Any] = field(default_factory=list[Any])

    async def try_respond(self, payload: dict[str, Any] | None) -> bool:
        self.payloads.append(payload)
        return self.takes


async def test_discord_py_answers_with_the_request(bot: tuple["Bot", "Discord"]) -> None:
    """Through its own adapter, as every answer but the shortest goes."""
    client, server = bot
    request, file = Request(True), discord.File(io.BytesIO(b"x"), "x.png")
    press = client.read({**PRESS, "id": "21"})
    with api_calls.answer_by_request(press, request):
        sent = await press.response.send_message("yours", ephemeral=True)
    assert (sent.message_id, sent.is_ephemeral(), press.response.is_done()) == (None, True, True)
    assert request.payloads[0]["data"]["flags"] == 64
    assert server.requests == []
    with_file: dict[str, Any] = {"file": file}
    for refused, how in ((Request(False), {}), (Request(True), with_file)):
        press = client.read({**PRESS, "id": "22"})
        with api_calls.answer_by_request(press, refused):
            assert (await press.response.send_message("all", **how)).message_id == 5
        assert (refused.payloads[0] is None) is bool(how)
    assert [path for _, path, _, _ in server.requests] == ["/interactions/22/token/callback"] * 2
    press, other = client.read({**PRESS, "id": "23"}), client.read({**PRESS, "id": "24"})
    with api_calls.answer_by_request(press, request):
        await other.response.defer()
    await press.response.defer()
    assert len(server.requests) == 4, "one that came otherwise, and what comes after"


async def test_unknown_command_reaches_the_error_handler(bot: tuple["Bot", "Discord"]) -> None:
    client, _ = bot
    told = list[Exception]()

    async def on_error(_: object, error: Exception, /) -> None:
        told.append(error)

    client.tree.on_error = on_error  # type: ignore[method-assign]
    asked = {**PRESS, "type": 2, "data": {"id": "1", "name": "nothing", "type": 1}}
    await client.run_app_command(client.read(asked))
    assert isinstance(told[0], discord.app_commands.CommandNotFound)


async def test_interactions_endpoint_is_sent_under_its_name(bot: tuple["Bot", "Discord"]) -> None:
    """discord.py 2.7.1 puts a blank behind it."""
    client, server = bot
    await client.set_endpoint("https://here")
    await client.set_endpoint("")
    told = [(method, path, body) for method, path, _, body in server.requests]
    there = ("PATCH", "/applications/@me")
    assert told == [(*there, {"interactions_endpoint_url": one}) for one in ("https://here", None)]


# --- the switch ------------------------------------------------------------------------------------------------

DRAWN = {
    "a sentence": HELLO,
    "a plain message with buttons, which pings": draw_lobby(lobby()),
    "a board": render_board(example().view()),
    "a console": render_console(example().view(0)),
    "a picture": Message(
        body=(Text("Over."), Picture("a.png", "A")),
        attachments=(Attachment("a.png", b"A" * 9), Attachment("b.json", b"{}")),
    ),
}
SENT = {"id": "5", "channel_id": "8", "content": "", "type": 0, "timestamp": "2026-11-22T07:00:00+00:00"}
"""as much of a message as discord.py reads of it"""


class Discord:
    """Takes everything, and writes down what it was asked, but for what the answer is to hold."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, str | None, Any]] = []

    async def answer(self, request: web.Request) -> web.Response:
        if request.path in ("/users/@me", "/oauth2/applications/@me"):
            return told(200, **(BOT if request.path == "/users/@me" else APPLICATION))
        body = await request.json() if request.content_type == "application/json" else {}
        if request.content_type == "multipart/form-data":
            parts = await request.post()
            body = json.loads(str(parts["payload_json"]))
            files = [(name, part) for name, part in parts.items() if isinstance(part, web.FileField)]
            body["files"] = [(name, part.filename, part.file.read()) for name, part in files]
        (body.get("data") or body).pop("tts", None)  # discord.py says that nothing is read out aloud
        self.requests.append((request.method, request.path, request.headers.get("Authorization"), body))
        if "callback" in request.path:
            return web.Response(status=204) if not request.query else told(200, **CALLBACK)
        return told(200, **MESSAGE)


PERSON = {"id": "3", "username": "ana", "discriminator": "0", "avatar": None}
BOT = {"id": "7", "username": "gops", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {
    "id": "7",
    "name": "gops",
    "description": "",
    "summary": "",
    "icon": None,
    "verify_key": "",
    "flags": 0,
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": PERSON,
}
MESSAGE = {
    **SENT,
    "author": BOT,
    "attachments": [],
    "embeds": [],
    "mentions": [],
    "mention_roles": [],
    "components": [],
    "edited_timestamp": None,
    "pinned": False,
    "tts": False,
    "mention_everyone": False,
    "flags": 1 << 15,
}
CALLBACK = {"interaction": {"id": "1", "type": 3, "response_message_id": "5"}, "resource": {"type": 7}}
PRESS = {
    "id": "1",
    "application_id": "7",
    "type": 3,
    "token": "token",
    "version": 1,
    "channel_id": "8",
    "user": PERSON,
    "channel": {"id": "8", "type": 1, "recipients": [PERSON]},
    "message": MESSAGE,
    "entitlements": [],
    "data": {"custom_id": "g1:oc:K7Q2", "component_type": 2},
    "app_permissions": "0",
    "authorizing_integration_owners": {},
    "attachment_size_limit": 1,
}


@pytest.fixture
async def bot(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Bot, Discord]]:
    """The client as it runs, logged in."""
    discord_server = Discord()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", discord_server.answer)
    async with TestServer(app) as server:
        monkeypatch.setattr(api_calls.Route, "BASE", str(server.make_url("")).rstrip("/"))
        client = Bot()
        try:
            await client.login("secret")
            yield client, discord_server
        finally:
            await client.close()


Calls = Callable[[Bot, discord.Interaction[Any], Message], Awaitable[object]]
CALLS: dict[str, Calls] = {
    "a press": lambda client, press, drawn: client.rest_client.update_message(press, drawn),
    "a press without a drawing": lambda client, press, _: client.rest_client.acknowledge(press),
    "by token": lambda client, _, drawn: client.rest_client.edit_by_token(7, "token", drawn),
    "by token, for the first time": lambda client, _, drawn: client.rest_client.edit_by_token(
        7, "token", drawn, notify=True
    ),
    "counted": lambda client, _, drawn: client.rest_client.edit_message(8, 9, drawn),
}


def webhook(client: Bot) -> discord.Webhook:
    return discord.Webhook.partial(7, "token", client=client)


def notified(drawn: Message) -> dict[str, Any]:
    return {**arguments_of_edit(drawn), "allowed_mentions": drawn.allowed_mentions}


ORIGINAL: Any = "@original"
THEIRS: dict[str, Calls] = {
    "a press": lambda _, press, drawn: press.response.edit_message(**arguments_of_edit(drawn)),
    "a press without a drawing": lambda _, press, __: press.response.defer(),
    "by token": lambda client, _, drawn: webhook(client).edit_message(ORIGINAL, **arguments_of_edit(drawn)),
    "by token, for the first time": lambda client, _, drawn: webhook(client).edit_message(ORIGINAL, **notified(drawn)),
    "counted": lambda client, _, drawn: (
        client.get_partial_messageable(8).get_partial_message(9).edit(**arguments_of_edit(drawn))
    ),
}
"""The same calls as discord.py makes them."""


@pytest.mark.parametrize("drawn", DRAWN.values(), ids=DRAWN.keys())
@pytest.mark.parametrize("call", CALLS)
async def test_a_direct_call_asks_what_discord_py_would(bot: tuple[Bot, Discord], call: str, drawn: Message) -> None:
    client, server = bot
    given: list[object] = []
    for calls in (CALLS, THEIRS):
        press: Any = discord.Interaction(data=PRESS, state=client._connection)  # type: ignore[arg-type]
        given.append(await calls[call](client, press, drawn))
    ours, theirs = server.requests
    assert ours == theirs
    if "first time" in call:
        assert given[0] == getattr(given[1], "id", None)


async def test_discord_py_remembers_none_of_our_views(
    bot: tuple[Bot, Discord], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would keep every one for ever, to hand presses to it."""
    client, _ = bot
    stored: list[Any] = []
    monkeypatch.setattr(client._connection, "store_view", lambda view, *_: stored.append(view))
    for call in THEIRS.values():
        for drawn in DRAWN.values():
            press: Any = discord.Interaction(data=PRESS, state=client._connection)  # type: ignore[arg-type]
            await call(client, press, drawn)
    assert stored == []
    its_own = discord.ui.View(timeout=None)
    its_own.add_item(discord.ui.Button(custom_id="x"))
    await client.get_partial_messageable(8).get_partial_message(9).edit(view=its_own)
    assert stored == [its_own]


async def test_nothing_goes_out_after_the_client_is_closed(bot: tuple[Bot, Discord]) -> None:
    client, server = bot
    await client.close()
    with pytest.raises(RuntimeError, match="Session is closed"):
        await client.rest_client.edit_by_token(7, "token", HELLO)
    assert server.requests == []
