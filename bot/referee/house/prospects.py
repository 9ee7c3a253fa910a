"""Look-ahead for matches whose house seat has bid while a person still thinks."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import replace
from typing import Protocol

from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import MatchRepository
from bot.solver.players.lookahead import OVER, Prospect

log = logging.getLogger(__name__)


class LookaheadWorker(Protocol):
    """Who looks ahead when nothing else is asked."""

    async def look_ahead(self, prospect: Prospect) -> int:
        """One step: which one is next, or `OVER`."""
        ...


class Prospects:
    """A line of matches, one step of each in turn; a match that has gone on leaves it."""

    def __init__(self, repository: MatchRepository, worker: LookaheadWorker) -> None:
        self._repository, self._worker = repository, worker
        self._line: OrderedDict[str, tuple[int, Prospect]] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    def add(self, live: Live, prospect: Prospect) -> None:
        """Queue a match whose seat has chosen at the open prompt."""
        self._line[live.stored.id] = live.stored.prompt, prospect
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work(), name="house-ahead")

    async def close(self) -> None:
        self._line.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        while self._line:
            id, (prompt, prospect) = self._line.popitem(last=False)
            live = self._repository.find_cached(id)
            if live is None or not live.stored.live or live.stored.prompt != prompt:
                continue
            try:
                place = await self._worker.look_ahead(prospect)
            except Exception:  # no caller waits for it; a later question reports the error
                log.debug("could not look ahead in %s", id, exc_info=True)
                continue
            if place != OVER:
                self._line.setdefault(id, (prompt, replace(prospect, place=place)))
