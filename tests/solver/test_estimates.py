"""The time of a solve is estimated from the exact number of its games."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.solver.exact.position import Position
from bot.solver.exact.solve import count_games, estimate_seconds, solve_position, start_whole_game


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize("ties", ["discard", "carry"])
def test_count_games_is_the_number_of_games_that_a_solve_computes(ties: str, objective: str, *, ordered: bool) -> None:
    chance = random.Random(4)
    for cards in (1, 3, 5):
        mine, theirs, prizes = (tuple(sorted(chance.sample(range(1, 9), cards))) for _ in range(3))
        here = Position(mine, theirs, prizes, prizes[0], ties, objective=objective, ordered=ordered)
        assert count_games(here) == solve_position(here).games


def test_estimate_grows_with_the_number_of_cards_and_with_carried_pots() -> None:
    eight, nine = (start_whole_game(cards).turned(1) for cards in (8, 9))
    assert 4 * estimate_seconds(eight) < estimate_seconds(nine) < 1
    assert estimate_seconds(eight) < estimate_seconds(replace(eight, ties="carry"))
