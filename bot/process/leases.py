"""A keeper that waits: another process leads, and this one takes its place when it is gone."""

from __future__ import annotations

import asyncio
import logging

from bot.operate.monitoring import Lead, Outside

log = logging.getLogger(__name__)


async def leads(lead: Lead, stop: asyncio.Event, outside: Outside) -> bool:
    """Stand by until this process leads; or until it is told to stop."""
    leading, stopping = asyncio.ensure_future(lead()), asyncio.create_task(stop.wait(), name="stop")
    try:
        async with outside.standing_by():
            await asyncio.wait({leading, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            return False
        await leading
    finally:
        for one in (leading, stopping):
            one.cancel()
        await asyncio.gather(leading, stopping, return_exceptions=True)
    log.info("this keeper leads")
    return True
