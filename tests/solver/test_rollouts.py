"""Rollouts for three or more seats: rounds are settled as by the engine, and the chosen card is legal."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.engine.choices import Bid
from bot.engine.series import SINGLE
from bot.engine.state import State
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.players import rollouts
from bot.solver.players.basis import ROLLED, can_roll, find_basis
from bot.solver.players.chance import Chance
from bot.solver.players.habits import Habits, ShownBid
from bot.solver.players.levels import Question, find_level

TIES = ("discard", "split", "carry", "unique-discard", "unique-carry")


def begin(seats: int = 3, **options: object) -> State:
    rules = find_offer("classic")[0].rules(seats, {"cards": 5, **options})
    pack = list(rules.pack())
    random.Random(18).shuffle(pack)
    return rules.start(rules.deal(tuple(pack)))


@pytest.mark.parametrize("ties", TIES)
def test_rollouts_settle_rounds_as_the_engine_does(ties: str) -> None:
    """Whole games of random bids, settled by the engine and by the rollouts."""
    dice = random.Random(ties)
    for _ in range(20):
        seats = dice.choice((3, 4))
        rules = find_offer("classic")[0].rules(seats, {"cards": 5, "ties": ties})
        pack = list(rules.pack())
        dice.shuffle(pack)
        state = rules.start(rules.deal(tuple(pack)))
        scores, pot = np.zeros((1, seats)), np.zeros(1)
        while not state.over:
            bids = {seat: dice.choice(state.hands[seat]) for seat in state.awaited}
            up = float(sum(rules.value(card) for card in state.exposed))
            state, _ = rules.resolve(state, {seat: Bid((card,)) for seat, card in bids.items()})
            places = np.array([[int(str(bids[seat])) - 1 for seat in range(seats)]])
            pot = rollouts._settle_round(ties, scores, np.array([up]) + pot, places)
        assert scores[0].tolist() == pytest.approx([float(score) for score in rules.score(state)])


@pytest.mark.parametrize("ties", TIES)
def test_rollout_bid_is_legal_and_the_same_each_time(ties: str) -> None:
    state = begin(4, ties=ties)
    rules = find_offer("classic")[0].rules(4, {"cards": 5, "ties": ties})
    seen = observe(state, 2)
    assert find_basis(rules, seen) == ROLLED
    sage = find_level("sage")
    assert sage is not None
    choices = [sage.mind(Question(rules, SINGLE, seen, (), Chance(b"x"))) for _ in range(2)]
    assert choices[0] == choices[1]
    rules.check_choice(state, 2, choices[0])


def test_rollouts_refuse_two_seats_and_blind_bids() -> None:
    for seats, options in ((2, {}), (3, {"blind": True})):
        rules = find_offer("classic")[0].rules(seats, {"cards": 5, **options})
        pack = tuple(rules.pack())
        assert not can_roll(rules, observe(rules.start(rules.deal(pack)), 0))


def test_rollouts_beat_predictable_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against two who bid about one above the prize it wins far more than its third."""
    monkeypatch.setattr(rollouts, "GAMES", 60)
    rules, sly = find_offer("classic")[0].rules(3, {"cards": 7}), find_level("sly")
    assert sly is not None
    won = 0.0
    for game in range(10):
        pack = list(rules.pack())
        random.Random(game).shuffle(pack)
        state = rules.start(rules.deal(tuple(pack)))
        while not state.over:
            lots = {seat: Chance(f"{game} {state.number} {seat}".encode()) for seat in state.awaited}
            asked = {seat: Question(rules, SINGLE, observe(state, seat), (), lots[seat]) for seat in state.awaited}
            choices = {seat: sly.mind(question) for seat, question in asked.items()}
            if 0 in choices:
                choice = rollouts.choose_by_rollouts(rules, observe(state, 0), (), lots[0])
                assert choice is not None
                choices[0] = choice
            state, _ = rules.resolve(state, choices)
        scores = rules.score(state)
        won += (scores[0] == max(scores)) / scores.count(max(scores))
    assert won > 5  # a third would be 3.3


def test_habit_weights_add_up_to_one_and_favour_the_shown_habit() -> None:
    habits = Habits((1, 2, 3, 4, 5))
    for prize in (1, 2, 4, 3):
        habits.watch(ShownBid((1, 2, 3, 4, 5), (prize - 1) / 4, prize))
    kinds = habits.list_weights()
    assert sum(share for _, share in kinds) == pytest.approx(1)
    trusted = {kind: sum(share for name, share in kinds if name == kind) for kind, _ in kinds}
    assert trusted[0] == max(trusted.values())
    assert {"any", "turned"} <= set(trusted)
