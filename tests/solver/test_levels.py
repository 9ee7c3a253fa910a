"""Every level of the house plays every game, and uses only its question."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.series import SINGLE
from bot.engine.state import State
from bot.engine.text.presets import Preset, find_offer, list_offers
from bot.engine.variants import find_game
from bot.engine.view import observe
from bot.referee.repository.house_levels import table_levels
from bot.solver.players import rollouts
from bot.solver.players.chance import Chance
from bot.solver.players.levels import LEVELS, Level, Question, find_level
from tests.bench import house_tables
from tests.engine.strategies import SEEDS, any_policy, any_rules, shuffled_deal

QUICK = [level for level in LEVELS if not level.slow]
LEVEL_IDS = [level.key for level in QUICK]


def ask(rules: Rules, state: State, seat: int, key: bytes = b"key") -> Question:
    return Question(rules, SINGLE, observe(state, seat), (), Chance(key))


def chosen(level: Level, rules: Rules, state: State, seat: int, key: bytes = b"key") -> Choice:
    choice = level.mind(ask(rules, state, seat, key))
    rules.check_choice(state, seat, choice)  # raises where it is not legal
    return choice


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.key)
def test_house_seats_of_a_table_hold_every_fixed_habit_to_its_share(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bench `house-tables` measures this with a thousand games; these few are always the same ones."""
    monkeypatch.setattr(rollouts, "GAMES", 20)
    house, games = (
        tuple(table_levels(level, find_game("classic").rules(house_tables.SEATS), house_tables.SEATS - 1)),
        6 if level.slow else 24,
    )
    shares = {
        habit: sum(house_tables.win_share(habit, house, game) for game in range(games)) / games
        for habit in house_tables.HABITS
    }
    assert max(shares.values()) <= 0.4, shares


def test_fixed_habit_beats_two_readers() -> None:
    """Why the house seats of a table differ: two that play alike cancel each other."""
    reader = next(level for level in LEVELS if level.key == "reader")
    assert sum(house_tables.win_share(0, (reader, reader), game) for game in range(24)) / 24 > 0.5


@settings(deadline=None)
@given(any_rules(), st.sampled_from(QUICK), SEEDS, any_policy(), st.data())
def test_every_level_plays_any_game_with_any_options(
    rules: Rules, level: Level, seed: int, policy: Any, data: st.DataObject
) -> None:
    """One seat is a house player, the others play any policy; the deal ends."""
    seat, others = data.draw(st.integers(0, rules.seats - 1)), policy.player()
    state = rules.start(shuffled_deal(rules, seed))
    steps = 0
    while not state.over:
        assert steps < rules.facts.longest
        joint = others(rules, state)
        if seat in state.awaited:
            joint[seat] = chosen(level, rules, state, seat, str((seed, steps)).encode())
        state, _ = rules.resolve(state, joint)
        steps += 1


@pytest.mark.parametrize("level", QUICK, ids=LEVEL_IDS)
@pytest.mark.parametrize("offer", list_offers(), ids=lambda offer: offer.key)
def test_house_players_alone_finish_every_preset(offer: Preset, level: Level) -> None:
    game, _ = find_offer(offer.key)
    for seats in [offer.seats] if offer.seats else range(game.seats[0], game.seats[1] + 1):
        rules = game.rules(seats, offer.options)
        state, steps = rules.start(shuffled_deal(rules, 7)), 0
        while not state.over:
            key = str(steps).encode()
            state, _ = rules.resolve(
                state, {seat: chosen(level, rules, state, seat, key + bytes([seat])) for seat in state.awaited}
            )
            steps += 1
        assert steps <= rules.facts.longest


# --- what they are called after -------------------------------------------------------------------------------


def line(key: str, **options: Any) -> list[tuple[object, int]]:
    """Return each prize with the bid of this level against a player who bids the lowest card."""
    level = find_level(key)
    assert level is not None
    rules = find_offer("classic")[0].rules(2, options)
    stock = (9, 13, 3, 7, 12, 1, 2, 4, 5, 6, 8, 10, 11)
    state = rules.start(rules.deal(stock))
    told: list[tuple[object, int]] = []
    while not state.over:
        choice = chosen(level, rules, state, 0)
        assert isinstance(choice, Bid)
        card = choice.cards[0]
        assert isinstance(card, int)
        told.append((state.exposed[0], card))
        state, _ = rules.resolve(state, {0: choice, 1: rules.prompt(state, 1).lowest()})
    return told


def test_matcher_bids_the_rank_of_the_prize() -> None:
    assert all(prize == card for prize, card in line("matcher"))
    assert all(prize == card for prize, card in line("matcher", ties="carry"))


def test_matcher_bids_the_opposite_rank_when_fewest_points_win() -> None:
    assert all(prize == 14 - card for prize, card in line("matcher", aim="least"))


def test_sly_bids_one_above_the_prize_and_the_ace_for_the_king() -> None:
    assert all(card == (prize % 13) + 1 for prize, card in line("sly") if isinstance(prize, int))


def test_random_uses_every_card() -> None:
    rules = find_offer("classic")[0].rules(2, {})
    state = rules.start(rules.deal(rules.pack()))
    level = LEVELS[0]
    bids = {chosen(level, rules, state, 0, str(n).encode()) for n in range(300)}
    assert {bid.cards[0] for bid in bids if isinstance(bid, Bid)} == set(range(1, 14))


def test_three_seats_of_one_level_do_not_cancel_each_other() -> None:
    """Three equal house players would give every prize to the person at the table."""
    rules = find_offer("four-handed")[0].rules(4, {})
    for level in QUICK:
        state, taken = rules.start(shuffled_deal(rules, 3)), 0
        while not state.over:
            key = str(state.number).encode()
            joint = {seat: chosen(level, rules, state, seat, key + bytes([seat])) for seat in (1, 2, 3)}
            state, _ = rules.resolve(state, {0: rules.prompt(state, 0).lowest(), **joint})
        taken = sum(int(points > 0) for points in rules.score(state)[1:])
        assert taken >= 2, level.key


# --- as data --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", QUICK, ids=LEVEL_IDS)
def test_question_can_be_pickled_for_another_process(level: Level) -> None:
    rules = find_offer("sops")[0].rules(2, {})
    question = ask(rules, rules.start(shuffled_deal(rules, 1)), 1)
    mind, copy = pickle.loads(pickle.dumps((level.mind, question)))
    assert mind(copy) == level.mind(question)


def test_level_keys_and_names_are_unique() -> None:
    assert len({level.key for level in LEVELS}) == len({level.name for level in LEVELS}) == len(LEVELS)
    assert all(find_level(level.key) is level for level in LEVELS)
    assert find_level("deep thought") is None
