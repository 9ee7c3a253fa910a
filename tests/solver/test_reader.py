"""Reader learns habits from revealed bids, plays the best reply to them, and beats simple levels."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from bot.engine.choices import Bid, Choice
from bot.engine.series import SINGLE
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.players import simple
from bot.solver.players.chance import Chance
from bot.solver.players.habits import Habits, ShownBid
from bot.solver.players.levels import Level, Question, find_level
from bot.solver.players.reader import find_best_assignment
from tests.bench.house import meet

KEYS = tuple(range(1, 14))


def level(key: str) -> Level:
    found = find_level(key)
    assert found is not None
    return found


@pytest.mark.parametrize("other", ["random", "matcher", "sly"])
def test_reader_beats_the_simple_levels(other: str) -> None:
    tally = meet(level("reader"), level(other), 60, seed="quick")
    assert tally.share >= 0.6
    assert tally.interval()[0] > 0.55


def _two_above(asked: Question) -> Choice:
    return simple.choose_matcher_bid(asked.rules, asked.seen, 2)


def _turned(asked: Question) -> Choice:
    """Low cards for dear prizes."""
    prompt, share = asked.seen.prompt, simple.rank_stake(asked.rules, asked.seen)
    assert prompt is not None
    return Bid((prompt.options[round((1 - share) * (len(prompt.options) - 1))],))


@pytest.mark.parametrize("mind", [_two_above, _turned])
def test_reader_beats_habits_of_no_level(mind: object) -> None:
    other = replace(level("sly"), key="habit", mind=mind)  # type: ignore[arg-type]
    assert meet(level("reader"), other, 30, seed="habit").interval()[0] > 0.55


def test_reader_against_itself_wins_and_loses() -> None:
    tally = meet(level("reader"), level("reader"), 60, seed="mirror")
    assert 1 - tally.interval()[1] < 0.55
    assert tally.won, "chance makes a difference"
    assert tally.lost


def test_habit_that_was_often_seen_is_expected() -> None:
    habits = Habits(KEYS)
    before = habits.guess(KEYS, 0.5)
    for place in (1, 4, 8):
        habits.watch(ShownBid(KEYS, place / 12, KEYS[place + 2]))
    after = habits.guess(KEYS, 0.5)
    assert sum(before.values()) == pytest.approx(1)
    assert sum(after.values()) == pytest.approx(1)
    assert max(after, key=lambda card: after[card]) == 9  # two above 7
    assert after[9] > 2 * before[9]


def test_reader_remembers_habits_of_an_earlier_deal() -> None:
    """A habit shown in the first deal is answered from the first bid of the second."""
    rules = find_offer("classic")[0].rules(2, {"cards": 5})
    state = rules.start(rules.deal((4, 1, 2, 3, 5)))
    while not state.over:
        other = next(card for card in state.hands[1] if card == state.exposed[0])
        state, _ = rules.resolve(state, {0: rules.prompt(state, 0).lowest(), 1: Bid((other,))})
    again = rules.start(rules.deal((3, 1, 2, 4, 5)))
    asked = Question(rules, SINGLE, observe(again, 0), (observe(state, 0),), Chance(b"x"))
    assert level("reader").mind(asked) == Bid((4,))


def test_reader_bid_does_not_depend_on_hidden_cards() -> None:
    """The stock's order changes nothing."""
    rules = find_offer("classic")[0].rules(2, {"cards": 5})
    bids = set[Choice]()
    for rest in itertools.permutations((1, 2, 4, 5)):
        state = rules.start(rules.deal((3, *rest)))
        bids.add(level("reader").mind(Question(rules, SINGLE, observe(state, 0), (), Chance(b"x"))))
    assert len(bids) == 1


def test_best_assignment_equals_the_best_permutation() -> None:
    dice = random.Random(3)
    for rows, columns in ((1, 1), (2, 4), (4, 4), (5, 6)):
        for _ in range(30):
            gains = [[dice.uniform(-9, 9) for _ in range(columns)] for _ in range(rows)]
            found = find_best_assignment(gains)
            assert len(set(found)) == rows
            best = max(
                sum(gains[row][column] for row, column in enumerate(order))
                for order in itertools.permutations(range(columns), rows)
            )
            assert sum(gains[row][column] for row, column in enumerate(found)) == pytest.approx(best)
