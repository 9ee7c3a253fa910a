"""Who may ask at all. The stand-in listens on this machine, but every page in a browser here can reach it."""

from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_REFUSED = "Only the page of the stand-in, and programs of this machine, may ask."


def only_from_here(listens_at: str) -> Middleware:
    """Refuse what a foreign page asks for: under a name of its own that was made to point here (DNS rebinding), or as
    itself, which a browser tells by `Origin` even where it opens a websocket."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        origin = request.headers.get("Origin")
        if not _is_ours(host, listens_at) or origin not in (None, f"http://{host}"):
            return web.Response(status=403, text=_REFUSED)
        return await handler(request)

    return guard


def _is_ours(host: str, listens_at: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name and name in ("localhost", listens_at):
        return True
    try:
        address = ip_address(name)
        return address.is_loopback or ip_address(listens_at).is_unspecified  # an address is no name to be rebound
    except ValueError:
        return False
