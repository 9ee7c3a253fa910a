"""What the outside is told of this process: a supervisor, and whoever reads figures. Nothing runs where nobody asks."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from bot.errors import SettingsError
from bot.operate.health import Health, HealthSource, StandbyHealth, name_lost
from bot.operate.people_figures import keep_figures
from bot.operate.watchdog import SystemdNotifier, Watchdog
from bot.referee.clock.presence import Presence
from bot.referee.house.thinking import Thinking
from bot.referee.model import Clock
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.referee import Referee
from bot.rest.global_limit import InvalidRequests
from bot.settings import Settings
from data.cache import CachingStore

if TYPE_CHECKING:
    from bot.operate.metrics import Metrics

log = logging.getLogger(__name__)


S = TypeVar("S", bound=CachingStore)


class Monitoring:
    """What supervisors and monitoring get to know: systemd, metrics and status pages. Use one for a process."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.notifier = SystemdNotifier(os.environ)
        self._port = settings.metrics
        self._is_port_logged = False
        self.lost = ""
        """which of the shards have no connection to Discord, in words; empty if it is all of them, or none"""
        self.invalid_requests = InvalidRequests()
        """counts for all clients of this process"""
        self.metrics: Metrics | None = None
        if settings.metrics:
            from bot.operate.metrics import Metrics  # imported late: it takes memory, and most run without it

            self.metrics = Metrics(clock, self.invalid_requests)

    async def store(self, settings: Settings) -> CachingStore:
        """Open the store, measured if metrics are on."""
        if self.metrics is None:
            store = await _opened(CachingStore, settings)
        else:
            from bot.operate.metrics import WatchedStore

            store = await _opened(WatchedStore, settings)
            store.metrics = self.metrics
        store.usual = GuildSettings(0, clock=settings.clock, place=settings.console)
        return store

    def trace(self, config: Any) -> Any:
        """Add metrics to the trace configuration of a session that calls Discord."""
        return config if self.metrics is None else self.metrics.around(config)

    def gateway(self, what: str, lost: Collection[int], shards: int) -> None:
        """Record that a gateway connection was `begun`, `resumed` or `lost`, and which of so many shards have none."""
        if self.metrics is not None:
            self.metrics.gateway(what, len(lost), shards)
        self.lost = name_lost(lost, shards)
        whole = "no connection to Discord" if lost else "connected to Discord"
        self.notifier.tell(f"STATUS={self.lost or whole}")

    def acknowledged(self, id: int) -> None:
        """Record an interaction that was answered in its own HTTP response."""
        if self.metrics is not None:
            self.metrics.acknowledged(id)

    def ready(self, how: str = "connected to Discord") -> None:
        """Report that interactions arrive."""
        self.notifier.tell("READY=1", f"STATUS={how}")

    def stopping(self) -> None:
        self.notifier.tell("STOPPING=1", "STATUS=finishing current work")

    @asynccontextmanager
    async def standing_by(self) -> AsyncGenerator[None]:
        """Report a process that waits for partitions as ready, until left."""
        self.notifier.tell("READY=1", "STATUS=standing by: another process plays")
        async with self.serving(StandbyHealth()):
            yield

    @asynccontextmanager
    async def serving(self, health: HealthSource) -> AsyncGenerator[None]:
        """Serve the status pages of a process without a client, until left."""
        async with AsyncExitStack() as stack:
            if self.metrics is not None:
                await self._pages(stack, health, self.metrics)
            feeding = asyncio.create_task(self.notifier.feed(lambda: True), name="health")
            try:
                yield
            finally:
                feeding.cancel()
                await asyncio.gather(feeding, return_exceptions=True)

    async def _pages(self, stack: AsyncExitStack, health: HealthSource, metrics: Metrics) -> None:
        """Open the status pages. Raises `SettingsError` if the port is taken."""
        from bot.operate.status_server import serve_status

        try:
            port = await stack.enter_async_context(serve_status(self._port, health, metrics))
        except OSError as error:
            raise SettingsError([f"GOPS_METRICS: port {self._port} cannot be opened: {error.strerror}"]) from error
        if not self._is_port_logged:  # the pages of a process that stood by were there already
            log.info("metrics are at http://127.0.0.1:%d/metrics", port)
        self._is_port_logged = True

    @asynccontextmanager
    async def watched(
        self, referee: Referee, presence: Presence, store: CachingStore, thinking: Thinking
    ) -> AsyncGenerator[None]:
        """Serve status pages and watchdogs until left. Raises `SettingsError` if the port is taken."""
        health = Health(referee, presence, store.database, thinking, self.metrics, lost=lambda: self.lost)
        work: list[Any] = []
        async with AsyncExitStack() as stack:
            if self.metrics is not None:
                await self._pages(stack, health, self.metrics)
                work += [health.look(), keep_figures(store.database, referee.clock, self.metrics)]
                stack.enter_context(Watchdog(lambda: health.last_turn))
            if self.notifier.patience:
                work.append(self.notifier.feed(health.alive))
            if work:
                work.append(health.tick())
            tasks = [asyncio.create_task(one, name="health") for one in work]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


async def _opened(kind: type[S], settings: Settings) -> S:
    if settings.server:
        return await kind.join(settings.server, settings.peer)
    return await kind.open(settings.where, alone=True)
