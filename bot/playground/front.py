"""The page: a few hand-written files, served as they are."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from aiohttp import web

FOLDER = Path(__file__).with_name("page")
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

ALONE = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


def routes() -> list[web.RouteDef]:
    return [web.get("/page/{name}", _file)]


def papers(found: Mapping[str, Path]) -> list[web.RouteDef]:
    """Pages that stand on their own: they may run what they bring along, and reach nothing at all."""

    def serve(path: Path) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        page = path.read_bytes()

        async def served(_: web.Request) -> web.StreamResponse:
            return web.Response(body=page, content_type="text/html", charset="utf-8", headers=ALONE)

        return served

    return [web.get(f"/{name}", serve(path)) for name, path in found.items()]


def index() -> web.Response:
    return _serve("index.html")


async def _file(request: web.Request) -> web.StreamResponse:
    return _serve(request.match_info["name"])


def _serve(name: str) -> web.Response:
    path = FOLDER / name
    if path.parent != FOLDER or path.suffix not in TYPES or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], charset="utf-8", headers=HEADERS)
