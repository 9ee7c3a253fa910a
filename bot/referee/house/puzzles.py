"""Puzzles: the open puzzle of a person, the solved ones, and a rating for them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from bot.errors import RefereeError
from bot.referee.model.changes import SaveNote
from bot.referee.model.model import UserId
from bot.referee.repository.match_repository import Commands
from bot.solver.coach.puzzles import Puzzle, read_puzzles

START = 1300.0
SPREAD = 400.0
"""so many points more, and ten of eleven are solved"""
LEARNING, KNOWN, SETTLED = 40.0, 16.0, 20
"""how far one answer moves the rating at first, and after so many"""
NEAR = 200.0
"""Distance from a person's rating in which puzzles of every idea are drawn, as long as there are any."""
NEAREST = 6
"""Number of puzzles of each idea, the nearest to a person's rating, from which one is drawn."""


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """What is kept of one person."""

    rating: float = START
    tried: int = 0
    solved: int = 0
    streak: int = 0
    best: int = 0
    """the longest streak"""
    open: int = -1
    """Number of the open puzzle; -1 if there is none."""
    done: int = 0
    """a bit for each that was answered"""

    @property
    def shown(self) -> int:
        return round(self.rating)

    def is_answered(self, number: int) -> bool:
        return bool(self.done >> number & 1)


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer and its grade."""

    puzzle: Puzzle
    card: int
    grade: float
    record: PuzzleRecord
    gained: int
    counted: bool
    """True for the first answer to this puzzle; later ones are graded only."""


class Puzzles(Commands):
    """Each person has one open puzzle until they answer it: leaving it does not save a streak."""

    async def record(self, user: UserId) -> PuzzleRecord:
        """Return what is kept of this person."""
        note = await self._store.note(_key(user))
        return PuzzleRecord(**json.loads(note)) if note else PuzzleRecord()

    async def open(self, user: UserId) -> tuple[Puzzle, PuzzleRecord]:
        """Return the open puzzle of a person; choose a new one if the last is answered."""
        async with self._repository.lock(_key(user)):
            record, all = await self.record(user), read_puzzles()
            if not 0 <= record.open < len(all):
                byte = self._repository.entropy.bytes(1)[0]
                record = replace(record, open=_choose_next(all, record, byte))
                if record.is_answered(record.open):
                    record = replace(record, done=0)  # all are done: from the beginning
                await self._save(user, record)
            return all[record.open], record

    async def bid(self, user: UserId, number: int, card: int) -> Graded:
        """Store and grade an answer."""
        all = read_puzzles()
        if number >= len(all) or card not in all[number].hand:
            raise RefereeError("stale-here")
        puzzle = all[number]
        async with self._repository.lock(_key(user)):
            record, grade = await self.record(user), puzzle.grade(card)
            if record.open != number:
                return Graded(puzzle, card, grade, record, 0, counted=False)
            after = update_record(record, puzzle, grade)
            await self._save(user, after)
        return Graded(puzzle, card, grade, after, after.shown - record.shown, counted=True)

    async def answered(self, user: UserId, number: int) -> tuple[Puzzle, PuzzleRecord]:
        """Return a puzzle that this person has answered, for its reasons."""
        all, record = read_puzzles(), await self.record(user)
        if number >= len(all) or not record.is_answered(number):
            raise RefereeError("stale-here")
        return all[number], record

    async def _save(self, user: UserId, record: PuzzleRecord) -> None:
        await self._repository.write((SaveNote(_key(user), json.dumps(asdict(record))),))


def update_record(record: PuzzleRecord, puzzle: Puzzle, grade: float) -> PuzzleRecord:
    """Return the record after an answer, by Elo: the expected result against the actual one."""
    expected = 1 / (1 + 10 ** ((puzzle.rating - record.rating) / SPREAD))
    moved = (LEARNING if record.tried < SETTLED else KNOWN) * (grade - expected)
    streak = record.streak + 1 if grade == 1 else 0
    return PuzzleRecord(
        rating=record.rating + moved,
        tried=record.tried + 1,
        solved=record.solved + (grade == 1),
        streak=streak,
        best=max(record.best, streak),
        open=-1,
        done=record.done | 1 << puzzle.number,
    )


def _choose_next(all: Sequence[Puzzle], record: PuzzleRecord, byte: int) -> int:
    """One that was not done yet, of any idea, and about as hard as this person is good."""

    def distance(puzzle: Puzzle) -> float:
        return abs(puzzle.rating - record.rating)

    left = [puzzle for puzzle in all if not record.is_answered(puzzle.number)] or list(all)
    left.sort(key=distance)  # the sort is stable: those at the same distance stay in the order of their numbers
    near, ideas = list[Puzzle](), Counter[str]()
    for puzzle in left:
        ideas[puzzle.idea] += 1
        if ideas[puzzle.idea] <= NEAREST and distance(puzzle) <= NEAR:
            near.append(puzzle)
    near = near or left[:NEAREST]
    return near[byte % len(near)].number


def _key(user: UserId) -> str:
    return f"puzzles {user}"
