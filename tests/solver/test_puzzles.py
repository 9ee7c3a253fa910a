"""The shipped puzzles are correct: each is solved again."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from bot.solver.coach.puzzles import CLOSE, NOTHING, read_puzzle, read_puzzles
from bot.solver.exact.solve import start_whole_game
from tests.puzzle_maker import (
    CLEAR,
    DEAR,
    IDEAS,
    PLAN,
    find_fault,
    list_thumb_bids,
    make_puzzles,
    rate_puzzle,
    write_line,
)

SAMPLE = 40
"""`python -m tests.puzzle_maker --check` takes them all"""


def test_shipped_puzzles_are_a_thousand_and_all_different() -> None:
    everything = read_puzzles()
    assert len(everything) == len({replace(one.position, lead=0) for one in everything}) == 1000
    assert [one.number for one in everything] == list(range(len(everything)))


def test_shipped_puzzles_are_well_mixed() -> None:
    everything = read_puzzles()
    assert Counter((one.idea, len(one.hand)) for one in everything) == PLAN
    assert Counter(one.idea for one in everything) == dict.fromkeys(IDEAS, 250)
    assert {one.idea for one in everything[:20]} == set(IDEAS)
    for idea in IDEAS:
        ratings = [one.rating for one in everything if one.idea == idea]
        assert max(ratings) - min(ratings) >= 400  # each idea for beginners and for experts


def test_shipped_puzzles_accept_at_most_a_third_of_the_hand() -> None:
    for one in read_puzzles():
        assert len(one.hand) >= 4
        assert 1 <= len(one.answers) <= len(one.hand) // 3
        assert [card for card in one.hand if one.grade(card) == 1] == list(one.answers)
        assert not one.asks_for_wrong or len(one.answers) == 1


def test_shipped_puzzles_leave_no_doubt() -> None:
    for one in read_puzzles():
        assert all(cost <= NOTHING or cost >= CLEAR for cost in one.costs)  # a card is right or clearly not
        assert max(one.costs) > CLOSE
        assert sum(one.shares) == pytest.approx(1, abs=0.005)
        assert all(cost <= NOTHING for cost, share in zip(one.costs, one.shares, strict=True) if share)
        if one.asks_for_wrong:
            assert one.cost(one.answers[0]) >= DEAR
            assert one.instead[one.hand.index(one.answers[0])]  # another card is at least as good, whatever is bid


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
            '[[1,2,3,4,6,7],[1,2,4,5,6,7],[1,2,3,4,6,8],8,"discard",0,5,"bluff",1275,0.8073,'
            "[0.0313,0.0,0.0,0.0,0.0,0.9687],[0.0,0.0314,0.08,0.1247,0.6729,0.0],[0,0,0,0,0,0]]",
            id="the best mix hardly bluffs",
        ),
        pytest.param(
            '[[1,4,5,6],[1,2,3,6],[1,3,5,6],1,"discard",0,-6,"tie",1300,0.5,[1.0,0.0,0.0,0.0],'
            "[0.0,0.5,0.5,0.5],[0,1,1,1]]",
            id="an optimal reply does not tie",
        ),
        pytest.param(
            '[[1,2,4,5,7],[2,4,5,6,7],[2,3,4,5,7],7,"discard",0,7,"bluff",1225,0.6039,'
            "[0.2825,0.1215,0.0,0.0,0.5961],[0.0,0.0,0.0664,0.2216,0.0],[0,0,0,0,0]]",
            id="three of five cards are right",
        ),
        pytest.param(
            '[[1,2,3,7,8],[3,4,6,7,8],[2,4,6,7,8],2,"discard",0,9,"never",1225,0.6304,[0.4055,0.0,0.5945,0.0,0.0],'
            "[0.0,0.0,0.0,0.2577,0.5692],[0,1,0,3,3]]",
            id="two cards are wrong",
        ),
        pytest.param(
            '[[2,3,4,6],[2,3,4,6],[2,3,4,5],5,"discard",0,0,"only",1425,0.5,[0.0,0.0,0.0,1.0],'
            "[0.0017,0.2262,0.5,0.0],[6,0,0,0]]",
            id="the 2 is wrong by so little that nobody sees it",
        ),
    ],
)
def test_malformed_puzzle_is_refused(line: str) -> None:
    assert find_fault(read_puzzle(line, 7)).startswith("puzzle 7")


def test_puzzle_grades_are_none_half_and_full() -> None:
    one = next(one for one in read_puzzles() if any(NOTHING < cost <= CLOSE for cost in one.costs))
    grades = {card: one.grade(card) for card in one.hand}
    assert set(grades.values()) <= {0.0, 0.5, 1.0}
    assert grades[one.mix[0][0]] == 1.0
    assert 0.5 in grades.values()


def test_puzzle_of_a_wrong_card_has_no_half_grade() -> None:
    one = next(one for one in read_puzzles() if one.asks_for_wrong)
    assert {card: one.grade(card) for card in one.hand} == {card: float(card in one.answers) for card in one.hand}
    shared = replace(one, costs=tuple(min(cost, 0.02) for cost in one.costs))
    assert set(map(shared.grade, shared.hand)) == {0.0, 1.0}


def test_puzzle_that_misleads_more_rules_of_thumb_is_rated_higher() -> None:
    here = start_whole_game(4, objective="win").turned(2)
    assert list_thumb_bids(here) == (2, 2, 3, 3, 1, 1)
    right = [0.0] * 4
    assert rate_puzzle(here, [0.1] * 4) - rate_puzzle(here, right) == 6 * 125


def test_same_seed_makes_the_same_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.puzzle_maker.GAMES", (6,))
    plan = {("only", 4): 1, ("never", 5): 2}
    first = [write_line(one) for one in make_puzzles(plan)]
    assert first == [write_line(one) for one in make_puzzles(plan)]
    assert len(first) == 3
