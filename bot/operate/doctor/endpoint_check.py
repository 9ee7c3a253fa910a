"""Check where Discord sends interactions, and that they arrive there."""

from __future__ import annotations

import time

import aiohttp

from bot.errors import DatabaseError
from bot.operate.doctor.report import Diagnosis, DoctorContext, trouble, unknown, warning, well
from bot.referee.model.changes import StoreBusy, StoreReadOnly

REST = aiohttp.ClientTimeout(total=10)
UNSIGNED = b'{"id":"1","type":1}'
UNSIGNED_IS = 401


async def endpoint(context: DoctorContext) -> list[Diagnosis]:
    return [*await _interactions(context), *await _leader(context)]


async def _leader(context: DoctorContext) -> list[Diagnosis]:
    """Warn if no process leads on a PostgreSQL database."""
    if not context.settings.server:
        return []
    from data.postgres.leader import is_led

    try:
        if not await is_led(context.settings.server):
            return [
                warning("no process leads at this moment", "start the bot, or a standby with gops run --role standby")
            ]
    except (DatabaseError, StoreBusy, StoreReadOnly) as error:
        return [unknown(str(error))]
    return []


async def _interactions(context: DoctorContext) -> list[Diagnosis]:
    there = (await context.ask("/applications/@me", time.time)).get("interactions_endpoint_url") or ""
    settings = context.settings
    if not there and settings.listen is None:
        return [well("by the gateway")]
    if settings.listen is None:
        said = f"Discord sends interactions to {there}, and this bot does not listen: commands and buttons fail"
        return [trouble(said, "set GOPS_LISTEN, or start the bot that set the address: it takes it back")]
    if settings.endpoint and settings.endpoint != there:
        said = f"Discord sends interactions to {there or 'the gateway'}, and not to GOPS_ENDPOINT"
        return [trouble(said, "start the bot, and read what it says of GOPS_ENDPOINT")]
    if not there:
        return [warning("Discord sends interactions to the gateway: it was told no address", "set GOPS_ENDPOINT")]
    return [await _probe(there)]


async def _probe(address: str) -> Diagnosis:
    """Send an unsigned request: the bot itself has to refuse it."""
    status = await _post_unsigned(address)
    if isinstance(status, str):
        return trouble(f"{address} cannot be reached from here ({status})", "look at what leads there")
    if status != UNSIGNED_IS:
        said = f"{address} answers {status} to what Discord did not sign, where the bot answers 401"
        return trouble(said, "see that it leads to GOPS_LISTEN, and that the bot runs")
    return well(f"by HTTP at {address}, where what is not signed is refused")


async def _post_unsigned(address: str) -> int | str:
    """Return the status of the answer to an unsigned request, or the name of the error."""
    try:
        async with aiohttp.ClientSession(timeout=REST) as session, session.post(address, data=UNSIGNED) as answer:
            return answer.status
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        return type(error).__name__
