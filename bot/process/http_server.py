"""Interactions by HTTP: the server for them, open while the client is, and the address that Discord gets."""

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
"""key of the note with the address that the bot registered last"""

AGAIN_AFTER = 5.0
"""seconds until a refused address is registered again: the proxy in front may still be starting"""

NO_VERIFIER = (
    "GOPS_LISTEN: PyNaCl is not installed, which checks Discord's signatures:"
    " pip install --require-hashes -r requirements-http.txt"
)


def _wanted(record: logging.LogRecord) -> bool:
    """Drop discord.py's warning, at every login, that interactions come by HTTP."""
    return "interaction endpoint URL" not in record.getMessage()


class InteractionEndpoint:
    """The endpoint of a process. Raises `SettingsError` if PyNaCl is missing."""

    def __init__(
        self,
        listen: tuple[str, int],
        endpoint: str,
        answered: Callable[[int], None],
    ) -> None:
        """`endpoint` is the public address to register, empty if the operator registers it. `answered` gets the id of
        each interaction that was answered in its own HTTP response."""
        try:
            from bot.interactions.transports.http import InteractionServer  # imported late: PyNaCl is optional
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
        """Listen. Call this after the login. Raises `SettingsError` if the port is taken."""
        try:
            key = client.application.verify_key if client.application is not None else ""
            door = self._door = self._made(client, key, ready=ready, answered=self._answered)
            port = await door.open(*self._listen)
        except OSError as error:
            named = ":".join(map(str, self._listen))
            raise SettingsError([f"GOPS_LISTEN: {named} cannot be opened: {error.strerror}"]) from error
        except ValueError as error:
            raise SettingsError([f"GOPS_LISTEN: {error}"]) from error
        log.info("listening for interactions at %s, port %d", self._listen[0], port)

    async def close(self) -> None:
        """Stop listening. A second call does nothing."""
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        door, self._door = self._door, None
        if door is not None:
            await door.close()

    async def register_endpoint(self, client: GopsClient) -> None:
        """Register the address, with retries. Discord tests it at once, so the server has to be open."""
        if self._endpoint and not await register_endpoint(client, self._endpoint):
            self._telling = asyncio.create_task(self._tell_again(client), name="endpoint")

    async def _tell_again(self, client: GopsClient) -> None:
        """Retry until Discord accepts the address."""
        while True:
            await asyncio.sleep(AGAIN_AFTER)
            with suppress(discord.DiscordException, StoreBusy, StoreReadOnly, OSError, TimeoutError):
                if await register_endpoint(client, self._endpoint, again=True):
                    return


async def register_endpoint(client: GopsClient, endpoint: str, *, again: bool = False) -> bool:
    """Set the address for interactions at Discord; empty for the gateway. Return False if Discord refused it.

    An empty `endpoint` removes only an address that this bot registered. `again` logs a refusal at debug level."""
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
    log.info("registered with Discord: interactions go to %s", endpoint or "the gateway")
    return True
