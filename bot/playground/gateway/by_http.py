"""Interactions by HTTP: where an app has an endpoint, they go there and not to its gateway sessions."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

from bot.playground.gateway.describe import interaction_create
from bot.playground.protocol.refusal import Refusal, invalid
from bot.playground.protocol.wire import Json, as_object
from bot.playground.world import event as ev
from bot.playground.world.core import Core
from bot.playground.world.model import App, Interaction, State

log = logging.getLogger(__name__)

PING, PONG = 1, 1
NOT_VALID = "The specified interactions endpoint url could not be verified."


class ByHttp:
    """Signs and sends them, and takes the answers that come back."""

    def __init__(self, core: Core, answered: Callable[[Interaction, Json], Awaitable[None]]) -> None:
        """`answered` takes the first answer, or raises `Refusal`."""
        self._core = core
        self._answered = answered
        self._session: aiohttp.ClientSession | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        core.bus.subscribe(self._hear)

    def start(self) -> None:
        self._session = aiohttp.ClientSession()

    async def stop(self) -> None:
        for one in self._under_way:
            one.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def set(self, app: App, url: str | None) -> None:
        """Discord tries an endpoint out before it takes it: it answers a PING, and refuses one that is not signed."""
        if url and url != app.endpoint:
            good = app.signer.there and await self._ping(app, url, forged=False) == (200, PONG)
            if not good or (await self._ping(app, url, forged=True))[0] != 401:
                raise invalid(
                    ("interactions_endpoint_url",), "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID", NOT_VALID
                )
        app.endpoint = url or None

    def _hear(self, event: ev.Event) -> None:
        if isinstance(event, ev.InteractionMade) and event.interaction.app.endpoint:
            task = asyncio.get_running_loop().create_task(self._send(event.interaction))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _ping(self, app: App, url: str, *, forged: bool) -> tuple[int, Any]:
        body = {"id": str(self._core.world.mint.new()), "application_id": str(app.id), "type": PING, "version": 1}
        try:
            status, told = await self._post(app, url, body, forged=forged)
        except (aiohttp.ClientError, OSError, TimeoutError):
            return 0, None
        return status, told.get("type")

    async def _send(self, made: Interaction) -> None:
        """One that is not answered, or not as it should be, has failed."""
        assert made.app.endpoint is not None
        try:
            status, answer = await self._post(made.app, made.app.endpoint, interaction_create(self._core, made))
        except (aiohttp.ClientError, OSError, TimeoutError):
            status, answer = 0, {}
        if status == 202 or made.state is not State.WAITING:
            return  # the answer is a call of its own
        try:
            if status == 200:
                await self._answered(made, answer)
        except Refusal as no:
            log.warning("an answer to an interaction was refused: %s", no)
        if made.state is State.WAITING:
            self._core.interactions.fail(made)

    async def _post(self, app: App, url: str, body: Any, *, forged: bool = False) -> tuple[int, dict[str, Any]]:
        assert self._session is not None
        raw = json.dumps(body, separators=(",", ":")).encode()
        stamp = str(int(self._core.clock.time()))
        signature = app.signer.sign(stamp, raw if not forged else raw + b" ")
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Discord-Interactions/1.0 (+https://discord.com)",
            "X-Signature-Ed25519": signature,
            "X-Signature-Timestamp": stamp,
        }
        patience = aiohttp.ClientTimeout(total=self._core.settings.ack_seconds)
        async with self._session.post(url, data=raw, headers=headers, timeout=patience) as response:
            told = await response.read()
            try:
                return response.status, as_object(json.loads(told)) or {}
            except ValueError:
                return response.status, {}
