"""Does the jobs of the partitions of this process, and wakes the owners of others.

Whoever asks writes an `AskJob` with the change that it follows from, and calls `look`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress

from bot.errors import JobsWaiting
from bot.referee.model.changes import PartitionMoved, StoreBusy, StoreReadOnly
from bot.referee.model.jobs import EndJob, Job
from data.store import Store

log = logging.getLogger(__name__)

PAUSE = 0.1
"""Seconds between looks whether others have done a job."""

Do = Callable[[Job], Awaitable[object]]


class Jobs:
    """The jobs, with the function that does each kind of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.kinds: dict[str, Do] = {}
        """by the first word of the work"""
        self.wake_owner: Callable[[int], None] = lambda _: None
        """tells the owner of a partition to look; one that hears nothing looks with its next beat"""
        self.patience: float | None = None
        """seconds to wait for a job; None without a limit"""
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look for jobs soon."""
        self._woken.set()

    async def look(self, partitions: Iterable[int]) -> None:
        """Do what was asked for in these partitions if they belong to this process, and wake the owners of others."""
        elsewhere = [each for each in partitions if not self._store.owns_partition(each)]
        for each in elsewhere:
            self.wake_owner(each)
        await self.do_own()

    async def finish(self, work: str, partitions: Collection[int]) -> None:
        """Return when a job that was asked for is done in all of these partitions. Raise `JobsWaiting` if some of them
        have not done it in time."""
        await self.look(partitions)
        try:
            async with asyncio.timeout(self.patience):
                while partitions:
                    partitions = await self._store.waiting_in(work, partitions)
                    await asyncio.sleep(PAUSE if partitions else 0)
        except TimeoutError:
            raise JobsWaiting(work, sorted(partitions), self.patience or 0) from None

    async def do_own(self) -> None:
        """Do all jobs of this process. One that fails stays, and the others are done."""
        for job in await self._store.jobs():
            do = self.kinds.get(job.work.split()[0])
            if do is None or not self._store.owns_partition(job.partition):
                continue  # a newer version may know it, or the next owner does it
            try:
                await do(job)
                if self._store.owns_partition(job.partition):  # else a part of it may have been left out
                    await self._store.write((EndJob(job),))
            except PartitionMoved:
                self.wake_owner(job.partition)
            except Exception:  # the others must not wait for it
                log.exception("a job in partition %d failed; it is done again", job.partition)

    async def run(self, interval: float) -> None:
        """Do jobs until cancelled: when this process is woken, and every so many seconds."""
        while True:
            with suppress(StoreBusy, StoreReadOnly):
                await self.do_own()
            with suppress(TimeoutError):
                async with asyncio.timeout(interval):
                    await self._woken.wait()
            self._woken.clear()
