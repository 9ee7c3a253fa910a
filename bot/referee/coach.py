"""The coach: odds of a position and the review of a match, worked out in a process of its own.

What was found is kept for the next who asks; who asks the same waits for the same work; and work that nobody waits for
any more is ended.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from bot.engine.cards import plain
from bot.errors import Refused
from bot.referee.live import Live
from bot.referee.look import moves
from bot.referee.model import UserId
from bot.referee.ports import Store
from bot.referee.thinking import Worker
from bot.solver.advice import Judged, Move, Odds, Review, can_review, levels
from bot.solver.basis import can_solve
from bot.solver.position import HIGHEST, MOST_CARDS, Position

__all__ = ["Coach", "Judged", "Odds", "Review", "levels", "read_cards", "read_position"]

PATIENCE = 300.0
"""seconds for a queue of such questions; whoever asks gives up long before"""

KEPT = 256

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def work_out_odds(here: Position) -> Odds:
    """In the worker: the libraries are loaded there and nowhere else."""
    from bot.solver import coach

    return coach.odds(here)


def work_out_review(played: tuple[Move, ...]) -> Review:
    """In the worker."""
    from bot.solver import coach

    return coach.review(played)


def read_cards(text: str) -> tuple[int, ...]:
    """Cards as people type them: A 3 10 K, with blanks or commas."""
    cards = list[int]()
    for word in text.replace(",", " ").split():
        card = plain(word.upper()) or (int(word) if word.isdecimal() and len(word) <= 2 else 0)
        if not isinstance(card, int) or not 1 <= card <= HIGHEST or card in cards:
            raise Refused("odds-parse", x=word)
        cards.append(card)
    return tuple(sorted(cards))


def read_position(mine: str, theirs: str, prize: str, left: str, ties: str) -> Position:
    """A position that somebody typed in."""
    hands = read_cards(mine), read_cards(theirs)
    up, later = read_cards(prize), read_cards(left)
    if len(up) != 1 or not hands[0]:
        raise Refused("odds-parse", x=mine if len(up) == 1 else prize)
    if up[0] in later:
        raise Refused("odds-parse", x=left)
    if not len(hands[0]) == len(hands[1]) == 1 + len(later):
        raise Refused("odds-cards")
    if len(hands[0]) > MOST_CARDS:
        raise Refused("no-solution", game="Classic")
    return Position(*hands, tuple(sorted((*up, *later))), up[0], ties=ties)


class Coach:
    """Answers what perfect play says; one question a person at a time."""

    def __init__(self) -> None:
        self.worker = Worker()
        self._found: OrderedDict[Hashable, Any] = OrderedDict()
        self._jobs: dict[Hashable, _Job] = {}
        self._asking: set[UserId] = set()

    async def odds(self, store: Store, user: UserId, here: Position, game: str = "Classic") -> Odds:
        """Of a position that a person typed in; nobody gets help in a rated match that they are playing."""
        for stored in await store.live_of(user):
            if stored.setup.rated and not stored.practice:
                raise Refused("odds-live", m=stored.id)
        if not can_solve(here):
            raise Refused("no-solution", game=game)
        return await self._ask(user, here, work_out_odds, here)

    async def review(self, user: UserId, live: Live) -> Review:
        """Of a finished match."""
        id = live.stored.id
        if live.stored.live:
            raise Refused("still-live", m=id)
        played = moves(live) if can_review(live.rules) else ()
        if not played:
            raise Refused("no-solution", game=live.rules.game.name)
        return await self._ask(user, id, work_out_review, played)

    async def _ask(self, user: UserId, key: Hashable, work: Callable[[Asked], Found], asked: Asked) -> Found:
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        if user in self._asking:
            raise Refused("coach-busy")
        self._asking.add(user)
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = _Job(asyncio.create_task(self.worker.think(work, asked, PATIENCE)))
        job.waiting += 1
        try:
            found = await asyncio.shield(job.task)
        finally:
            self._asking.discard(user)
            job.waiting -= 1
            if not job.waiting:
                job.task.cancel()  # nothing happens if it is done; else the worker is ended with it
            if self._jobs.get(key) is job and (not job.waiting or job.task.done()):
                del self._jobs[key]
        self._found[key] = found
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
        return found

    async def close(self) -> None:
        """End whatever is being worked out."""
        tasks = [job.task for job in self._jobs.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.worker.stop()


class _Job:
    """Work that is under way, and how many wait for it."""

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self.task = task
        self.waiting = 0
