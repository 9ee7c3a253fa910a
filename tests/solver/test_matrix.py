"""Matrix games: every answer carries its certificate, and the choice among several optimal mixes is fixed."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.solver.kernels import integer_games
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, new_workspace, solve_game
from bot.solver.kernels.matrix_game import GRAIN, solve_matrix
from tests.solver import slow

Random = np.random.Generator
KINDS: dict[str, Callable[[Random, int, int], Any]] = {
    "any": lambda dice, m, n: dice.normal(size=(m, n)) * 10,
    "few whole numbers": lambda dice, m, n: dice.integers(-2, 3, (m, n)),
    "one decimal": lambda dice, m, n: np.round(dice.normal(size=(m, n)), 1),
    "rank one": lambda dice, m, n: dice.integers(-1, 2, (m, 1)) * dice.integers(-1, 2, (1, n)),
    "equal rows and columns": lambda dice, m, n: dice.normal(size=(m, n))[dice.integers(0, m, m)][
        :, dice.integers(0, n, n)
    ],
    "nearly equal rows": lambda dice, m, n: dice.normal(size=(1, n)) + 1e-13 * dice.normal(size=(m, n)),
    "symmetric": lambda dice, m, n: (lambda a: a - a.T)(dice.integers(-9, 10, (min(m, n),) * 2)),
    "constant": lambda dice, m, n: np.full((m, n), float(dice.integers(-90, 91))),
}


OF_A_KIND = 12_500


@pytest.mark.parametrize("kind", KINDS)
def test_every_matrix_game_is_certified_or_solved_exactly(kind: str) -> None:
    """12,500 games of each kind, 100,000 in all: those that floating point cannot certify are solved exactly."""
    dice = np.random.default_rng(len(kind))
    work, space = np.zeros((WIDTH, WIDTH)), new_workspace()
    games, sizes = np.full((OF_A_KIND, WIDTH, WIDTH), np.nan), dice.integers(1, 14, (OF_A_KIND, 2))
    mixes = np.zeros((OF_A_KIND, 2, WIDTH))
    sure = np.ones(OF_A_KIND, dtype=bool)
    guess = 0
    for at, (m, n) in enumerate(sizes.tolist()):
        game = KINDS[kind](dice, m, n)
        m, n = game.shape
        work[:m, :n] = games[at, :m, :n] = game
        if (
            guess > min(m, n)
            or max(space.used[0, :guess].tolist(), default=0) >= m
            or max(space.used[1, :guess].tolist(), default=0) >= n
        ):
            guess = 0
        guess = solve_game(work, m, n, 100.0, guess, space)
        if not space.bounds[1] - space.bounds[0] <= TOLERANCE:
            sure[at] = False
            assert solve_matrix(game.tolist()).gap <= 1e-9
            continue
        mixes[at, 0, space.used[0, :guess]], mixes[at, 1, space.used[1, :guess]] = space.x[:guess], space.y[:guess]
    rows, columns = mixes[sure, 0], mixes[sure, 1]
    assert min(rows.min(), columns.min()) >= 0
    assert (abs(rows.sum(axis=1) - 1) + abs(columns.sum(axis=1) - 1)).max() < 1e-12
    there = ~np.isnan(games[sure])
    whole = np.where(there, games[sure], 0.0)
    most = np.where(there[:, :, 0], np.einsum("gij,gj->gi", whole, columns), -np.inf).max(axis=1)
    least = np.where(there[:, 0, :], np.einsum("gi,gij->gj", rows, whole), np.inf).min(axis=1)
    assert (most - least).max() <= 2e-12
    assert (~sure).sum() <= 125


ENTRIES = st.one_of(st.integers(-3, 3), st.floats(-5, 5, allow_subnormal=False).map(lambda x: round(x, 3)))
GAMES = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.lists(st.lists(ENTRIES, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
)


@settings(max_examples=100)
@given(GAMES)
def test_float_integer_and_fraction_solvers_agree(game: list[list[float]]) -> None:
    fraction = slow.game_value([[Fraction(entry) for entry in row] for row in game])
    found = solve_matrix(game)
    assert found.value == pytest.approx(float(fraction), abs=1e-9)
    assert integer_games.solve_value(game) == float(fraction)
    assert found.gap <= 1e-9
    assert min(found.mix) >= 0
    assert sum(found.mix) == pytest.approx(1, abs=1e-12)


SMALL_GAMES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-2, 2), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@settings(max_examples=150)
@given(SMALL_GAMES)
@example([[0, 0], [0, -1]])
def test_cost_of_a_bid_is_its_largest_loss_over_all_optimal_replies(game: list[list[int]]) -> None:
    found = solve_matrix(game)
    fractions = [[Fraction(entry) for entry in row] for row in game]
    turned = [[-entry for entry in column] for column in zip(*fractions, strict=True)]
    assert found.costs() == pytest.approx(list(map(float, slow.most_given_up(fractions))), abs=1e-9)
    assert found.exchange_sides().costs() == pytest.approx(list(map(float, slow.most_given_up(turned))), abs=1e-9)


@settings(max_examples=150)
@given(SMALL_GAMES)
@example([[0, 0], [0, -1]])
def test_least_share_of_a_bid_is_its_minimum_over_all_optimal_mixes(game: list[list[int]]) -> None:
    found = solve_matrix(game)
    fractions = [[Fraction(entry) for entry in row] for row in game]
    turned = [[-entry for entry in column] for column in zip(*fractions, strict=True)]
    assert found.least_shares() == pytest.approx(list(map(float, slow.least_shares(turned))), abs=1e-9)
    assert found.exchange_sides().least_shares() == pytest.approx(
        list(map(float, slow.least_shares(fractions))), abs=1e-9
    )


@settings(max_examples=100)
@given(GAMES)
def test_bids_of_the_chosen_mix_cost_nothing(game: list[list[float]]) -> None:
    found = solve_matrix(game)
    for costs, mix in ((found.costs(), found.mix), (found.exchange_sides().costs(), found.their_mix)):
        assert max(cost for cost, share in zip(costs, mix, strict=True) if share > 1e-6) <= 1e-9


@settings(max_examples=100)
@given(GAMES)
def test_lowest_mix_has_the_largest_share_on_the_lowest_bid(game: list[list[float]]) -> None:
    """No optimal mix has more on the lowest bid than the one that is chosen."""
    mix = integer_games.find_lowest_mix(game, GRAIN)
    value = integer_games.solve_value(game)
    assert min(np.array(mix) @ np.array(game)) >= value - 1e-9
    # With a bribe for the lowest bid, small beside every difference, nothing gets better: it is there already.
    if len(game) > 1:
        tried = solve_matrix([[entry + (1e-6 if at == 0 else 0.0) for entry in row] for at, row in enumerate(game)]).mix
        if min(np.array(tried) @ np.array(game)) >= value - 1e-12:
            assert mix[0] >= tried[0] - 1e-4


@pytest.mark.parametrize(
    ("game", "mix", "theirs"),
    [
        ([[1.0, 1.0], [1.0, 1.0]], (1, 0), (1, 0)),
        ([[0.0, -1.0, 1.25], [1.0, 0.0, 0.0], [-1.25, 0.0, 0.0]], (0, 1, 0), (0, 1, 0)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], (1 / 3, 1 / 3, 1 / 3), (1 / 3, 1 / 3, 1 / 3)),
        ([[3.0]], (1,), (1,)),
        ([[0, 0], [2, 2], [2, 2]], (0, 1, 0), (1, 0)),
    ],
)
def test_chosen_mixes_of_known_games_do_not_change(
    game: list[list[float]], mix: tuple[float, ...], theirs: tuple[float, ...]
) -> None:
    found = solve_matrix(game)
    assert found.mix == pytest.approx(mix, abs=1e-12)
    assert found.their_mix == pytest.approx(theirs, abs=1e-12)
