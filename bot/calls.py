"""The connections over which a client shows what is there already."""

from __future__ import annotations

from typing import Any

import aiohttp

from bot.operate.outside import Outside
from cogs import inside
from cogs.client import GopsClient

BROKEN = (aiohttp.ClientError, OSError, TimeoutError)
"""what a connection that breaks raises, besides discord's own exceptions"""

UNANSWERED = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=30)
"""a drawing that nobody answers for so long is lost, and drawn anew; waiting for its turn at the gate does not count"""


def open_direct(client: GopsClient, outside: Outside | None) -> None:
    """Over the connections of discord.py, and with its gate where calls count."""
    its = inside.connections_of(client)

    def session(trace: Any) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=its.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=UNANSWERED,
            headers={"User-Agent": its.user_agent},
            trace_configs=None if trace is None else [trace],
        )

    watched = outside is not None and outside.figures is not None
    free = outside.trace(aiohttp.TraceConfig()) if outside is not None and watched else None
    client.direct.open(uncounted=session(free), counted=session(its.trace))
