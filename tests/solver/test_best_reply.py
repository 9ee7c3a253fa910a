"""The compiled best reply equals a plain one that asks Sage at every position."""

from functools import cache

import pytest

from bot.solver.exact.induction import Workers
from bot.solver.exact.solve import SolvedGame, build_frame, solve_position, start_whole_game
from bot.solver.players.sage import answer_by_points
from bot.solver.tables.library import Library
from tests.solver.best_reply import Valuation
from tests.solver.best_reply import guaranteed as by_layers
from tests.solver.response import guaranteed

WORKERS = Workers()


def exact_from(carried: SolvedGame, cards: int) -> float:
    """What the plain way finds where the last `cards` cards are played exactly, and those before by the points mix."""
    known = Library()
    known.learn(start_whole_game(len(carried.layers)))
    known.judge = cache(known.judge)  # a position that many pots lead to is looked up once
    start = start_whole_game(len(carried.layers), "carry")
    return guaranteed(
        start,
        lambda at: answer_by_points(at, known).mix,
        lambda at: carried.value(at) if len(at.mine) <= cards else None,
    )


@pytest.mark.parametrize(("cards", "lowest"), [(3, 0), (3, 1), (4, 0), (4, 2), (5, 1), (5, 3), (6, 4)])
def test_loss_of_the_points_mix_equals_the_loss_of_the_plain_calculation(cards: int, lowest: int) -> None:
    carried, points = solve_position(start_whole_game(cards, "carry")), solve_position(start_whole_game(cards))
    shape = build_frame(start_whole_game(cards, "carry"))
    values = carried.layers[lowest - 1].values if lowest else shape.ground

    def guide(layer: int) -> Valuation:
        return Valuation(
            points.layers[layer - 1].values.reshape(-1) if layer else points.shape.ground.reshape(-1), True
        )

    lost = by_layers(shape, lowest, values, guide, WORKERS)
    assert lost == pytest.approx(exact_from(carried, lowest), abs=1e-9)
    assert lost < -0.05  # it is no small matter, or this would say little


@pytest.mark.parametrize("cards", [4, 6, 7])
def test_exact_play_loses_nothing(cards: int) -> None:
    carried = solve_position(start_whole_game(cards, "carry"))
    found = by_layers(
        carried.shape, 1, carried.layers[0].values, lambda at: Valuation(carried.layers[at - 1].values), WORKERS
    )
    assert found == pytest.approx(0, abs=1e-10)


def test_best_reply_with_threads_finds_the_same_loss() -> None:
    carried = solve_position(start_whole_game(6, "carry"))
    blurred = [each.values.round(1) for each in carried.layers]

    def lost(workers: Workers) -> float:
        return by_layers(carried.shape, 2, carried.layers[1].values, lambda at: Valuation(blurred[at - 1]), workers)

    assert lost(Workers(3)) == lost(WORKERS) < 0
