"""Solved endgames of Bid and Psych: compared with exact fractions, found in matches, and played by Sage."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bot.engine.choices import Bid
from bot.engine.rules import Rules
from bot.engine.series import SINGLE
from bot.engine.state import State
from bot.engine.view import observe
from bot.solver.coach.advice import list_moves
from bot.solver.coach.coach import judge_move
from bot.solver.coach.hint import find_spot_after_round
from bot.solver.exact.endgame import MOST, Endgame, find_endgame
from bot.solver.exact.endgame_values import answer_endgame
from bot.solver.exact.goal import FOR_POINTS, TO_WIN
from bot.solver.exact.position import PositionError
from bot.solver.exact.scope import convert_card, find_scope
from bot.solver.exact.written_position import read_written_position
from bot.solver.players.basis import find_basis
from bot.solver.players.levels import find_level
from bot.solver.players.mixes import find_mixes
from tests.solver import slow
from tests.solver.test_sage import ask, begin

HANDS = [
    (Endgame((2, 9, 13), (3, 9, 12), 7, (1, 4, 4, 10), circular=True)),
    (Endgame((2, 9, 14), (3, 9, 12), 15, (2, 15, 15))),
    (Endgame((1, 5, 11), (1, 5, 11), 3, (6, 6), circular=True)),
]


def rows(here: Endgame) -> slow.Matrix:
    """The game with the prize up, the slow way."""
    found: slow.Matrix = []
    for mine in here.mine:
        row: list[Fraction] = []
        for theirs in here.theirs:
            won = (mine > theirs) - (mine < theirs)
            if here.circular and min(mine, theirs) <= 3 and max(mine, theirs) >= 11:
                won = -won
            left = replace(
                here,
                mine=slow.without(here.mine, mine),
                theirs=slow.without(here.theirs, theirs),
                lead=here.lead + (won * here.up if here.is_to_win else 0),
            )
            row.append((0 if here.is_to_win else won * here.up) + (worth(left) if won else up_again(left)))
        found.append(row)
    return found


def up_again(here: Endgame) -> Fraction:
    return slow.game_value(rows(here)) if here.mine else ended(here)


def ended(here: Endgame) -> Fraction:
    return Fraction(slow.sign(here.lead)) if here.is_to_win else Fraction(0)


def worth(here: Endgame) -> Fraction:
    """Before a prize is turned: each that may come is as likely, twice so if there are two of it."""
    if not here.mine:
        return ended(here)
    found = Fraction(0)
    for at, prize in enumerate(here.stock):
        rest = (*here.stock[:at], *here.stock[at + 1 :])
        found += slow.game_value(rows(replace(here, up=prize, stock=rest)))
    return found / len(here.stock)


@pytest.mark.parametrize("here", HANDS)
def test_endgame_values_equal_those_of_exact_fractions(here: Endgame) -> None:
    """For points, and to win with leads that are open, narrow and wide; swapped seats flip the sign."""
    cases = [here, *(replace(here, objective="win", lead=lead) for lead in (-9, -1, 0, 2, 40))]
    for case in cases:
        expected = rows(case)
        found = answer_endgame(case)
        assert found.value == pytest.approx(float(slow.game_value(expected)), abs=1e-12)
        assert np.array(found.matrix) == pytest.approx(np.array(expected, dtype=float), abs=1e-12)
        other = replace(case, mine=case.theirs, theirs=case.mine, lead=-case.lead)
        assert answer_endgame(other).value == pytest.approx(-found.value, abs=1e-12)


def end_of(key: str, cards: int) -> tuple[Rules, State]:
    """A deal played by chance until nobody has more cards than that, with ties among its rounds."""
    rules, state = begin(key)
    dice = random.Random(key)
    while len(state.hands[0]) > cards:
        bids: list[Any] = [dice.choice(rules.prompt(state, seat).options) for seat in (0, 1)]
        if bids[0] in rules.prompt(state, 1).options and dice.random() < 0.2:
            bids[1] = bids[0]
        state, _ = rules.resolve(state, {seat: Bid((bid,)) for seat, bid in enumerate(bids)})
    return rules, state


@pytest.mark.parametrize("key", ["bid", "psych"])
def test_endgame_is_found_in_the_last_rounds_of_a_match(key: str) -> None:
    """Cards and leads of either seat, round after round. No endgame is found too early; Sage and the review use it."""
    rules, state = end_of(key, MOST + 1)
    assert (find_endgame(rules, observe(state, 0)) is None) == (len(state.hands[0]) > MOST)
    rules, state = end_of(key, 3)
    sage, found, dice = find_level("sage"), find_scope(rules), random.Random(5)
    assert sage is not None
    while not state.over:
        for seat in state.awaited:
            here = find_endgame(rules, observe(state, seat), TO_WIN)
            assert here is not None
            assert [convert_card(int(card), found) for card in state.hands[seat]] == list(here.mine)
            scores = rules.score(state)
            assert here.lead == scores[seat] - scores[1 - seat]
            assert [find_basis(rules, observe(state, seat), goal) for goal in (TO_WIN, FOR_POINTS)] == ["win", "points"]
            choice = sage.mind(ask(rules, state, seat, "x"))
            assert isinstance(choice, Bid)
            share = dict(zip(here.mine, answer_endgame(here).mix, strict=True))[
                convert_card(int(choice.cards[0]), found)
            ]
            assert share > 0
        bids = {seat: Bid((dice.choice(rules.prompt(state, seat).options),)) for seat in (0, 1)}
        before = {seat: find_endgame(rules, observe(state, seat), TO_WIN) for seat in (0, 1)}
        state, _ = rules.resolve(state, bids)
        for seat, one in before.items():
            assert one is not None
            expected = one.after(*(convert_card(int(bids[at].cards[0]), found) for at in (seat, 1 - seat)))
            after = find_endgame(rules, observe(state, seat), TO_WIN)
            if after is not None:
                assert (after.mine, after.theirs, after.lead) == (expected.mine, expected.theirs, expected.lead)
    looked = list_moves(rules, [(state.deal, state.rounds)])
    assert looked
    assert all(
        judge_move(move).exact and judge_move(move).chances is not None
        for move in looked
        if len(move.position.mine) < 4
    )


@pytest.mark.parametrize("key", ["bid", "psych"])
def test_written_position_equals_the_position_of_a_match(key: str) -> None:
    """`gops house sage --positions` tells the same mix for a line as Sage plays there."""
    rules, state = end_of(key, 4)
    seen = observe(state, 0)
    here = find_endgame(rules, seen, TO_WIN)
    assert here is not None
    assert seen.to_come is not None
    line = {
        "game": key,
        "mine": list(state.hands[0]),
        "theirs": list(state.hands[1]),
        "prizes": [*seen.exposed, *seen.to_come],
        "up": seen.exposed[0],
        "lead": here.lead,
    }
    stand = read_written_position(line)
    assert find_endgame(stand.rules, stand.seen, stand.goal) == here
    sage, sly = find_level("sage"), find_level("sly")
    assert sage is not None
    assert sly is not None
    [told] = find_mixes(sage, [stand], 1)
    assert told.basis == "win"
    found = dict(zip(here.mine, answer_endgame(here).mix, strict=True))
    assert {convert_card(int(card), find_scope(rules)): share for card, share in told.mix} == pytest.approx(found)
    [quick] = find_mixes(sly, [stand], 1)
    assert sum(share for _, share in quick.mix) == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mine": [2, 3, 3]}, "mine has 3 more often than this game"),
        ({"prizes": [4, 4, 4]}, "prizes has 4 more often than this game"),
        ({"theirs": [2, 3]}, "mine and theirs need as many cards each, 1 to 5"),
        ({"up": 9}, "up is one of the prizes"),
        ({"prizes": [4, 5]}, "there are more cards in hand than prizes that may still come"),
        ({"lead": 1, "objective": "points"}, "a lead is a whole number, and goes with the objective win"),
        ({"pot": 2}, "a line of Bid has mine, theirs, prizes, up, lead and objective"),
    ],
)
def test_impossible_written_positions_are_refused(change: dict[str, Any], reason: str) -> None:
    line = {"game": "bid", "mine": [2, 3, 13], "theirs": [1, 5, 6], "prizes": [1, 4, 4, 12], "up": 4}
    assert read_written_position(line).rules.game.key == "bid"
    with pytest.raises(PositionError, match=reason):
        read_written_position({**line, **change})


def test_review_covers_the_solved_bids_of_a_repeated_tie() -> None:
    """One prize, ten ties in a row: the review has the ties with five and four cards left, and the last bids."""
    rules, state = begin("psych")
    for card in (*range(13, 3, -1), None):
        bids = (card, card) if card else (1, 2)
        state, _ = rules.resolve(state, {seat: Bid((bid,)) for seat, bid in enumerate(bids)})
    assert [len(played.again) for played in state.rounds] == [10]
    moves = list_moves(rules, [(state.deal, state.rounds)])
    assert [(len(move.position.mine), move.bids) for move in moves] == [(5, (5, 5)), (4, (4, 4)), (3, (1, 2))]
    assert {move.round for move in moves} == {0}
    spot = find_spot_after_round(rules, state, 1, SINGLE, ())
    assert spot is not None
    assert (spot.position.mine, spot.bids) == ((1, 2, 3), (2, 1))


@pytest.mark.parametrize(("key", "is_solved"), [("bid", True), ("psych", True), ("throps", False), ("classic", False)])
def test_endgame_is_solved_for_bid_and_psych_only(key: str, is_solved: bool) -> None:
    rules, _ = begin(key)
    assert find_scope(rules).late == is_solved
