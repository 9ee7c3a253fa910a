"""The page: a few hand-written files, served as they are."""

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


def routes() -> list[web.RouteDef]:
    return [web.get("/page/{name}", _file)]


def index() -> web.Response:
    return _serve("index.html")


async def _file(request: web.Request) -> web.StreamResponse:
    return _serve(request.match_info["name"])


def _serve(name: str) -> web.Response:
    path = FOLDER / name
    if path.parent != FOLDER or path.suffix not in TYPES or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], charset="utf-8", headers=HEADERS)
