"""Matches that are over for long are made to take little room, one after the other, whenever few people play. Nobody
waits for it and nothing is owed: what was not folded today is folded tomorrow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from bot.referee.clock.presence import Presence
from bot.referee.ports.changes import Conflict, FoldMatch, StoreBusy, StoreReadOnly
from bot.referee.referee import Referee

log = logging.getLogger(__name__)

AFTER = timedelta(days=30)
"""how long a match is over by then: its boards are never drawn anew, and hardly anybody looks at it"""

LOOK = 600.0
"""seconds between looks where nothing is left to do"""

BATCH = 100
"""matches that are looked up in one go"""

QUIET = 2.0
"""seconds without a change of any match: so long nobody is playing just now"""

REST, LONG_REST = 0.05, 0.25
"""seconds before each match, and while somebody plays: a bid finds the store free"""


class Folding:
    """Only where one process leads: two would do the same work twice."""

    def __init__(
        self,
        referee: Referee,
        presence: Presence,
        look: float = LOOK,
        rest: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._referee = referee
        self._presence = presence
        self._look = look
        self._rest = rest
        self._changed = 0.0
        """when somebody played last, by the loop's clock"""
        self._left: set[str] = set()
        """what cannot be folded as it is; the next start tries it again"""

    def stir(self, _: str = "") -> None:
        """A match was changed."""
        self._changed = asyncio.get_running_loop().time()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                while await self.fold_some():
                    pass
            except (StoreBusy, StoreReadOnly) as trouble:
                log.debug("nothing can be folded now: %s", type(trouble).__name__)
            except Exception:  # whatever it is, people play on, and the next look may find it mended
                log.exception("looking for matches to fold failed")
            await self._rest(self._look)

    async def fold_some(self) -> bool:
        """Whether there was anything to do."""
        store, before = self._referee.store, self._referee.clock.now() - AFTER
        found = [id for id in await store.unfolded(before, BATCH + len(self._left)) if id not in self._left]
        folded = 0
        for id in found:
            played = asyncio.get_running_loop().time() - self._changed < QUIET
            await self._rest(LONG_REST if played else REST)
            await self._presence.here.wait()
            folded += await self._fold(id)
        if folded:
            log.info("matches that are over for more than %d days: %d folded", AFTER.days, folded)
        return bool(found)

    async def _fold(self, id: str) -> bool:
        store = self._referee.store
        try:
            match = await store.match(id)
            if match is not None:  # else it was dropped just now
                await store.write((FoldMatch(match, tuple(await store.earlier_seals(id))),))
            return match is not None
        except (StoreBusy, StoreReadOnly):
            raise
        except Conflict:  # it was changed meanwhile
            self._left.add(id)
        except Exception:  # one that cannot be read stands in no other's way
            log.exception("match %s cannot be folded; it stays as it is", id)
            self._left.add(id)
        return False
