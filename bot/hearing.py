"""What the keeper that leads hears of what workers write: by hints at once, by a look each second in any case."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from bot.errors import Refused
from bot.referee.ports.changes import StoreBusy
from bot.referee.referee import Referee
from data.remembering import RememberingStore

log = logging.getLogger(__name__)

LOOK = 1.0
"""seconds between looks"""

AT_ONCE = 4
"""matches that are read at once: half of the connections"""


async def hear(address: str, referee: Referee, store: RememberingStore, wake: Callable[[str], None]) -> None:
    """Until cancelled."""
    from data.postgres.hints import Ear  # only now: most do without its driver

    hearing = Hearing(referee, store, wake)
    ear = Ear(address, hearing.heard)
    ear.open()
    try:
        await hearing.run()
    finally:
        await ear.close()


class Hearing:
    """Whatever another process wrote of a match: it is read anew, and everybody here is told."""

    def __init__(self, referee: Referee, store: RememberingStore, wake: Callable[[str], None]) -> None:
        """`wake` is told of what is to be shown."""
        self._referee = referee
        self._store = store
        self._wake = wake
        self._behind: set[tuple[str, int, int, int]] = set()
        """what was found the last time"""
        self._told: set[tuple[str, int, int, int]] = set()
        """what was found twice, and has been told"""
        self._waiting: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def heard(self, told: Mapping[str, int]) -> None:
        """Matches and their versions; 0 where only what shows them was changed."""
        for id, version in told.items():
            self._store.doubt(id)
            known = self._referee.known(id)
            if known is not None and known.stored.version >= version:
                self._wake(id)
            else:
                self._waiting[id] = max(version, self._waiting.get(id, 0))
        while self._waiting and len(self._tasks) < AT_ONCE:
            task = asyncio.create_task(self._read_all(), name="hearing")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            if len(self._tasks) >= len(self._waiting):
                break

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        try:
            while True:
                await asyncio.sleep(LOOK)
                try:
                    await self.look()
                except StoreBusy:
                    log.debug("nothing can be looked at: the store is busy")
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def look(self) -> None:
        """What is behind, and is of a version that nobody here knows, or stays behind: a hint was lost."""
        found = set(await self._store.unshown())
        lost: dict[str, int] = {}
        for one in found:
            known = self._referee.known(one[0])
            if known is None or known.stored.version < one[3] or one in self._behind - self._told:
                lost[one[0]] = max(one[3] if known is not None else 0, lost.get(one[0], 0))
        self._told = found & (self._told | self._behind)
        self._behind = found
        self.heard(lost)

    async def _read_all(self) -> None:
        while self._waiting:
            id = next(iter(self._waiting))
            del self._waiting[id]
            try:
                known = self._referee.known(id)
                stored, _ = await self._store.look(id, known.stored if known is not None else None)
                self._referee.learn(id, stored)
            except (StoreBusy, Refused) as trouble:
                log.debug("%s cannot be read: %s", id, type(trouble).__name__)
                continue
            self._referee.keeper.tell(id)
            self._wake(id)
