"""The guided first match: five cards against Matcher, played by the engine and kept as nothing but one's bids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from bot.engine.choices import Choice
from bot.engine.state import Cards, Round, State
from bot.engine.variants import DEFAULT
from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.model.changes import SaveNote, Step
from bot.referee.model.counts import CountDaily, DailyCount
from bot.referee.model.model import Snowflake, UserId
from bot.referee.repository.match_repository import Commands
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question, find_level

PRIZES: Cards = (3, 5, 1, 4, 2)
"""The same order for all: a plain round first, then one that is better lost."""

YOU, MATCHER = 0, 1
FINISHED = "."
"""First character of the note of a person who has finished a lesson."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The progress of one person: their bids so far, and the deal after them."""

    bids: tuple[int, ...]
    state: State

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def explained_round(self) -> Round | None:
        """The round to explain: the last one in which a bid was chosen."""
        return self.state.rounds[len(self.bids) - 1] if self.bids else None

    @property
    def hand(self) -> tuple[int, ...]:
        """The person's hand before that round."""
        return tuple(card for card in range(1, len(PRIZES) + 1) if card not in self.bids[:-1])

    @property
    def scores(self) -> tuple[int, int]:
        mine, theirs = self.state.rules.score(self.state)
        return int(mine), int(theirs)

    @property
    def margin(self) -> int:
        return self.scores[YOU] - self.scores[MATCHER]


def play_lesson(bids: Sequence[int]) -> Lesson:
    """Return the deal after these bids. Refuse a bid that was not possible."""
    rules = DEFAULT.rules(2, {"cards": len(PRIZES)})
    state = rules.start(rules.deal(PRIZES))
    for card in bids:
        if state.over or card not in state.hands[YOU]:
            raise RefereeError("stale-button", link="")
        state, _ = rules.resolve(state, {YOU: rules.bid(card), MATCHER: _choose_answer(state)})
        while not state.over and all(prompt.is_forced for prompt in rules.prompts(state)):  # RULING C3
            state, _ = rules.resolve(state, {prompt.seat: prompt.lowest() for prompt in rules.prompts(state)})
    return Lesson(tuple(bids), state)


@cache
def find_best() -> Lesson:
    """Return the lesson with the best margin against Matcher."""
    cards = range(1, len(PRIZES) + 1)
    return max((play_lesson(bids) for bids in permutations(cards, len(cards) - 1)), key=lambda one: one.margin)


def _choose_answer(state: State) -> Choice:
    """Return Matcher's bid, which needs no randomness."""
    level = find_level("matcher")
    assert level is not None
    seen = observe(state, MATCHER)
    return level.mind(Question(state.rules, DEFAULT.series, seen, (), Chance(b"")))


class Lessons(Commands):
    """The stored progress of the lesson, so that people can continue later."""

    async def load(self, user: UserId) -> Lesson:
        """Return a person's progress; the beginning, if they never began or have finished."""
        bids = await self._store.note(_key(user)) or ""
        return play_lesson([int(card) for card in bids.removeprefix(FINISHED)])

    async def is_new(self, user: UserId) -> bool:
        """Return True for a person who has finished neither a match nor a lesson."""
        note = await self._store.note(_key(user)) or ""
        return not note.startswith(FINISHED) and await self._store.last_match(user, live=False) is None

    async def bid(self, user: UserId, bids: Sequence[int], guild: Snowflake = 0) -> Lesson:
        """Store one more bid, and return the progress. Count each person's first lesson for the server."""
        reached = play_lesson(bids)
        async with self._repository.lock(_key(user)):  # two presses in one instant count once
            before = await self._store.note(_key(user))
            had_finished = (before or "").startswith(FINISHED)
            mark = FINISHED if had_finished or reached.over else ""
            steps: list[Step] = [SaveNote(_key(user), mark + ("" if reached.over else "".join(map(str, bids))))]
            today = self._clock.now().date()
            if before is None:
                steps.append(CountDaily(guild, today, DailyCount.LESSON_BEGUN))
            if reached.over and not had_finished:
                steps.append(CountDaily(guild, today, DailyCount.LESSON_FINISHED))
            await self._repository.write(tuple(steps))
        return reached

    async def skip(self, user: UserId) -> None:
        """Delete a person's progress: the next lesson begins at the start."""
        before = await self._store.note(_key(user))
        if before is not None:
            await self._repository.write((SaveNote(_key(user), FINISHED if before.startswith(FINISHED) else ""),))


def _key(user: UserId) -> str:
    return f"lesson {user}"
