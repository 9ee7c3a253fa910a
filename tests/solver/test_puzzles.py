"""The puzzles that come along are what they say: solved once more, each on its own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.solver.puzzles import IDEAS, shipped
from bot.solver.puzzling import puzzles, rating, thumbs, wrong
from bot.solver.solve import whole_game

SAMPLE = 40
"""`python -m bot.solver.puzzling --check` takes them all"""


def test_a_thousand_different_ones() -> None:
    everything = shipped()
    assert len(everything) == len({one.here for one in everything}) == 1000
    assert [one.number for one in everything] == list(range(1000))
    assert {one.idea for one in everything} == set(IDEAS)
    assert {len(one.hand) for one in everything} == {3, 4, 5, 6}
    for one in everything:
        assert sum(one.shares) == pytest.approx(1, abs=0.005)
        assert min(one.costs) <= 0.0005  # something is right
        assert max(one.costs) > 0.03  # and something is not
        assert all(cost <= 0.0005 for cost, share in zip(one.costs, one.shares, strict=True) if share)


@pytest.mark.parametrize("number", random.Random(18).sample(range(1000), SAMPLE))
def test_the_solver_says_what_the_file_says(number: int) -> None:
    assert wrong(shipped()[number]) == ""


def test_a_puzzle_that_lies_is_found() -> None:
    one = shipped()[0]
    assert wrong(replace(one, costs=tuple(reversed(one.costs)))) != ""


def test_grades() -> None:
    one = next(one for one in shipped() if any(0.0005 < cost <= 0.03 for cost in one.costs))
    grades = {card: one.grade(card) for card in one.hand}
    assert set(grades.values()) <= {0.0, 0.5, 1.0}
    assert grades[one.mix[0][0]] == 1.0
    assert 0.5 in grades.values()


def test_harder_ones_mislead_more_rules_of_thumb() -> None:
    here = whole_game(4, objective="win").turned(2)
    assert thumbs(here) == (2, 2, 3, 3, 1, 1)
    right = [0.0] * 4
    assert rating(here, [0.1] * 4) - rating(here, right) == 6 * 125


def test_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.solver.puzzling.GAMES", (6,))
    first = [one.line() for one in puzzles(2)]
    assert first == [one.line() for one in puzzles(2)]
