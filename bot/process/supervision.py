"""Stand by for the lead among several processes, and reload the bans on SIGHUP."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable

from bot.errors import SettingsError
from bot.interactions.client import GopsClient
from bot.operate.monitoring import Lead, Monitoring
from bot.settings import Settings

log = logging.getLogger(__name__)


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
