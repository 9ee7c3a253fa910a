"""The whole stand-in behind one address: REST, gateway, attachments and `/play`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.playground import front
from bot.playground.gateway.endpoint import Gateway
from bot.playground.guard import only_from_here
from bot.playground.play import web as play
from bot.playground.play.control import ControlRoutes
from bot.playground.play.feed import Feeds
from bot.playground.play.person import PersonRoutes
from bot.playground.play.process import BotProcess, ProcessRoutes
from bot.playground.play.rush import RushRoutes
from bot.playground.play.setting import SettingRoutes
from bot.playground.protocol.schema import described
from bot.playground.protocol.wire import as_id
from bot.playground.rest import table
from bot.playground.rest.pipeline import Pipeline
from bot.playground.world.core import Core
from bot.playground.world.settings import Settings

TOKEN = "playground"  # noqa: S105 (the way in to a toy)
_ATTACHED = {"Content-Security-Policy": "sandbox", "X-Content-Type-Options": "nosniff"}
"""An attachment is never taken for a part of the page."""
_KEPT = {**_ATTACHED, "Cache-Control": "max-age=3600"}
"""An emoji never changes under its id."""
_MOST_BYTES = 32 * 1024 * 1024


class Playground:
    """A stand-in that can be started in any event loop:

    async with Playground() as playground:
        print(playground.address)
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        settings: Settings | None = None,
        clock_file: Path | None = None,
        schema: Path | None = None,
        check_answers: bool = False,
        papers: Mapping[str, Path] | None = None,
    ) -> None:
        """`papers` are single pages that stand on their own, by the path at which they are served beside ours."""
        self._host = host
        self._port = port
        self.core = Core(settings, clock_file)
        self._papers = papers or {}
        self.pipeline = Pipeline(self.core, described(schema) if schema else None, check_answers=check_answers)
        self.gateway = Gateway(self.core, self.pipeline.starts)
        self.feeds = Feeds(self.core)
        self.processes = ProcessRoutes(self.feeds)
        self.app = self._application()
        self._runner: web.AppRunner | None = None
        self.address = ""
        """`http://127.0.0.1:PORT`, once it runs: what a bot takes for Discord."""

    def add_bot(
        self, name: str = "Bot", token: str = TOKEN, server: str | None = "Playground", owner: str = "owner"
    ) -> None:
        """A bot, and a server with one channel where it is a member."""
        app = self.core.world.add_app(name, token)
        if server is not None:
            guild = self.core.world.add_guild(server, self.core.world.add_user(owner))
            self.core.world.add_channel(guild, "games")
            self.core.world.invite(guild, app)

    def control(self, processes: Sequence[BotProcess]) -> None:
        """Let the page turn these processes of the bot off and on."""
        self.processes.processes = processes

    async def start(self) -> None:
        """Listen; with port 0, on any free one."""
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        await site.start()
        port: int = self._runner.addresses[0][1]
        self.address = f"http://{self._host}:{port}"
        self.gateway.address = self.pipeline.gateway = f"ws://{self._host}:{port}/gateway"
        self.core.shelf.base = self.address
        self.pipeline.by_http.start()

    async def stop(self) -> None:
        """Close every connection, then the door."""
        self.core.interactions.close()
        await self.pipeline.by_http.stop()
        self.gateway.stop()
        self.feeds.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def _application(self) -> web.Application:
        app = web.Application(client_max_size=_MOST_BYTES, middlewares=[only_from_here(self._host)])
        table.install(app, self.pipeline)
        for path in ("/gateway", "/gateway/"):
            app.router.add_get(path, self.gateway.handle)
        for prefix in ("attachments", "ephemeral-attachments"):
            app.router.add_get(f"/{prefix}/{{channel}}/{{id}}/{{name}}", self._attachment)
        app.router.add_get("/emojis/{id:\\d{1,20}}.png", self._emoji)
        play.install(app, PersonRoutes(self.core, self.feeds).routes())
        play.install(app, RushRoutes(self.core).routes())
        play.install(app, SettingRoutes(self.core).routes())
        control = ControlRoutes(self.core, self.pipeline, self.gateway, self.feeds, self.processes)
        play.install(app, control.routes())
        play.install(app, self.processes.routes())
        app.router.add_routes(front.routes())
        app.router.add_routes(front.papers(self._papers))
        app.router.add_get("/", self._front)
        return app

    async def _front(self, request: web.Request) -> web.StreamResponse:
        """The page; the gateway also answers at the root, where Discord's own does."""
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self.gateway.handle(request)
        return front.index()

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        found = self.core.shelf.files.get(as_id(request.match_info["id"]) or 0)
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=found.content, content_type=found.content_type, headers=_ATTACHED)

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        """As Discord's content network serves them: to everybody, as long as they are there."""
        wanted = int(request.match_info["id"])
        for app in self.core.world.apps.values():
            if found := app.emojis.get(wanted):
                return web.Response(body=found.picture, content_type=found.content_type, headers=_KEPT)
        raise web.HTTPNotFound
