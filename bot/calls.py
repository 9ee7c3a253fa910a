"""The connections over which a client shows what is there already."""

from __future__ import annotations

import aiohttp

from bot.operate.outside import Outside
from bot.sender import Sender
from cogs import inside
from cogs.client import GopsClient

BROKEN = (aiohttp.ClientError, OSError, TimeoutError)
"""what a connection that breaks raises, besides discord's own exceptions"""

UNANSWERED = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=30)
"""a drawing that nobody answers for so long is lost, and drawn anew; waiting for its turn at the gate does not count"""


def open_direct(client: GopsClient, outside: Outside | None) -> None:
    """Over the connections of discord.py, and with its gate where calls count."""
    its = inside.connections_of(client)

    watched = outside is not None and outside.figures is not None
    free = outside.trace(aiohttp.TraceConfig()) if outside is not None and watched else None
    client.direct.open(
        uncounted=Sender(its.connector, its.user_agent, UNANSWERED, free),
        counted=Sender(its.connector, its.user_agent, UNANSWERED, its.trace),
    )
