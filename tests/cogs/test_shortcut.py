"""The short way of a bid's two calls: it tells of a refusal as discord.py does, and leaves waiting to it."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, cast

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.app import without_keys
from cogs import shortcut
from cogs.services import GopsClient
from cogs.ui.message import Message

HELLO = Message("hello")


@dataclass
class Client:
    """As much of a client as these calls need."""

    uncounted: aiohttp.ClientSession
    http: Any = None


@dataclass
class Wire:
    """A server that gives the answers that wait, and then 204."""

    answers: list[web.Response] = field(default_factory=list[web.Response])
    calls: list[tuple[str, str, Any]] = field(default_factory=list[tuple[str, str, Any]])
    client: GopsClient | None = None

    async def answer(self, request: web.Request) -> web.Response:
        self.calls.append((request.method, request.path, await request.json()))
        return self.answers.pop(0) if self.answers else web.Response(status=204)

    async def edit(self) -> None:
        assert self.client is not None
        await shortcut.edit(self.client, 7, "token", HELLO)


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
        wire.client = cast("GopsClient", Client(session))
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


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_what_is_not_taken_at_once_is_tried_again(wire: Wire, status: int) -> None:
    wire.answers.append(web.Response(status=status))
    await wire.edit()
    assert wire.calls == [("PATCH", "/webhooks/7/token/messages/@original", HELLO.edit)] * 2


async def test_a_limit_is_waited_for(wire: Wire) -> None:
    wire.answers += [told(429, retry_after=0.01) for _ in range(2)]
    await wire.edit()
    assert len(wire.calls) == 3


def test_presses_come_without_the_keys_of_their_message() -> None:
    parsed: list[Any] = []
    parse = without_keys(parsed.append)
    parse({"id": "1", "message": {"id": "2", "components": [{"type": 1}]}})
    parse({"id": "3"})
    assert parsed == [{"id": "1", "message": {"id": "2", "components": []}}, {"id": "3"}]
