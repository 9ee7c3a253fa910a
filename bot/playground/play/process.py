"""State and controls of a bot process that runs beside the stand-in."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import web

from bot.playground.play.error import PlayError
from bot.playground.play.feed import Feeds
from bot.playground.play.web import Route, answer, needed, read
from bot.playground.protocol.wire import Json


class BotProcess(Protocol):
    """Port of the supervisor that runs the bot."""

    def describe(self) -> Json:
        """Return at least `state`, one word, and `note`, a sentence for people."""
        ...

    async def kill(self) -> None:
        """Kill the bot as a power cut would. The supervisor starts it again."""
        ...

    async def stop(self) -> None:
        """Stop the bot, and leave it off."""
        ...

    async def start(self) -> None: ...


class ProcessRoutes:
    def __init__(self, feeds: Feeds) -> None:
        self._feeds = feeds
        self.process: BotProcess | None = None

    def routes(self) -> list[Route]:
        return [("GET", "/play/process", self.look), ("POST", "/play/process", self.turn)]

    def describe(self) -> Json | None:
        return None if self.process is None else self.process.describe()

    def changed(self) -> None:
        """Send the state of the process to every page."""
        self._feeds.process(self.describe())

    async def look(self, request: web.Request) -> web.StreamResponse:
        return answer(self.describe())

    async def turn(self, request: web.Request) -> web.StreamResponse:
        """Kill, stop or start the bot, as `do` says."""
        body = await read(request)
        if self.process is None:
            raise PlayError("Nobody here runs the bot.", 404)
        deeds: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": self.process.kill,
            "stop": self.process.stop,
            "start": self.process.start,
        }
        deed = deeds.get(str(needed(body, "do")))
        if deed is None:
            raise PlayError(f"A bot can be told to {', '.join(deeds)}.")
        await deed()
        return answer(self.describe())
