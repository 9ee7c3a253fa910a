"""The coach: the analysis of a position and the review of a match, computed in a process of its own.

Answers are cached. Equal questions share one computation, which is cancelled once no caller waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import Context
from dataclasses import replace
from datetime import date
from math import ceil
from typing import Any, Protocol, TypeVar

from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.house.daily import Daily, best_margin
from bot.referee.house.thinking import Worker
from bot.referee.match.play import rounds_played
from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.proof import promises
from bot.referee.repository.live import Live, replay_match
from bot.referee.repository.match_repository import LastUsed
from bot.referee.repository.view_builder import review_moves
from bot.solver.coach.advice import (
    Analysis,
    Inquiry,
    JudgedRound,
    Move,
    PrizePlan,
    Review,
    TooLong,
    can_review,
)
from bot.solver.coach.hint import Hint, HintSpot
from bot.solver.coach.typed_position import GAMES, TypedPosition, TypingError, read_typed
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position, can_follow
from bot.solver.exact.scope import find_position
from bot.solver.players.basis import can_solve

log = logging.getLogger(__name__)

PATIENCE = 300.0
"""Seconds for a queue of such questions; the caller gives up long before."""

KEPT_ROUNDS, KEPT = 4096, 64
"""How many rounds, and how many whole answers, are remembered."""

HUMBLE = 10
"""Nice value of the process: Sage plays against a clock and goes first."""

UNREAD = {
    "card": "analysis-parse",
    "repeat": "analysis-repeat",
    "up-left": "analysis-up-left",
    "one-prize": "analysis-one-prize",
    "cards": "analysis-cards",
    "prize": "analysis-prize",
    "no-prize": "analysis-no-prize",
    "pico": "analysis-pico",
    "pot": "analysis-pot",
    "lead": "analysis-lead",
    "large": "no-solution",
    "unknown-order": "analysis-unknown-order",
    "end": "analysis-end",
}
"""What is said of a typed position that cannot be read."""

Found = TypeVar("Found")
Asked = TypeVar("Asked", bound=Hashable)


def work_out_analysis(asked: Inquiry) -> Analysis | TooLong:
    """Analyse a position in the worker process, which alone loads the libraries."""
    from bot.solver.coach import coach

    return coach.analyse(asked)


def work_out_first_bids(position: Position) -> tuple[PrizePlan, ...] | TooLong:
    """Plan the bid for each prize of a position in the worker process."""
    from bot.solver.coach import coach

    return coach.plan_first_bids(position)


def work_out_hint(spot: HintSpot) -> Hint:
    """Compute a hint in the worker process."""
    from bot.solver.coach import coach

    return coach.explain_bid(spot)


def work_out_round(played: Move) -> JudgedRound:
    """Judge a round in the worker process."""
    from bot.solver.coach import coach

    return coach.judge_move(played)


def read_position(typed: TypedPosition) -> Inquiry:
    """Read a position that was typed."""
    try:
        return read_typed(typed)
    except TypingError as wrong:
        raise RefereeError(UNREAD[wrong.why], **wrong.data) from None


class LiveMatches(Protocol):
    """What the coach asks before it helps."""

    async def live_of(self, user: UserId, /) -> Sequence[StoredMatch]: ...


class Coach:
    """Answers what perfect play says; one question a person at a time."""

    def __init__(self) -> None:
        self.worker = Worker(HUMBLE)
        self._found = LastUsed[Hashable, Any](KEPT)
        self._judged = LastUsed[Move, JudgedRound](KEPT_ROUNDS)
        self._jobs: dict[Hashable, _Job] = {}
        self._asking: dict[UserId, _Job] = {}
        self._beside: dict[tuple[Snowflake, date], asyncio.Task[None]] = {}
        """Tasks for which no caller waits."""

    async def analyse(self, matches: LiveMatches, user: UserId, asked: Inquiry, game: str = "Classic") -> Analysis:
        """Return the analysis of a typed position. Refuse help in a match that `refuse_help` protects."""
        return await self._answer(matches, user, asked.position, game, work_out_analysis, asked)

    async def plan_first_bids(
        self, matches: LiveMatches, user: UserId, position: Position, game: str
    ) -> tuple[PrizePlan, ...]:
        """Return the best plan for each prize of a position that has none up, as `analyse` does for one prize."""
        return await self._answer(matches, user, position, game, work_out_first_bids, position)

    async def _answer(
        self,
        matches: LiveMatches,
        user: UserId,
        here: Position | Duel | Endgame,
        game: str,
        work: Callable[[Asked], Found | TooLong],
        asked: Asked,
    ) -> Found:
        """Return the answer to a question about a typed position, unless it helps in a match or takes too long."""
        await refuse_help(matches, user, here)
        if not can_solve(here):
            raise RefereeError("no-solution", game=game)
        found = await self._share_answer(user, asked, lambda job: self.worker.think(work, asked, PATIENCE))
        await refuse_help(matches, user, here)  # a match may have begun during the computation
        if isinstance(found, TooLong):
            raise RefereeError("analysis-long", x=ceil(found.seconds / 10) * 10)
        return found

    async def hint(self, matches: LiveMatches, user: UserId, spot: HintSpot) -> Hint:
        """Return a hint for one bid in practice. Refuse help in a match that `refuse_help` protects."""
        await refuse_help(matches, user, spot.position)
        found = await self._share_answer(user, spot, lambda job: self.worker.think(work_out_hint, spot, PATIENCE))
        await refuse_help(matches, user, spot.position)
        return found

    async def review(self, user: UserId, live: Live) -> Review:
        """Return the review of a finished match."""
        id = live.stored.id
        if live.stored.live:
            raise RefereeError("still-live", m=id)
        known = self._found.find(id)
        if known is not None:
            return known
        if not rounds_played(live.match):
            raise RefereeError("review-unplayed", m=id)
        game = live.rules.game
        if not can_review(live.rules):
            known_games = dict(GAMES)
            why = "no-review-rules" if game.key in known_games else "no-review-game"
            raise RefereeError(why, game=game.name, list=", ".join(known_games.values()))
        played = review_moves(live)
        if not played:
            raise RefereeError("no-review-rounds", m=id)
        rounds = rounds_played(live.match)
        return await self._share_answer(user, id, lambda job: self._review(job, played, rounds))

    def find_review(self, id: str) -> Review | None:
        """Return the review of a match if one was made and is still in the cache."""
        return self._found.find(id)

    async def _review(self, job: _Job, played: tuple[Move, ...], rounds: int) -> Review:
        """Judge move by move, so that other questions run between, and a retry continues where the first try stopped.

        The progress counts all rounds of the match: those without a choice are done from the start.
        """
        job.of, found = rounds, list[JudgedRound]()
        for at, move in enumerate(played):
            job.done = rounds - len({(left.deal, left.round) for left in played[at:]})
            judged = self._judged.find(move)
            if judged is None:
                judged = self._judged.keep(move, await self.worker.think(work_out_round, move, PATIENCE))
            found.append(judged)
        return Review(tuple(found))

    def find_best(self, daily: Daily, guild: Snowflake, day: date) -> None:
        """Compute the best margin of a daily deal in the background, once."""
        key = guild, day
        if key not in self._beside:
            work = self._find_best(daily, guild, day)  # no work of the interaction that asks for it
            task = asyncio.get_running_loop().create_task(work, name="daily-best", context=Context())
            self._beside[key] = task
            task.add_done_callback(lambda _: self._beside.pop(key, None))

    async def _find_best(self, daily: Daily, guild: Snowflake, day: date) -> None:
        """Compute and store the best margin. A failure is retried when the table is shown next."""
        try:
            game = await daily.game(guild, day)
            if game is not None:
                await daily.keep_best(guild, day, await self.worker.think(best_margin, game, PATIENCE))
        except Exception:  # no caller waits for it
            log.exception("the best score of a daily deal could not be computed")

    def get_progress(self, user: UserId) -> tuple[int, int]:
        """Return how many rounds of how many are done for this person's question; (0, 0) if none are counted."""
        job = self._asking.get(user)
        return (job.done, job.of) if job is not None else (0, 0)

    async def _share_answer(self, user: UserId, key: Hashable, work: Callable[[_Job], Awaitable[Found]]) -> Found:
        known = self._found.find(key)
        if known is not None:
            return known
        if user in self._asking:
            raise RefereeError("coach-busy")
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = _Job()
            job.task = asyncio.ensure_future(work(job))
        self._asking[user] = job
        job.waiting += 1
        assert job.task is not None
        try:
            found = await asyncio.shield(job.task)
        finally:
            del self._asking[user]
            job.waiting -= 1
            if not job.waiting:
                job.task.cancel()  # nothing happens if it is done; else the worker is ended with it
            if self._jobs.get(key) is job and (not job.waiting or job.task.done()):
                del self._jobs[key]
        return self._found.keep(key, found)

    async def close(self) -> None:
        """Cancel all computations."""
        tasks = [*(job.task for job in self._jobs.values() if job.task is not None), *self._beside.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.worker.stop()


async def refuse_help(matches: LiveMatches, user: UserId, here: Position | Duel | Endgame) -> None:
    """Refuse help with a position that can come up in the person's daily deal, and in a live match among people that is
    rated or has a house seat."""
    for stored in await matches.live_of(user):
        if promises.day_of(stored) is not None and _can_come_up(here, stored, user):
            raise RefereeError("analysis-daily", m=stored.id)
        if (stored.setup.rated or stored.has_house) and not stored.is_practice:
            raise RefereeError("analysis-live", m=stored.id)


def _can_come_up(here: Position | Duel | Endgame, stored: StoredMatch, user: UserId) -> bool:
    """Return True if the rest of a live daily deal can lead to a position, seen from either side."""
    live, seat = replay_match(stored), stored.seat_of(user)
    if live.match.state is None or seat is None or not isinstance(here, Position):
        return False
    now = find_position(live.rules, observe(live.match.state, seat))
    return isinstance(now, Position) and any(
        can_follow(now, one) for one in (here, replace(here, mine=here.theirs, theirs=here.mine))
    )


class _Job:
    """Work that is under way, how far it is, and how many wait for it."""

    def __init__(self) -> None:
        self.task: asyncio.Future[Any] | None = None
        self.waiting = 0
        self.done = self.of = 0
