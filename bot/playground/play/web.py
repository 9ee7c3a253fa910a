"""Small parts of every `/play` route."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from bot.playground.play.error import PlayError
from bot.playground.protocol.number import read_number, read_whole
from bot.playground.protocol.refusal import Refusal
from bot.playground.protocol.wire import Json, as_object

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Route = tuple[str, str, Handler]


async def read(request: web.Request) -> Json:
    """The body as an object; an empty one if there is none."""
    raw = await request.read()
    try:
        return as_object(json.loads(raw)) or {} if raw else {}
    except (ValueError, RecursionError):
        raise PlayError("The body is not JSON.") from None


def needed(body: Json, key: str) -> Any:
    if body.get(key) is None:
        raise PlayError(f"{key} is missing.")
    return body[key]


def whole(value: object, name: str, least: int = 0, most: int = 1_000_000) -> int:
    """A whole number, or a sentence."""
    number = read_whole(value)
    if number is None or not least <= number <= most:
        raise PlayError(f"{name} must be a whole number, {least} to {most}.")
    return number


def real(value: object, name: str, least: float = 0.0, most: float = 1e9) -> float:
    """A number, or a sentence."""
    number = read_number(value)
    if number is None or not least <= number <= most:
        raise PlayError(f"{name} must be a number, {least:g} to {most:g}.")
    return number


def answer(body: Any, status: int = 200) -> web.Response:
    raw = json.dumps(body, separators=(",", ":")).encode()
    return web.Response(body=raw, status=status, content_type="application/json")


def install(app: web.Application, routes: list[Route]) -> None:
    for method, path, handler in routes:
        app.router.add_route(method, path, _told(handler))


def _told(handler: Handler) -> Handler:
    """Answer with the sentence where something cannot be done.

    The page (`X-Page`) gets it with status 200: a browser takes any other for a fault of the page, and logs it.
    """

    async def handle(request: web.Request) -> web.StreamResponse:
        quiet = "X-Page" in request.headers
        if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            # Some other site that is open in the same browser.
            return answer({"error": "Only the page of the stand-in may ask."}, 403)
        try:
            return await handler(request)
        except PlayError as no:
            return answer({"error": no.sentence}, 200 if quiet else no.status)
        except Refusal as no:
            told = {"error": no.message, "code": no.code, "errors": no.errors}
            return answer(told, 200 if quiet else no.status)

    return handle
