"""`/gops settings`: everything that only those may do who manage a server."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.commands import command_group
from cogs.server.moderating import adjudicate, bar, stop, void
from cogs.server.settings import show


async def setup(bot: GopsClient) -> None:
    bot.add_commands(
        command_group("settings", "Set up GOPS in this server (Manage Server)", show, stop, void, adjudicate, bar)
    )
