"""Compile everything once on a fresh machine, so that workers need not: `python -m tests.precompile`."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

import pytest

from bot.solver.kernels.cache_folder import is_compiled

COMPILED = Path(__file__).parent / "engine" / "__pycache__"
"""there as soon as tests were collected here"""


def collect() -> None:
    """Modules, and tests with their assertions rewritten."""
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider"])


def kernels() -> None:
    """Compile the kernels of the solver for every kind of game."""
    import numpy as np

    from bot.solver.exact.endgame import Endgame
    from bot.solver.exact.endgame_values import answer_endgame
    from bot.solver.exact.induction import Workers
    from bot.solver.exact.solve import solve_position, start_whole_game
    from bot.solver.players.sage import compile_kernels
    from bot.solver.tables.packing import pack, unpack
    from tests.solver.best_reply import Valuation, guaranteed

    points, carried = solve_position(start_whole_game(3)), solve_position(start_whole_game(3, "carry"))
    solve_position(start_whole_game(3, objective="win"))

    def rounded(layer: int) -> Valuation:
        values = points.layers[layer - 1].values if layer else points.shape.ground
        return Valuation(values.reshape(-1), True)

    guaranteed(carried.shape, 0, carried.shape.ground, rounded, Workers())
    guaranteed(
        carried.shape, 1, carried.layers[0].values, lambda at: Valuation(carried.layers[at - 1].values), Workers()
    )
    list(unpack(np.frombuffer(pack([np.arange(-8, 8, dtype=np.int64).reshape(4, 4)]), np.uint8), [(4, 4)]))
    answer_endgame(Endgame((1, 2), (1, 3), 2, (1, 2)))
    compile_kernels()


def main() -> int:
    if not COMPILED.exists():
        collect()
    if not is_compiled():
        kernels()
    return 0


if __name__ == "__main__":
    sys.exit(main())
