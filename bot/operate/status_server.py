"""The HTTP server of /healthz, /readyz and /metrics, for programs on this machine."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.operate.health import HealthSource
from bot.process.base.addresses import is_here

if TYPE_CHECKING:
    from bot.operate.metrics import Metrics

log = logging.getLogger(__name__)

HERE = "127.0.0.1"
UNAVAILABLE = 503
MISDIRECTED = 421


@asynccontextmanager
async def serve_status(port: int, health: HealthSource, metrics: Metrics) -> AsyncGenerator[int]:
    """Listen until left. Yield the port, which the system chooses for 0. Raises OSError if the port is taken."""
    runner = web.AppRunner(_application(health, metrics), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, HERE, port).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _application(health: HealthSource, metrics: Metrics) -> web.Application:
    async def alive(_: web.Request) -> web.Response:
        if health.alive():
            return web.Response(text="alive\n")
        return web.Response(text=f"the event loop stood still for {health.lag:.1f} s\n", status=UNAVAILABLE)

    async def ready(_: web.Request) -> web.Response:
        troubles = await health.troubles()
        if troubles:
            return web.Response(text="".join(f"{one}\n" for one in troubles), status=UNAVAILABLE)
        return web.Response(text="ready\n")

    async def show_metrics(_: web.Request) -> web.Response:
        return web.Response(body=metrics.text(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse foreign host names: DNS rebinding would let a page in a browser read the status."""
        if not is_here(request.url.host):
            return web.Response(status=MISDIRECTED)
        return await handler(request)

    application = web.Application(middlewares=[guarded])
    application.router.add_get("/healthz", alive)
    application.router.add_get("/readyz", ready)
    application.router.add_get("/metrics", show_metrics)
    return application
