"""What play by packed layers of a table loses, by exact best response, and how small they are.

The three upper layers of a game are packed, as they are of the 13-card game; below them play is exact.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from bot.solver.induction import Workers
from bot.solver.matrix import Floats
from bot.solver.reply import Valuation, general, guaranteed
from bot.solver.shipping import FINER
from bot.solver.solve import Frame, solve, whole_game
from bot.solver.tables import encode_packed

GAMES = ((9, "carry"), (10, "discard"))
STEPS = (0.01, 0.005, 0.002)


def run() -> None:
    for cards, ties in GAMES:
        solved = solve(whole_game(cards, ties))
        for step in STEPS:
            print(
                f"  {cards} cards, {ties}: {told([layer.values for layer in solved.layers], solved.shape, step)}",
                flush=True,
            )


def told(values: list[Floats], shape: Frame, step: float) -> str:
    """What the three upper layers come to by this step; `values` are those of all layers below the whole game."""
    cards = len(shape.turns)
    lowest = cards - 3
    guides, sizes = dict[int, Floats](), list[int]()
    for place, layer in enumerate(range(lowest, cards)):
        unit = step / FINER**place
        data, _ = encode_packed(values[layer - 1], shape, layer, unit)
        guides[layer] = unit * np.rint(values[layer - 1].reshape(-1) / unit)
        sizes.append(len(data))
    whole = shape if shape.places else general(shape)
    lost = -guaranteed(whole, lowest, values[lowest - 1], partial(_valued, guides), Workers())
    bits = 8 * sizes[0] / values[lowest - 1].size
    return f"step {step}: {sum(sizes)} bytes, {bits:.1f} bits a value of the lowest, exploited for {lost:.1e} points"


def _valued(guides: dict[int, Floats], cards: int) -> Valuation:
    return Valuation(guides[cards])
