"""One bot at a time: what a process remembers of the store is only right while nobody else changes it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from bot.errors import DatabaseError
from data.postgres.driver import CUT, Single, alone

log = logging.getLogger(__name__)

BOT = 0x474F5054
"""of the advisory lock that a running bot holds"""

LOOK = 1.0
"""seconds between looks at whether it is still held"""


class Alone:
    """Holds the lock on a connection of its own. Where somebody else has it, `lost` is set: the process must end."""

    def __init__(self, address: str, lost: asyncio.Event) -> None:
        self._address = address
        self._lost = lost
        self._link: Single | None = None
        self._watch: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Raises `DatabaseError` where another bot runs."""
        if not await self._take():
            raise DatabaseError(
                "Another bot runs on this database. Only one may: what each remembers would be wrong. Stop it first."
            )
        self._watch = asyncio.create_task(self._look(), name="alone")

    async def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._let_go()

    async def _take(self) -> bool:
        self._link = await alone(self._address)
        return bool(await self._link.fetchval("SELECT pg_try_advisory_lock($1)", BOT))

    async def _let_go(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            with suppress(*CUT):
                await link.close()

    async def _look(self) -> None:
        """Until cancelled. A server that was started again knows of no lock, so it is taken anew."""
        while not self._lost.is_set():
            await asyncio.sleep(LOOK)
            try:
                if self._link is not None:
                    await self._link.execute("SELECT 1")
                    continue
                if not await self._take():
                    log.critical("another bot has taken this database over: nothing is taken in any more")
                    self._lost.set()
            except (*CUT, TimeoutError):
                await self._let_go()
