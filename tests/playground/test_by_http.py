"""Interactions that go to an address, and how long Discord waits there."""

import asyncio

from aiohttp import web

from bot.playground.server import TOKEN, Playground
from tests.driver import Stage
from tests.operate.ports import free_port
from tests.playground.raw import RawBot

SLOW = 0.3
"""seconds that the endpoint takes"""


async def test_it_waits_as_long_as_it_is_told() -> None:
    """It waited as long as was right when it started, so that on a busy machine presses failed after three seconds."""

    async def answered(request: web.Request) -> web.Response:
        await asyncio.sleep(SLOW)
        return web.json_response({"type": 4, "data": {"content": "at last"}})

    app, port = web.Application(), free_port()
    app.router.add_post("/", answered)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    playground = Playground()
    playground.add_bot()
    playground.core.settings.ack_seconds = SLOW / 3
    try:
        async with (
            playground,
            Stage.connect(playground.address) as stage,
            RawBot.connect(playground.address, TOKEN) as raw,
        ):
            await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
            playground.core.world.apps[int(raw.id)].endpoint = f"http://127.0.0.1:{port}/"
            ana = await stage.person("Ana")
            await stage.settings(ack_seconds=60)
            assert (await ana.slash("/go")).shown.content == "at last"
    finally:
        await runner.cleanup()
