"""Copies that are written out, because searches make millions of them, leave no field behind."""

from dataclasses import fields, replace
from typing import Any, cast

import pytest

from bot.engine.options import Switch
from bot.engine.rules import Game
from bot.engine.state import Round
from bot.engine.variants import GAMES, find_game
from bot.solver.exact.position import Position

FULL = Position((1, 2, 4), (1, 3, 4), (2, 3, 5), 2, "carry", 2, "win", 3, ordered=True, swap=True)


def test_round_with_more_events_equals_its_replaced_copy() -> None:
    told: Any = {field.name: (field.name,) for field in fields(Round)}
    before = Round(**told)
    assert before.with_events([cast("Any", "more")]) == replace(before, events=("events", cast("Any", "more")))


def test_position_after_a_turn_or_bid_equals_its_replaced_copy() -> None:
    for field in fields(Position):
        assert getattr(FULL, field.name) != field.default, f"{field.name} would not be missed"
    hidden = replace(FULL, up=None)
    assert hidden.turned(2) == FULL
    after = FULL.after(4, 3)
    assert after == replace(FULL, mine=(1, 2), theirs=(1, 4), prizes=(3, 5), up=None, pot=0, lead=3 + 4)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_equal_setups_share_one_rules_object(game: Game) -> None:
    """Cached results are then shared. Other options, or other seats, have other rules objects."""
    fewest, most = game.seats
    usual = game.rules(most)
    assert usual is game.rules(most, {})
    assert fewest == most or game.rules(fewest) != usual
    for one in game.options:
        if isinstance(one, Switch):
            told = game.rules(most, {one.key: one.default}) if one.default is not None else usual
            assert told is usual


def test_different_options_give_different_rules() -> None:
    classic = find_game("classic")
    assert classic.rules(2, {"cards": 7}) is not classic.rules(2, {"cards": 8})
    assert classic.rules(2, {"cards": 7}).options["cards"] == 7
    assert classic.rules(2, {"cards": 8}).options["cards"] == 8
