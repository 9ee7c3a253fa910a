"""Interactions that go to an address, and how long Discord waits there."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from bot.playground.server import TOKEN, Playground
from tests.driver import Stage
from tests.operate.ports import free_port
from tests.playground.raw import RawBot

SLOW = 0.3
"""seconds that the endpoint takes"""


@asynccontextmanager
async def by_http(
    answered: Callable[[web.Request], Awaitable[web.Response]],
) -> AsyncGenerator[tuple[Playground, Stage, RawBot]]:
    """Add a bot with a command and an endpoint that gives this answer."""
    app, port = web.Application(), free_port()
    app.router.add_post("/", answered)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    playground = Playground()
    playground.add_bot()
    try:
        async with (
            playground,
            Stage.connect(playground.address) as stage,
            RawBot.connect(playground.address, TOKEN) as raw,
        ):
            await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
            playground.core.world.apps[int(raw.id)].endpoint = f"http://127.0.0.1:{port}/"
            yield playground, stage, raw
    finally:
        await runner.cleanup()


async def test_answer_by_http_may_take_the_configured_time() -> None:
    """The time was once fixed at the start, and presses on a busy machine failed after three seconds."""

    async def answered(request: web.Request) -> web.Response:
        await asyncio.sleep(SLOW)
        return web.json_response({"type": 4, "data": {"content": "at last"}})

    async with by_http(answered) as (playground, stage, _):
        playground.core.settings.ack_seconds = SLOW / 3
        ana = await stage.person("Ana")
        await stage.settings(ack_seconds=60)
        assert (await ana.slash("/go")).shown.content == "at last"


async def test_token_is_known_some_time_after_an_answer_in_the_response() -> None:
    tokens: list[str] = []

    async def answered(request: web.Request) -> web.Response:
        tokens.append((await request.json())["token"])
        return web.json_response({"type": 5})

    async with by_http(answered) as (playground, stage, raw):
        await stage.settings(token_delay=10)
        ana = await stage.person("Ana")
        await ana.slash("/go")
        [made] = playground.core.interactions.by_id.values()
        assert time.monotonic() - 1 < made.known_at <= time.monotonic() + 10
        hook = f"/webhooks/{raw.id}/{tokens[0]}"
        made.known_at = time.monotonic() + 60
        told = await raw.call("POST", hook, {"content": "hello"})
        assert (told.status, told.code) == (404, 10015)
        made.known_at = time.monotonic()
        assert (await raw.call("POST", hook, {"content": "hello"})).status == 200
