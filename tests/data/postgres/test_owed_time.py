"""Time without an owner is given back to a partition also if a process dies, or a command runs, before that is done."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

import pytest

from bot.referee.clock.presence import credit_partitions
from bot.referee.model.changes import Heartbeat, StoreBusy
from bot.referee.model.participant import Place
from bot.referee.model.partitions import PARTITIONS, partition_of
from data.cache import CachingStore
from tests.data.postgres.test_jobs import Member
from tests.data.postgres.test_leases import address, undo
from tests.referee.stage import ANA, BEN, HandClock

__all__ = ["address", "undo"]

AWAY = 20.0


class Owner(Member):
    """A process that gives back the time without an owner."""

    awaited: int | None = None
    """The database refuses to give time back, and this partition is waited for."""

    async def give_time_back(self, owners: Mapping[int, int]) -> None:
        if self.awaited is not None:
            if self.awaited in owners:
                self.heard.set()
            raise StoreBusy("full")
        await credit_partitions(self.referee, owners, self.leases.peers)

    async def beat(self) -> None:
        await self.referee.write((Heartbeat(self.clock.now(), self.store.process),))

    async def deadline(self, id: str) -> datetime:
        deadline = (await self.referee.views.view(id)).deadline
        assert deadline is not None
        return deadline


async def begin(address: str, clock: HandClock, undo: AsyncExitStack) -> tuple[Owner, str, datetime]:
    """Return the only process, a match in a partition that it will hand over, and when a bid there is due."""
    first = await Owner.join(address, 1, clock, undo)
    await first.until(PARTITIONS)
    first.place = next(Place(guild, 10 * guild) for guild in range(1, 1000) if partition_of(guild) == PARTITIONS - 1)
    id = await first.start((ANA, BEN), clock=300)
    await first.beat()
    return first, id, await first.deadline(id)


@pytest.mark.parametrize("handed", [False, True], ids=["taken", "handed over"])
async def test_process_dies_before_it_gives_time_back(address: str, undo: AsyncExitStack, handed: bool) -> None:
    clock = HandClock()
    first, id, due = await begin(address, clock, undo)
    second = await Owner.join(address, 2, clock, undo)
    second.awaited = partition_of(id)
    if not handed:
        await first.end()
    await second.heard.wait()  # it owns partitions, and begins with none
    clock.forward(AWAY / 2)
    await second.beat()
    clock.forward(AWAY / 2)
    await asyncio.gather(first.end(), second.end())
    third = await Owner.join(address, 3, clock, undo)
    await third.until(PARTITIONS)
    assert await third.deadline(id) == due + timedelta(seconds=AWAY)


async def test_command_has_the_database_before_the_next_process(address: str, undo: AsyncExitStack) -> None:
    clock = HandClock()
    first, id, due = await begin(address, clock, undo)
    await first.end()
    await (await CachingStore.open_beside(address, alone=True)).close()
    clock.forward(AWAY)
    second = await Owner.join(address, 2, clock, undo)
    await second.until(PARTITIONS)
    assert await second.deadline(id) == due + timedelta(seconds=AWAY)
