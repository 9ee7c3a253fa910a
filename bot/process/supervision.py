"""Stand by for the lead among several processes, reload the bans on SIGHUP, and say how a client ended."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable

import aiohttp
import discord

from bot.errors import SettingsError
from bot.interactions.client import GopsClient
from bot.operate.monitoring import Lead, Monitoring
from bot.process import gateway
from bot.settings import EXIT_SETUP, Settings

log = logging.getLogger(__name__)

EXIT_OK = 0
EXIT_TROUBLE = 1


async def wait_for_lead(lead: Lead, stop: asyncio.Event, monitoring: Monitoring) -> bool:
    """Stand by until this process leads. Return False if a signal stopped it before."""
    leading, stopping = asyncio.ensure_future(lead()), asyncio.create_task(stop.wait(), name="stop")
    try:
        async with monitoring.standing_by():
            await asyncio.wait({leading, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            return False
        await leading
    finally:
        for one in (leading, stopping):
            one.cancel()
        await asyncio.gather(leading, stopping, return_exceptions=True)
    log.info("this process leads")
    return True


Reload = Callable[[], Settings]
"""returns the settings, read again"""


async def reload_bans(client: GopsClient, reload: Reload) -> None:
    """Apply the bans of the settings at each SIGHUP, until cancelled. Invalid settings change nothing."""
    hangup, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGHUP, hangup.set)
    while True:
        await hangup.wait()
        hangup.clear()
        try:
            settings = reload()
        except SettingsError as error:
            log.error("bans are unchanged: %s", "; ".join(error.problems))
            continue
        bans = client.services.bans
        bans.users, bans.servers = settings.banned_users, settings.banned_servers
        log.info("banned: %d people, %d servers", len(bans.users), len(bans.servers))
        await client.leave_banned_servers()


def exit_code(task: asyncio.Task[None], connected: bool, shards: int) -> int | None:
    """Return the exit code for the end of a client with this setting of `shards`, or None if a retry may help."""
    error = task.exception() if task.done() and not task.cancelled() else None
    closed = error.code if isinstance(error, discord.ConnectionClosed) else 0
    if isinstance(error, discord.LoginFailure) or closed == gateway.AUTHENTICATION_FAILED:
        log.error("Discord refuses this token: check DISCORD_TOKEN")
        return EXIT_SETUP
    if isinstance(error, discord.PrivilegedIntentsRequired):
        log.error("Discord refuses the intents of this bot")
        return EXIT_SETUP
    if closed == gateway.SHARDING_REQUIRED and shards:
        log.error(
            "Discord requires more shards than GOPS_SHARDS=%d: leave it empty to have as many as it needs", shards
        )
        return EXIT_SETUP
    if isinstance(error, SettingsError):
        log.error("%s", error)
        return EXIT_SETUP
    if closed == gateway.SHARDING_REQUIRED:
        log.error("Discord requires more shards by now: the bot begins again with as many as Discord recommends")
    elif error is not None:
        log.error("the connection to Discord ended: %s: %s", type(error).__name__, error)
    retry = isinstance(error, aiohttp.ClientError | OSError | discord.DiscordException)
    return None if retry and not connected else EXIT_TROUBLE
