"""Calls to the API: where they go, with which parts they are made, and answers in an HTTP response."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Protocol

import discord
from discord.http import Route, json_or_text
from discord.webhook.async_ import AsyncWebhookAdapter, async_context


def point_at(api: str) -> None:
    """Send all calls to this API address."""
    Route.BASE = api


def address() -> str:
    """Return the API address that calls go to."""
    return Route.BASE


def client_token(client: discord.Client) -> str:
    assert client.http.token is not None, "asked for before the login"
    return client.http.token


def session_of(client: discord.Client) -> Any:
    """Return the session of aiohttp with which a client makes its calls since it has logged in."""
    http: Any = client.http
    return http._HTTPClient__session


def user_agent_of(client: discord.Client) -> str:
    return client.http.user_agent


async def read_error_body(response: Any) -> dict[str, Any] | str:
    """Return the body of a response of aiohttp, parsed if it is JSON."""
    return await json_or_text(response)


class Request(Protocol):
    """The HTTP request that brought an interaction."""

    async def try_respond(self, payload: dict[str, Any] | None) -> bool:
        """Send this first answer in the HTTP response. Return False if it is too late for that."""
        ...


class AnsweringAdapter(AsyncWebhookAdapter):
    """discord.py's adapter for calls by token. The first answer to an interaction that came by HTTP goes into its HTTP
    response, if possible; all other answers are ordinary calls. What goes into a response is for one person alone."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: dict[int, Request] = {}
        """open requests by the id of their interaction"""

    def create_interaction_response(self, interaction_id: int, token: str, **how: Any) -> Any:
        request = self.waiting.get(interaction_id)
        call = super().create_interaction_response
        if request is None:
            return call(interaction_id, token, **how)

        async def answer(request: Request) -> Any:
            params = how["params"]
            payload: dict[str, Any] | None = None if params.files else params.payload
            if not await request.try_respond(payload) or payload is None:
                return await call(interaction_id, token, **how)
            return {"interaction": {"id": str(interaction_id), "response_message_ephemeral": True}}

        return answer(request)


_answering = AnsweringAdapter()


@contextmanager
def answer_by_request(interaction: discord.Interaction[Any], request: Request) -> Generator[None]:
    """Send the first answer to this interaction in the HTTP response, until left."""
    before = async_context.set(_answering)
    _answering.waiting[interaction.id] = request
    try:
        yield
    finally:
        del _answering.waiting[interaction.id]
        async_context.reset(before)
