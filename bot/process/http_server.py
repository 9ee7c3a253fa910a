"""Interactions by HTTP, where they are wanted: a door that is open while the client is, and what Discord is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot.errors import SettingsError
from bot.interactions.client import GopsClient
from bot.referee.model.changes import SaveNote, StoreBusy, StoreReadOnly

if TYPE_CHECKING:
    from bot.interactions.transports.http import InteractionServer

log = logging.getLogger(__name__)

NOTE = "endpoint"
"""the note that holds the address that we told Discord last"""

AGAIN_AFTER = 5.0
"""seconds after which an endpoint that Discord did not take is told once more: what answers there may have to start"""

NO_VERIFIER = (
    "GOPS_LISTEN: PyNaCl is not installed, which tells what Discord has signed:"
    " pip install --require-hashes -r requirements-http.txt"
)


def _wanted(record: logging.LogRecord) -> bool:
    """discord.py warns at every login that interactions come by HTTP."""
    return "interaction endpoint URL" not in record.getMessage()


class InteractionEndpoint:
    """One for a process. Raises `SettingsError` where it cannot be."""

    def __init__(
        self,
        listen: tuple[str, int],
        endpoint: str,
        answered: Callable[[int], None],
    ) -> None:
        """`endpoint`: the address to tell Discord; empty if the operator sets it. `answered` is called for each
        interaction that was answered in its own response."""
        try:
            from bot.interactions.transports.http import InteractionServer  # only now: most do without PyNaCl
        except ModuleNotFoundError as error:
            raise SettingsError([NO_VERIFIER]) from error
        self._made = InteractionServer
        self._listen = listen
        self._endpoint = endpoint
        self._answered = answered
        self._door: InteractionServer | None = None
        self._telling: asyncio.Task[None] | None = None
        logging.getLogger("discord.client").addFilter(_wanted)

    async def open(self, client: GopsClient, ready: asyncio.Event) -> None:
        """Once the client has logged in. Raises `SettingsError`."""
        try:
            key = client.application.verify_key if client.application is not None else ""
            door = self._door = self._made(client, key, ready=ready, answered=self._answered)
            port = await door.open(*self._listen)
        except OSError as error:
            named = ":".join(map(str, self._listen))
            raise SettingsError([f"GOPS_LISTEN: {named} cannot be had: {error.strerror}"]) from error
        except ValueError as error:
            raise SettingsError([f"GOPS_LISTEN: {error}"]) from error
        log.info("interactions are awaited at %s, port %d", self._listen[0], port)

    async def close(self) -> None:
        """Closing twice is no mistake."""
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        door, self._door = self._door, None
        if door is not None:
            await door.close()

    async def register_endpoint(self, client: GopsClient) -> None:
        """Discord tries the address out at once, so the door must be open."""
        if self._endpoint and not await register_endpoint(client, self._endpoint):
            self._telling = asyncio.create_task(self._tell_again(client), name="endpoint")

    async def _tell_again(self, client: GopsClient) -> None:
        """Until it is taken, or this is cancelled."""
        while True:
            await asyncio.sleep(AGAIN_AFTER)
            with suppress(discord.DiscordException, StoreBusy, StoreReadOnly, OSError, TimeoutError):
                if await register_endpoint(client, self._endpoint, again=True):
                    return


async def register_endpoint(client: GopsClient, endpoint: str, *, again: bool = False) -> bool:
    """Tell Discord where interactions go, where it does not know; an address that somebody else has set stays, unless
    there is one of ours. Whether it knows now what it should; `again`: it was said before that it does not."""
    referee, note = client.services.referee, f"{NOTE} {client.application_id}"
    there = (client.application.interactions_endpoint_url if client.application is not None else None) or ""
    if there == endpoint or (not endpoint and there != await referee.store.note(note)):
        return True
    try:
        await client.set_endpoint(endpoint)
    except discord.HTTPException as error:
        if error.status != 400:
            raise
        log.log(
            logging.DEBUG if again else logging.ERROR,
            "Discord does not take GOPS_ENDPOINT, so interactions come as they came before: what arrives at that"
            " address has to reach GOPS_LISTEN. It said: %s",
            " ".join(error.text.split()),
        )
        return False
    await referee.write((SaveNote(note, endpoint),))
    log.info("told Discord that interactions go to %s", endpoint or "the gateway")
    return True
