"""What the outside is told of this process: a supervisor, and whoever reads figures. Nothing runs where nobody asks."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from bot.errors import SettingsError
from bot.operate.health import Health
from bot.operate.systemd import Supervisor
from bot.referee.clock.presence import Presence
from bot.referee.house.thinking import Thinking
from bot.referee.ports import Clock
from bot.referee.referee import Referee
from bot.settings import Settings
from data.remembering import RememberingStore

if TYPE_CHECKING:
    from bot.operate.figures import Figures

log = logging.getLogger(__name__)


class Outside:
    """One for a process."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.supervisor = Supervisor(os.environ)
        self._port = settings.metrics
        self.figures: Figures | None = None
        if settings.metrics:
            from bot.operate.figures import Figures  # only now: it takes memory, and most run without it

            self.figures = Figures(clock)

    async def store(self, settings: Settings) -> RememberingStore:
        """The store, watched where somebody reads the figures."""
        if self.figures is None:
            store = await RememberingStore.open(settings.where, alone=True)
        else:
            from bot.operate.figures import WatchedStore

            watched = store = await WatchedStore.open(settings.where, alone=True)
            watched.figures = self.figures
        store.usual_clock = settings.clock
        return store

    def trace(self, config: Any) -> Any:
        """For a session that calls Discord; `config` is aiohttp's."""
        return config if self.figures is None else self.figures.around(config)

    def gateway(self, what: str) -> None:
        """A connection was begun, resumed or lost."""
        if self.figures is not None:
            self.figures.gateway(what)
        self.supervisor.tell("STATUS=no connection to Discord" if what == "lost" else "STATUS=connected to Discord")

    def ready(self) -> None:
        """Presses arrive."""
        self.supervisor.tell("READY=1", "STATUS=connected to Discord")

    def stopping(self) -> None:
        self.supervisor.tell("STOPPING=1", "STATUS=finishing what is under way")

    @asynccontextmanager
    async def watched(
        self, referee: Referee, presence: Presence, store: RememberingStore, thinking: Thinking
    ) -> AsyncGenerator[None]:
        """Tell whoever asks, until left. Raises `SettingsError` where the port is taken."""
        health = Health(referee, presence, store.database, thinking, self.figures)
        work: list[Any] = []
        async with AsyncExitStack() as stack:
            if self.figures is not None:
                from bot.operate.pages import served

                try:
                    port = await stack.enter_async_context(served(self._port, health, self.figures))
                except OSError as error:
                    raise SettingsError([f"GOPS_METRICS: port {self._port} cannot be had: {error.strerror}"]) from error
                log.info("figures are at http://127.0.0.1:%d/metrics", port)
                work.append(health.look())
            if self.supervisor.patience:
                work.append(self.supervisor.feed(health.alive))
            if work:
                work.append(health.tick())
            tasks = [asyncio.create_task(one, name="health") for one in work]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
