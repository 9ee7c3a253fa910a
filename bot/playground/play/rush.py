"""Many presses in one call, so that a load needs no socket per person: `POST /play/presses`."""

import asyncio
import time
from collections.abc import Iterator
from fnmatch import fnmatchcase

from aiohttp import web

from bot.playground.play import act, view
from bot.playground.play.error import PlayError
from bot.playground.play.web import Route, answer, needed, read, whole
from bot.playground.protocol import component as kinds
from bot.playground.protocol.wire import Json, as_id, items
from bot.playground.world.core import Core
from bot.playground.world.model import State


class RushRoutes:
    def __init__(self, core: Core) -> None:
        self._core = core

    def routes(self) -> list[Route]:
        return [("POST", "/play/presses", self.presses)]

    async def presses(self, request: web.Request) -> web.StreamResponse:
        """Press the first live button `like` a pattern on each message of `on` ([person, channel, message]), in
        order, `at_once` of them unanswered at a time. Answers with the milliseconds that each answer took; presses
        that nobody answered in time are `failed`, messages without such a button `skipped`."""
        body = await read(request)
        rush = _Rush(self._core, str(needed(body, "like")))
        todo = iter([_three(one) for one in items(body.get("on"))])
        started = time.perf_counter()
        await asyncio.gather(*(rush.work(todo) for _ in range(whole(body.get("at_once", 1), "at_once", 1, 10_000))))
        seconds = time.perf_counter() - started
        return answer({"seconds": seconds, **rush.told()})


def _three(given: object) -> tuple[int, int, int]:
    """A person, a channel and a message."""
    ids = [as_id(one) for one in items(given)]
    if len(ids) != 3 or None in ids:
        raise PlayError("on takes [person, channel, message], again and again.")
    person, channel, message = (one or 0 for one in ids)
    return person, channel, message


class _Rush:
    """Several people's thumbs."""

    def __init__(self, core: Core, like: str) -> None:
        self._core = core
        self._like = like
        self._milliseconds: list[float] = []
        self._failed = 0
        self._skipped = 0

    async def work(self, todo: Iterator[tuple[int, int, int]]) -> None:
        for person, channel, message in todo:
            try:
                await self._press(person, channel, message)
            except PlayError:
                self._skipped += 1

    async def _press(self, person_id: int, channel_id: int, message_id: int) -> None:
        core = self._core
        person = core.world.user(person_id)
        home = view.channel(core, person, channel_id)
        custom_id = _live_button(view.message(core, person, channel_id, message_id).components, self._like)
        started = time.perf_counter()
        made = act.press(core, person, home, message_id, custom_id)
        await made.settled.wait()
        if made.state is State.ACKNOWLEDGED:
            self._milliseconds.append(round((time.perf_counter() - started) * 1000, 3))
        else:
            self._failed += 1

    def told(self) -> Json:
        return {"milliseconds": self._milliseconds, "failed": self._failed, "skipped": self._skipped}


def _live_button(components: list[Json], like: str) -> str:
    for one in kinds.each(components):
        custom_id = str(one.get("custom_id", ""))
        if one["type"] == kinds.BUTTON and not one.get("disabled") and fnmatchcase(custom_id, like):
            return custom_id
    raise PlayError(f"The message has no live button like {like}.")
