"""Discord as the calls of this bot meet it, without a socket: what stands in each message, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.interactions.client import GopsClient
from bot.rest.rest_client import RestClient

FURTHER, DROP = "POST /webhooks", "DELETE /webhooks"
"""one more message by a token, and one that goes"""

GONE = "DELETE /channels"
SEND = "POST /channels"
"""a new message; its refusals name the channel"""

ANSWER, TOKEN, COUNTED = "POST /interactions", "PATCH /webhooks", "PATCH /channels"

IDS = count(10**18)


@dataclass
class Call:
    """One that is on its way."""

    route: str
    message: int
    body: dict[str, Any]
    landed: bool = False


@dataclass
class Reply:
    """As much of aiohttp's response as is looked at."""

    status: int
    told: dict[str, Any]
    reason: str = "told so"

    @property
    def headers(self) -> dict[str, str]:
        return {"content-type": "application/json"}

    async def read(self) -> bytes:
        return json.dumps(self.told).encode()

    async def text(self, encoding: str = "utf-8") -> str:
        return json.dumps(self.told)


@dataclass
class Wire:
    """Every message by id, and the calls so far."""

    shown: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    """the message that a token edits"""
    answered: set[str] = field(default_factory=set[str])
    calls: list[Call] = field(default_factory=list[Call])
    removing: set[int] = field(default_factory=set[int])
    """messages that were removed, or are about to be"""
    held: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    """by route, or route and message: its next call has its effect when this happens"""
    refusals: dict[str, list[tuple[int, dict[str, Any], bool]]] = field(
        default_factory=dict[str, list[tuple[int, dict[str, Any], bool]]]
    )
    """by route, or route and message: status, body, and whether the call has its effect nevertheless"""
    sent: list[tuple[int, str, int]] = field(default_factory=list[tuple[int, str, int]])
    """channel, text and id of each new message"""
    unsent: list[Call] = field(default_factory=list[Call])
    """counted calls that came to the limit"""
    room: asyncio.Event | None = None
    """until this happens, the limit lets no counted call go out"""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def text(self, message: int) -> str:
        return json.dumps(self.shown.get(message), ensure_ascii=False)

    def hold(self, route: str, message: int = 0) -> asyncio.Event:
        route = f"{route} {message}" if message else route
        self.held[route] = asyncio.Event()
        return self.held[route]

    def refuse(
        self, route: str, status: int, times: int = 1, *, code: int = 0, landed: bool = False, message: int = 0
    ) -> None:
        route = f"{route} {message}" if message else route
        told = {"code": code, "message": "no", "retry_after": 0.0}
        self.refusals.setdefault(route, []).extend([(status, told, landed)] * times)

    async def until(self, holds: Any) -> None:
        """Wait until this holds after some call; how busy the machine is says nothing about the bot."""
        async with asyncio.timeout(60):
            while not holds():
                self.news.clear()
                await self.news.wait()

    def count(self, route: str) -> int:
        return sum(call.route == route for call in self.calls)

    # --- what the bot calls -----------------------------------------------------------------------------------

    def request(
        self, method: str, url: str, *, data: bytes | None, headers: Any = None, trace_request_ctx: Any = None, **_: Any
    ) -> _Request:
        found = re.search(r"/(interactions|webhooks|channels)/(.*)", url)
        assert found is not None, url
        route, parts = f"{method} /{found[1]}", found[2].partition("?")[0].split("/")
        assert (route == COUNTED) is ("Authorization" in headers)
        token = "" if route == COUNTED else parts[1]
        message = int(parts[2]) if route == COUNTED else self.tokens[token]
        if route == FURTHER:
            message = next(IDS)
        elif route != COUNTED and parts[-2] == "messages" and parts[-1] != "@original":
            message = int(parts[-1])
        return _Request(self, Call(route, message, json.loads(data) if data else {}), token, trace_request_ctx)

    async def send(self, channel: int, content: str = "", view: Any = None, **more: Any) -> Any:
        self._raise_refusal(f"{SEND} {channel}")
        id = next(IDS)
        self.shown[id] = {"content": content, "components": view.to_components() if view is not None else []}
        self.sent.append((channel, content, id))
        self.news.set()
        return SimpleNamespace(id=id)

    async def delete(self, message: int) -> None:
        self.removing.add(message)
        self.news.set()
        if (held := self.held.pop(f"{GONE} {message}", None)) is not None:
            await held.wait()
        self._raise_refusal(f"{GONE} {message}")
        del self.shown[message]

    def _raise_refusal(self, route: str) -> None:
        if refused := self.refusals.get(route):
            status, told, _ = refused.pop(0)
            raise discord.HTTPException(cast("Any", SimpleNamespace(status=status, reason="told so")), told)

    def client(self, services: Any = None) -> GopsClient:
        def channel(id: int) -> Any:
            async def send(**message: Any) -> Any:
                return await self.send(id, **message)

            def partial(message: int) -> Any:
                return SimpleNamespace(delete=lambda: self.delete(message))

            return SimpleNamespace(send=send, get_partial_message=partial)

        async def call_api(method: str, path: str, *, channel_id: int) -> Any:
            assert (method, path) == ("GET", "/channels/{channel_id}")
            return {"id": str(channel_id)} if channel_id >= 10**6 else {"id": str(channel_id), "guild_id": "1"}

        async def create_dm(user: Any) -> Any:
            return SimpleNamespace(id=user.id + 10**6)

        client = SimpleNamespace(
            http=SimpleNamespace(token="token", user_agent="gops"),
            services=services,
            get_partial_messageable=channel,
            call_api=call_api,
            create_dm=create_dm,
        )
        client.rest_client = opened(client, self)
        return cast("GopsClient", client)

    def press(self, message: int, user: int, client: GopsClient, at: datetime | None = None, **flags: bool) -> Any:
        """The interaction of somebody who presses a button of this message."""
        id = next(IDS)
        self.tokens[f"t{id}"] = message
        at = at or datetime.now(UTC)
        return SimpleNamespace(
            id=id,
            token=f"t{id}",
            application_id=7,
            type=discord.InteractionType.component,
            created_at=at,
            client=client,
            extras={},
            user=SimpleNamespace(id=user, display_name=f"user {user}"),
            message=SimpleNamespace(
                id=message,
                flags=SimpleNamespace(**{"ephemeral": False, "components_v2": False, **flags}),
                channel=SimpleNamespace(id=2),
                created_at=at,
            ),
            channel_id=2,
            guild_id=1,
            response=SimpleNamespace(is_done=lambda: False),
        )


