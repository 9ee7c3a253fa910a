"""Whether people can play while the gateway is lost and interactions come by HTTP: as long as Discord's API answers."""

from __future__ import annotations

import asyncio

import discord

from bot.referee.clock.presence import BEAT, Presence
from bot.rest.direct import BROKEN

PATIENCE = 10.0
"""seconds for one answer"""


async def follow_api(client: discord.Client, presence: Presence) -> None:
    """Ask the API again and again, until cancelled; clocks stand while it does not answer."""
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                await client.application_info()
        except (discord.DiscordException, *BROKEN):
            presence.gone()
        else:
            if not presence.online.is_set():
                await presence.back()
        await asyncio.sleep(BEAT.total_seconds())
