"""Solved Pico: compared with exact fractions, over both deals, and as Sage plays it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.engine.series import Series
from bot.engine.text.presets import find_offer
from bot.engine.variants.pico import PACKS
from bot.engine.view import observe
from bot.solver.exact.goal import FOR_POINTS, find_goal
from bot.solver.exact.pico import Duel, Hand, beats
from bot.solver.exact.pico_values import answer_duel, solve_duel
from bot.solver.exact.scope import find_position
from tests.solver import slow

PRINTED = tuple(sorted(PACKS["pico2"].items()))
POINTS = dict(PRINTED)
HANDS = [((4, 7, 16), (5, 8, 13)), ((6, 9, 10), (4, 12, 16)), ((5, 6, 13), (7, 11, 12)), ((4, 8, 9, 16), (5, 7))]


def rows(mine: Hand, theirs: Hand, lead: int, back: tuple[Hand, Hand] | None, *, win: bool) -> slow.Matrix:
    """The game of two hands, the slow way; `back` are the hands of the deal that follows."""
    found: slow.Matrix = []
    for a in mine:
        row: list[Fraction] = []
        for b in theirs:
            mine_wins = (a > b) == (max(a, b) <= 2 * min(a, b))
            gain = POINTS[a] if mine_wins else -POINTS[b]
            hands = (slow.without(mine, a), theirs) if mine_wins else (mine, slow.without(theirs, b))
            row.append(worth(*hands, lead + gain if win else 0, back, win=win) + (0 if win else gain))
        found.append(row)
    return found


def worth(mine: Hand, theirs: Hand, lead: int, back: tuple[Hand, Hand] | None, *, win: bool) -> Fraction:
    if min(len(mine), len(theirs)) > 1:
        return slow.game_value(rows(mine, theirs, lead, back, win=win))
    if back is not None:
        return worth(*back, lead, None, win=win)
    return Fraction(slow.sign(lead)) if win else Fraction(0)


@pytest.mark.parametrize(("mine", "theirs"), HANDS)
def test_duel_values_equal_those_of_exact_fractions(mine: Hand, theirs: Hand) -> None:
    here = Duel(mine, theirs, PRINTED)
    assert answer_duel(here).value == pytest.approx(float(worth(mine, theirs, 0, None, win=False)), abs=1e-12)
    for lead in (-3, 0, 2):
        expected = float(worth(mine, theirs, lead, None, win=True))
        winning = replace(here, objective="win", lead=lead)
        assert answer_duel(winning).value == pytest.approx(expected, abs=1e-12)
        other = replace(winning, mine=theirs, theirs=mine, lead=-lead)
        assert answer_duel(other).value == pytest.approx(-expected, abs=1e-12)


def test_deal_before_its_return_deal_counts_both_deals() -> None:
    mine, theirs = (4, 7), (5, 13)
    for lead in (-1, 0, 1):
        here = Duel(mine, theirs, PRINTED, "win", lead, (mine, theirs))
        game = rows(mine, theirs, lead, (theirs, mine), win=True)
        found = answer_duel(here)
        assert found.value == pytest.approx(float(slow.game_value(game)), abs=1e-12)
        assert found.matrix != answer_duel(replace(here, dealt=((), ()))).matrix


def test_one_solve_certifies_every_position_of_the_deal() -> None:
    """One solve answers the whole deal; no position is worth more than its cards."""
    mine, theirs = (4, 6, 8, 10, 12), (5, 7, 9, 11, 16)
    start, dice = Duel(mine, theirs, PRINTED), random.Random(5)
    solved = solve_duel(start)
    for _ in range(30):
        here = start
        while not here.is_over:
            found = solved.answer(here)
            assert found.gap < 1e-11
            assert abs(found.value) <= sum(POINTS[card] for card in (*here.mine, *here.theirs))
            assert found.value == pytest.approx(solved.value(here, 0), abs=1e-11)
            here = here.after(dice.choice(here.mine), dice.choice(here.theirs))


def test_higher_card_wins_unless_it_is_more_than_double() -> None:
    assert [beats(10, 5), beats(5, 10), beats(4, 10), beats(10, 4), beats(16, 8), beats(16, 7)] == [
        True,
        False,
        True,
        False,
        True,
        False,
    ]


def test_both_seats_see_the_same_position_from_their_side() -> None:
    """In the first of two deals, after a trick: leads, hands, and the hands that were dealt."""
    rules = find_offer("pico")[0].rules(2, {})
    state = rules.start(rules.deal((4, 6, 8, 10, 12, 5, 7, 9, 11, 16, 13)))
    series = Series("deals", 2)
    state, _ = rules.resolve(state, {seat: rules.prompt(state, seat).lowest() for seat in (0, 1)})
    here = [find_position(rules, observe(state, seat), find_goal(rules, series)) for seat in (0, 1)]
    assert here == [
        Duel((4, 6, 8, 10, 12), (7, 9, 11, 16), PRINTED, "win", -2, ((4, 6, 8, 10, 12), (5, 7, 9, 11, 16))),
        Duel((7, 9, 11, 16), (4, 6, 8, 10, 12), PRINTED, "win", 2, ((5, 7, 9, 11, 16), (4, 6, 8, 10, 12))),
    ]
    second = find_goal(rules, series, [(3, 6)])
    assert (second.is_to_win, second.back, second.ahead) == (True, False, (3, 6))
    assert find_goal(rules, Series("deals", 4)) == find_goal(rules, Series("deals", 4), [(3, 6)]) == FOR_POINTS
    assert find_goal(rules, Series("deals", 4), [(3, 6), (6, 3)]).back
