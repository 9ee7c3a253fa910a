"""Join the other processes or stand by, reload the bans on SIGHUP, and say how a client ended."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.errors import SettingsError
from bot.interactions.client import GopsClient
from bot.operate.monitoring import Monitoring
from bot.process import gateway
from bot.settings import EXIT_SETUP, Settings

if TYPE_CHECKING:
    from data.postgres.leases import Leases

log = logging.getLogger(__name__)

EXIT_OK = 0
EXIT_TROUBLE = 1


async def join_processes(leases: Leases, is_shared: bool, stop: asyncio.Event, monitoring: Monitoring) -> bool:
    """Join the processes of the database. Unless they share the work, stand by until this one owns all partitions.
    Return False if a signal stopped it before."""
    acquiring = asyncio.create_task(leases.join() if is_shared else leases.acquire(), name="join")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    try:
        async with monitoring.standing_by():
            await asyncio.wait({acquiring, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            return False
        await acquiring
    finally:
        for task in (acquiring, stopping):
            task.cancel()
        await asyncio.gather(acquiring, stopping, return_exceptions=True)
    if not is_shared:
        log.info("this process owns all partitions")
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
        log.error("Discord requires more shards than GOPS_SHARDS=%d: leave it empty for as many as it needs", shards)
        return EXIT_SETUP
    if isinstance(error, SettingsError):
        log.error("%s", error)
        return EXIT_SETUP
    if closed == gateway.SHARDING_REQUIRED:
        log.error("Discord now requires more shards: the bot restarts with as many as Discord recommends")
    elif error is not None:
        log.error("the connection to Discord ended: %s: %s", type(error).__name__, error)
    retry = isinstance(error, aiohttp.ClientError | OSError | discord.DiscordException)
    return None if retry and not connected else EXIT_TROUBLE
