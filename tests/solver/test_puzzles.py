"""The shipped puzzles are correct: each is solved again."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.solver.coach.puzzles import read_puzzle, read_puzzles
from bot.solver.exact.solve import start_whole_game
from tests.puzzle_maker import IDEAS, find_fault, list_thumb_bids, make_puzzles, rate_puzzle, write_line

SAMPLE = 40
"""`python -m tests.puzzle_maker --check` takes them all"""


def test_shipped_puzzles_are_all_different() -> None:
    everything = read_puzzles()
    assert len(everything) == len({one.position for one in everything}) >= 750
    assert [one.number for one in everything] == list(range(len(everything)))
    assert {one.idea for one in everything} == set(IDEAS)
    assert {len(one.hand) for one in everything} == {4, 5, 6}
    for one in everything:
        assert sum(one.shares) == pytest.approx(1, abs=0.005)
        assert min(one.costs) <= 0.0005  # something is right
        assert max(one.costs) > 0.03  # and something is not
        assert all(cost <= 0.0005 for cost, share in zip(one.costs, one.shares, strict=True) if share)


@pytest.mark.parametrize("number", random.Random(18).sample(range(len(read_puzzles())), SAMPLE))
def test_shipped_puzzles_agree_with_the_solver(number: int) -> None:
    assert find_fault(read_puzzles()[number]) == ""


def test_puzzle_with_wrong_costs_is_found() -> None:
    one = read_puzzles()[0]
    assert find_fault(replace(one, costs=tuple(reversed(one.costs)))) != ""


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            '[[3,6,7],[4,5,8],[4,7,8],4,"discard",0,4,"never",1500,0.5,[0.0,1.0,0.0],[0.5,0.0,0.0],[6,0,6]]',
            id="three cards",
        ),
        pytest.param(
            '[[1,2,5,6],[2,3,4,6],[1,3,5,6],5,"carry",7,-2,"never",1175,0.8571,[0.0,0.0,0.1429,0.8571],'
            "[0.8571,0.0,0.0,0.0],[6,5,0,0]]",
            id="the 2 gives up as much as the ace against another optimal mix",
        ),
        pytest.param(
            '[[1,2,3,4,6],[1,2,3,7,8],[2,4,5,6,7],7,"discard",0,11,"bluff",1725,0.7728,'
            "[0.2272,0.0,0.7728,0.0,0.0],[0.0,0.0,0.0,0.0549,0.0549],[0,0,0,3,3]]",
            id="an optimal mix has no bluff",
        ),
        pytest.param(
            '[[1,4,5,6],[1,2,3,6],[1,3,5,6],1,"discard",0,-6,"tie",1300,0.5,[1.0,0.0,0.0,0.0],'
            "[0.0,0.5,0.5,0.5],[0,1,1,1]]",
            id="an optimal reply does not tie",
        ),
    ],
)
def test_malformed_puzzle_is_refused(line: str) -> None:
    assert find_fault(read_puzzle(line, 7)).startswith("puzzle 7")


def test_puzzle_grades_are_none_half_and_full() -> None:
    one = next(one for one in read_puzzles() if any(0.0005 < cost <= 0.03 for cost in one.costs))
    grades = {card: one.grade(card) for card in one.hand}
    assert set(grades.values()) <= {0.0, 0.5, 1.0}
    assert grades[one.mix[0][0]] == 1.0
    assert 0.5 in grades.values()


def test_puzzle_that_misleads_more_rules_of_thumb_is_rated_higher() -> None:
    here = start_whole_game(4, objective="win").turned(2)
    assert list_thumb_bids(here) == (2, 2, 3, 3, 1, 1)
    right = [0.0] * 4
    assert rate_puzzle(here, [0.1] * 4) - rate_puzzle(here, right) == 6 * 125


def test_same_seed_makes_the_same_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.puzzle_maker.GAMES", (6,))
    first = [write_line(one) for one in make_puzzles(2)]
    assert first == [write_line(one) for one in make_puzzles(2)]
