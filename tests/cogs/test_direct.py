"""The short way of a bid's calls: each is made once, and whatever comes of it is told as discord.py would."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from cogs.ui.message import Message
from cogs.wire import direct

HELLO = Message("hello")


@dataclass
class Client:
    """As much of a client as these calls need."""

    uncounted: Any
    counted: Any
    http: Any


@dataclass
class Wire:
    """A server that gives the answers that wait, and then 204."""

    answers: list[web.Response] = field(default_factory=list[web.Response])
    calls: list[tuple[str, str, Any]] = field(default_factory=list[tuple[str, str, Any]])
    authorized: list[str] = field(default_factory=list[str])
    client: Client | None = None

    async def answer(self, request: web.Request) -> web.Response:
        self.calls.append((request.method, request.path, await request.json()))
        self.authorized += request.headers.getall("Authorization", [])
        return self.answers.pop(0) if self.answers else web.Response(status=204)

    async def edit(self) -> None:
        assert self.client is not None
        await direct.edit(self.client, 7, "token", HELLO)


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
        monkeypatch.setattr(Route, "BASE", str(server.make_url("")).rstrip("/"))
        wire.client = Client(session, session, SimpleNamespace(token="secret"))
        yield wire


async def test_one_call_and_its_body(wire: Wire) -> None:
    await wire.edit()
    assert wire.calls == [("PATCH", "/webhooks/7/token/messages/@original", HELLO.edit)]


@pytest.mark.parametrize(
    ("status", "error"), [(403, discord.Forbidden), (404, discord.NotFound), (400, discord.HTTPException)]
)
async def test_a_refusal(wire: Wire, status: int, error: type[discord.HTTPException]) -> None:
    wire.answers.append(told(status, code=10015, message="Unknown Webhook"))
    with pytest.raises(error) as caught:
        await wire.edit()
    assert type(caught.value) is error
    assert (caught.value.status, caught.value.code) == (status, 10015)
    assert len(wire.calls) == 1


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_what_is_not_taken_at_once_is_not_repeated(wire: Wire, status: int) -> None:
    wire.answers.append(web.Response(status=status))
    with pytest.raises(discord.DiscordServerError):
        await wire.edit()
    assert wire.calls == [("PATCH", "/webhooks/7/token/messages/@original", HELLO.edit)]


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
    assert wire.client is not None
    await direct.edit_counted(wire.client, 8, 9, HELLO)
    assert wire.calls == [("PATCH", "/channels/8/messages/9", HELLO.edit)]
    assert wire.authorized == ["Bot secret"]
