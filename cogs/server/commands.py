"""`/gops settings`: everything that only those may do who manage a server."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.commands import group
from cogs.server.moderating import adjudicate, bar, stop, void
from cogs.server.settings import show


async def setup(bot: GopsClient) -> None:
    bot.offer(group("settings", "Set up GOPS in this server (Manage Server)", show, stop, void, adjudicate, bar))