def opened(client: Any, session: Any) -> RestClient:
    """Direct calls of a client, over a session that stands in for aiohttp's."""
    client.http._HTTPClient__session = session
    return RestClient(client)


class _Request:
    """A call, from leaving to its answer."""

    def __init__(self, wire: Wire, call: Call, token: str, on_sent: Callable[[], None] | None) -> None:
        self.wire = wire
        self.call = call
        self.token = token
        self.on_sent = on_sent

    async def __aenter__(self) -> Reply:
        wire, call = self.wire, self.call
        if wire.room is not None and call.route == COUNTED:
            wire.unsent.append(call)
            wire.news.set()
            await wire.room.wait()
        if self.on_sent is not None:
            self.on_sent()
        wire.calls.append(call)
        wire.news.set()
        held = wire.held.pop(f"{call.route} {call.message}", None) or wire.held.pop(call.route, None)
        if held is not None:
            await held.wait()
        waiting = wire.refusals.get(f"{call.route} {call.message}") or wire.refusals.get(call.route)
        status, told, effect = waiting.pop(0) if waiting else (200, {"id": str(call.message)}, True)
        if effect and call.route == ANSWER and self.token in wire.answered:
            status, told, effect = 400, {"code": 40060, "message": "answered already"}, False
        if effect:
            if call.route == ANSWER:
                wire.answered.add(self.token)
            body = call.body.get("data") if call.route == ANSWER else call.body
            if call.route == DROP:
                wire.shown.pop(call.message, None)
            elif body is not None:
                wire.shown[call.message] = body
            call.landed = True
        wire.news.set()
        return Reply(status, told)

    async def __aexit__(self, *_: object) -> None: ...
