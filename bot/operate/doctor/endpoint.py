"""Where Discord sends interactions, and whether they arrive there."""

from __future__ import annotations

import time

import aiohttp

from bot.operate.doctor.told import Diagnosis, Patient, trouble, warning, well

REST = aiohttp.ClientTimeout(total=10)
UNSIGNED = b'{"id":"1","type":1}'


async def endpoint(patient: Patient) -> list[Diagnosis]:
    there = (await patient.ask("/applications/@me", time.time)).get("interactions_endpoint_url") or ""
    settings = patient.settings
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
    return [await _knock(there)]


async def _knock(address: str) -> Diagnosis:
    """What is not signed has to be refused: by the bot, and by nobody before it."""
    try:
        async with aiohttp.ClientSession(timeout=REST) as session, session.post(address, data=UNSIGNED) as answer:
            status = answer.status
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        return trouble(f"{address} cannot be reached from here ({type(error).__name__})", "look at what leads there")
    if status != 401:
        said = f"{address} answers {status} to what Discord did not sign, where the bot answers 401"
        return trouble(said, "see that it leads to GOPS_LISTEN, and that the bot runs")
    return well(f"by HTTP at {address}, where what is not signed is refused")
