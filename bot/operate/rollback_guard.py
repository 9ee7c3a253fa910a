"""Compare a store that may be older than what players saw with Discord, before anything is drawn."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.messages.seen import SeenComparison
from bot.referee.model.changes import SaveNote
from bot.referee.referee import Referee
from bot.rest.delivery import Delivery
from data.cache import CachingStore

log = logging.getLogger(__name__)

LONG_DOWNTIME = timedelta(hours=1)
"""Downtime after which the store is compared without other evidence: the snapshot of a machine leaves none.
A younger snapshot is noticed by presses, and by `gops restore --check`."""

UNREAD = "unread"
"""Key of the note that lists rated matches which went on after a restore, though no message of them could be read."""


class RollbackCheck:
    """Compare the store with Discord where there is a reason. Use one for a process; `run` it after each login."""

    def __init__(self, referee: Referee, store: CachingStore) -> None:
        self._referee = referee
        self._store = store
        self._due = False
        self._restored = False

    async def prepare(self) -> None:
        """Decide whether to compare. Call this before the first heartbeat of this process."""
        beat = await self._store.heartbeat()
        if beat is not None:
            self._restored = await self._store.database.is_restored(beat)
            self._due = self._restored or abs(self._referee.clock.now() - beat) >= LONG_DOWNTIME

    async def run(self, delivery: Delivery) -> None:
        """Stop matches that players saw further, at most once. Call this before interactions can arrive."""
        if self._due:
            compared = await SeenComparison(self._referee, delivery, strict=False).run()
            if self._restored:
                unread = {*await _unread(self._referee), *compared.unread}
                await self._referee.write((SaveNote(UNREAD, json.dumps(sorted(unread))),))
            _log(compared)
            self._due = False
        await self._store.database.settle()


@dataclass(frozen=True, slots=True)
class RestoreCheck:
    """Ids of what a check after a restore has stopped, ended and unrated."""

    stopped: Sequence[str]
    ended: Sequence[str]
    unrated: Sequence[str]


async def check_restored(referee: Referee, delivery: Delivery) -> RestoreCheck:
    """Stop everything unfinished that players saw further, or whose messages cannot be read. Unrate results of matches
    that a start after the restore continued without reading their messages."""
    compared = await SeenComparison(referee, delivery, strict=True).run()
    unrated = [id for id in await _unread(referee) if await referee.moderating.unrate_rolled_back(id)]
    await referee.write((SaveNote(UNREAD, "[]"),))
    return RestoreCheck(compared.stopped, compared.ended, unrated)


async def _unread(referee: Referee) -> list[str]:
    return json.loads(await referee.store.note(UNREAD) or "[]")


def _log(compared: SeenComparison) -> None:
    for id in compared.stopped:
        log.error("the database was restored: players saw more of %s than it has; the match is stopped", id)
    for id in compared.ended:
        log.error("the database was restored: %s is not open on Discord any more; it is ended", id)
    if compared.unread:
        log.warning(
            "rated matches without a message that shows how far they were played: %d; they continue",
            len(compared.unread),
        )
