"""The parts of a process that outlive a client: each login that fails is followed by a new one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from bot.interactions.services import Services
from bot.operate.monitoring import Monitoring
from bot.operate.rollback_guard import RollbackCheck
from bot.process.http_server import InteractionEndpoint
from bot.process.sessions import SessionLimit
from bot.process.sharing import SHARD
from bot.process.supervision import Reload
from bot.referee.clock.presence import Presence
from bot.referee.house.thinking import Thinking
from bot.referee.model.partitions import PARTITIONS
from bot.referee.referee import Referee
from bot.rest.global_limit import Rate
from bot.settings import Settings
from data.cache import CachingStore


class CurrentServices:
    """Services of the present client: each login that fails is followed by a new client."""

    services: Services | None = None

    def report_skew(self, skew: timedelta) -> None:
        if self.services is not None:
            self.services.owner.clock_is_off(skew)

    async def catch_up(self) -> None:
        if self.services is not None:
            await self.services.publisher.catch_up()


@dataclass(frozen=True, slots=True)
class Process:
    """The parts that outlive a client."""

    settings: Settings
    referee: Referee
    presence: Presence
    thinking: Thinking
    rollback_check: RollbackCheck
    sessions: SessionLimit
    monitoring: Monitoring
    http_server: InteractionEndpoint | None
    """receives interactions by HTTP; None while they come by the gateway"""
    current: CurrentServices
    stop: asyncio.Event
    store: CachingStore
    reload: Reload | None

    @property
    def has_successor(self) -> bool:
        """True on a database that another process may take over."""
        return self.store.leases is not None

    @property
    def is_shared(self) -> bool:
        """True if several processes share the partitions."""
        return self.has_successor and bool(self.settings.peer)

    @property
    def call_rate(self) -> Rate:
        """What tells how many counted calls a second this process may make."""
        leases, most = self.store.leases, self.settings.calls
        return (lambda: min(most, leases.call_limit)) if leases is not None and self.is_shared else lambda: most

    @property
    def is_owner(self) -> Callable[[], bool] | None:
        """What returns False while other processes may own the matches of this one; None if none ever does."""
        leases = self.store.leases
        return (lambda: leases.is_valid) if leases is not None else None

    def share_calls(self, demand: Callable[[], tuple[int, int]]) -> None:
        """Share the counted calls with the other processes, by the demand of the present client."""
        if self.store.leases is not None and self.is_shared:
            self.store.leases.share_calls(self.settings.calls, demand)

    async def read_session(self, shard: int) -> str | None:
        """Return the gateway session that another process kept of a shard."""
        return await self.store.note(f"{SHARD} {shard}") if self.is_shared else None

    def owns_shard(self, shard: int) -> bool:
        """Return True if this process connects a shard: that of its partition."""
        return self.store.owns_partition(shard % PARTITIONS)

    def uploads_emojis(self) -> bool:
        """Return True if this process uploads card faces: the owner of partition 0 does it for all."""
        return self.store.owns_partition(0)
