"""Puzzles of a person: one at a time, counted once, with a streak and a rating of their own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.errors import RefereeError
from bot.referee.house.puzzles import NEAR, NEAREST, SETTLED, START, PuzzleRecord, update_record
from bot.solver.coach.puzzles import Puzzle, read_puzzles
from tests.referee.stage import ANA, BEN, Table


def best(puzzle: Puzzle) -> int:
    return max(puzzle.hand, key=puzzle.grade)


def worst(puzzle: Puzzle) -> int:
    return min(puzzle.hand, key=puzzle.grade)


async def test_puzzle_stays_open_until_it_is_answered(table: Table) -> None:
    puzzles = table.referee.puzzles
    first, record = await puzzles.open(ANA.user)
    assert record == PuzzleRecord(open=first.number)
    assert await puzzles.open(ANA.user) == (first, record)
    graded = await puzzles.bid(ANA.user, first.number, best(first))
    assert (graded.grade, graded.counted) == (1.0, True)
    assert graded.gained > 0
    again = await puzzles.bid(ANA.user, first.number, worst(first))
    assert (again.counted, again.gained, again.record) == (False, 0, graded.record)
    second, _ = await puzzles.open(ANA.user)
    assert second.number != first.number
    assert (await puzzles.record(BEN.user)) == PuzzleRecord()


async def test_puzzle_streak_ends_with_a_wrong_bid(table: Table) -> None:
    puzzles, record = table.referee.puzzles, PuzzleRecord()
    for how in (best, best, worst, best):
        puzzle, _ = await puzzles.open(ANA.user)
        record = (await puzzles.bid(ANA.user, puzzle.number, how(puzzle))).record
    assert (record.tried, record.solved, record.streak, record.best) == (4, 3, 1, 2)
    assert record == await puzzles.record(ANA.user)
    assert record.done.bit_count() == 4


async def test_impossible_puzzle_bid_is_refused(table: Table) -> None:
    puzzle, record = await table.referee.puzzles.open(ANA.user)
    other = next(card for card in range(1, 14) if card not in puzzle.hand)
    for number, card in ((puzzle.number, other), (len(read_puzzles()), 1)):
        with pytest.raises(RefereeError, match="stale-here"):
            await table.referee.puzzles.bid(ANA.user, number, card)
    assert (await table.referee.puzzles.open(ANA.user))[1] == record


async def test_puzzles_in_a_row_show_every_idea_at_about_the_level_of_the_person(table: Table) -> None:
    puzzles, ideas, far = table.referee.puzzles, Counter[str](), 0.0
    for _ in range(40):
        puzzle, record = await puzzles.open(ANA.user)
        ideas[puzzle.idea] += 1
        far = max(far, abs(puzzle.rating - record.rating))
        how = best if ideas.total() % 2 else worst
        await puzzles.bid(ANA.user, puzzle.number, how(puzzle))
    assert set(ideas) == {one.idea for one in read_puzzles()}
    assert min(ideas.values()) >= 4
    assert far <= NEAR


async def test_expert_is_not_asked_what_is_too_easy(table: Table) -> None:
    puzzles = table.referee.puzzles
    await puzzles._save(ANA.user, PuzzleRecord(rating=2100))
    puzzle, _ = await puzzles.open(ANA.user)
    assert puzzle.rating >= sorted(one.rating for one in read_puzzles())[-NEAREST]


async def test_reasons_are_given_only_after_an_answer(table: Table) -> None:
    puzzles = table.referee.puzzles
    puzzle, _ = await puzzles.open(ANA.user)
    for number in (puzzle.number, len(read_puzzles())):
        with pytest.raises(RefereeError, match="stale-here"):
            await puzzles.answered(ANA.user, number)
    graded = await puzzles.bid(ANA.user, puzzle.number, best(puzzle))
    assert await puzzles.answered(ANA.user, puzzle.number) == (puzzle, graded.record)


async def test_puzzles_start_again_when_all_are_done(table: Table) -> None:
    puzzles = table.referee.puzzles
    puzzle, record = await puzzles.open(ANA.user)
    await puzzles._save(ANA.user, replace(record, open=-1, done=(1 << len(read_puzzles())) - 1))
    puzzle, record = await puzzles.open(ANA.user)
    assert record.done == 0
    assert (await puzzles.bid(ANA.user, puzzle.number, best(puzzle))).record.done == 1 << puzzle.number


def test_puzzle_rating_moves_more_for_a_surprising_answer() -> None:
    even = replace(read_puzzles()[0], rating=round(START))
    new = PuzzleRecord()
    assert update_record(new, even, 1.0).rating == pytest.approx(START + 20)
    assert update_record(new, even, 0.5).rating == pytest.approx(START)
    assert update_record(replace(new, tried=SETTLED), even, 0.0).rating == pytest.approx(START - 8)
    hard = replace(even, rating=round(START) + 400)
    assert update_record(new, hard, 1.0).rating == pytest.approx(START + 40 * 10 / 11)
    assert update_record(replace(new, streak=3, best=5), even, 0.5).streak == 0
