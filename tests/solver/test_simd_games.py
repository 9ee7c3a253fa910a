"""Games solved side by side: the result of a lane does not depend on the other lanes."""

import numpy as np
import pytest

from bot.solver.kernels.matrix import TOLERANCE
from bot.solver.kernels.matrix_game import solve_matrix
from bot.solver.kernels.simd import LANES
from bot.solver.kernels.simd_games import new_batch, solve_batch
from tests.solver.test_matrix import KINDS

BATCHES = 40


@pytest.mark.parametrize("kind", KINDS)
def test_every_simd_lane_is_certified_or_marked_as_doubtful(kind: str) -> None:
    dice = np.random.default_rng(len(kind))
    on = new_batch()
    doubts = 0
    for _ in range(BATCHES):
        lanes, m, n = (int(dice.integers(1, most + 1)) for most in (LANES, 13, 13))
        games = [np.array(KINDS[kind](dice, m, n), dtype=np.float64) for _ in range(lanes)]
        m, n = games[0].shape
        on.sizes[:] = 0
        on.games[...] = np.nan  # lanes that are not asked for may hold anything
        for lane, game in enumerate(games):
            on.games[:m, :n, lane] = game
        for _ in range(2):  # once from nothing, once with the supports that came of it
            solve_batch(on, lanes, m, n, 100.0)
            for lane, game in enumerate(games):
                if on.high[lane] - on.low[lane] <= TOLERANCE:
                    assert (on.low[lane] + on.high[lane]) / 2 == pytest.approx(
                        solve_matrix(game.tolist()).value, abs=1e-11
                    )
                else:
                    doubts += 1
    assert doubts <= BATCHES * LANES * 2 // 50


def test_unusable_support_is_dropped() -> None:
    """Equal rows have no unique mix: the bounds are not numbers, so they certify nothing."""
    on = new_batch()
    on.games[:2, :2, :] = np.array([[1.0, 2.0], [1.0, 2.0]])[:, :, None]
    on.sizes[0], on.supports[0, :, :2] = 2, (0, 1)
    solve_batch(on, LANES, 2, 2, 1.0)
    assert on.low.tolist() == on.high.tolist() == [1.0] * LANES
    assert on.sizes[on.order[0]] == 1
