"""Every route of the API, in the order in which they are tried, and how they reach the pipeline."""

import json
from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.playground.protocol import refusal
from bot.playground.rest import account, channel, command, emoji, guild, message, webhook
from bot.playground.rest.call import PREFIX, Endpoint
from bot.playground.rest.pipeline import Pipeline

ENDPOINTS: tuple[Endpoint, ...] = (
    *webhook.ENDPOINTS,
    *message.ENDPOINTS,
    *channel.ENDPOINTS,
    *guild.ENDPOINTS,
    *account.ENDPOINTS,
    *command.ENDPOINTS,
    *emoji.ENDPOINTS,
)

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def install(app: web.Application, pipeline: Pipeline) -> None:
    """Put the whole API into an application."""
    for endpoint in ENDPOINTS:
        app.router.add_route(endpoint.method, PREFIX + endpoint.template, _through(pipeline, endpoint))
    app.router.add_route("*", PREFIX + "/{rest:.*}", _nowhere)


def _through(pipeline: Pipeline, endpoint: Endpoint) -> _Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await pipeline.handle(endpoint, request)

    return handle


async def _nowhere(request: web.Request) -> web.StreamResponse:
    no = refusal.unknown_route()
    raw = json.dumps(no.to_json()).encode()
    return web.Response(body=raw, status=no.status, content_type="application/json")
