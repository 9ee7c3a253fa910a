"""State and controls of the processes of the bot that run beside the stand-in."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from aiohttp import web

from bot.playground.play.error import PlayError
from bot.playground.play.feed import Feeds
from bot.playground.play.web import Route, answer, needed, read, whole
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
        self.processes: Sequence[BotProcess] = ()

    def routes(self) -> list[Route]:
        return [("GET", "/play/processes", self.look), ("POST", "/play/processes", self.turn)]

    def describe(self) -> list[Json]:
        return [process.describe() for process in self.processes]

    def changed(self) -> None:
        """Send the state of the processes to every page."""
        self._feeds.processes(self.describe())

    async def look(self, request: web.Request) -> web.StreamResponse:
        return answer(self.describe())

    async def turn(self, request: web.Request) -> web.StreamResponse:
        """Kill, stop or start the process of this number, as `do` says. The first process has the number 1."""
        body = await read(request)
        if not self.processes:
            raise PlayError("Nobody here runs the bot.", 404)
        process = self.processes[whole(body.get("number", 1), "number", 1, len(self.processes)) - 1]
        deeds: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": process.kill,
            "stop": process.stop,
            "start": process.start,
        }
        deed = deeds.get(str(needed(body, "do")))
        if deed is None:
            raise PlayError(f"A bot can be told to {', '.join(deeds)}.")
        await deed()
        return answer(self.describe())
