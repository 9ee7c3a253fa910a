"""What a position is worth to win, by looking some bids ahead: exact games there, and beyond them the normal law.

An exploiter of Sage goes by it. Sage looks one bid ahead by the same law, so whoever judges as Sage does finds nothing.
"""

from __future__ import annotations

from math import erf, sqrt

import numpy as np

from bot.solver.compiled import kernel
from bot.solver.induction import Layer, Workers, layer
from bot.solver.matrix import Floats
from bot.solver.near import spread
from bot.solver.position import Position
from bot.solver.solve import Frame, Solved, frame
from bot.solver.tables import ValueTable
from bot.solver.words import Ints, Shorts

GRID = 1024
"""Chances are multiples of one part of so many: hair's breadths would make games that no certificate can be had for."""


def foreseen(here: Position, lowest: int, points: ValueTable | Solved) -> Solved:
    """What follows the next bids, to win: the law at `lowest` cards, games above; `points` knows that layer."""
    shape = frame(here, lowest)
    layers = [Layer(np.zeros(0), 0.0, 0)] * (lowest - 1)
    values = _by_law(shape, lowest, _expected(shape, lowest, points))
    layers.append(Layer(values, 0.0, 0))
    for cards in range(lowest + 1, len(here.mine)):
        values = np.rint(GRID * layer(shape.work(values, cards), Workers()).values) / GRID
        layers.append(Layer(values, 0.0, 0))
    return Solved(shape, tuple(layers), exact=False)


def _expected(shape: Frame, cards: int, points: ValueTable | Solved) -> Floats:
    """The points of a layer: [word, set of prizes]."""
    known, wanted = points.shape, shape.ladder.at(cards).words
    words = known.ladder.at(cards).words
    bits = [
        sum(1 << known.prizes.index(prize) for bit, prize in enumerate(shape.prizes) if int(left) >> bit & 1)
        for left in shape.turns[cards - 1].sets
    ]
    columns = known.turns[cards - 1].sets.searchsorted(bits)
    values = points.decoded(cards) if isinstance(points, ValueTable) else points.layers[cards - 1].values
    return np.ascontiguousarray(values.reshape(len(words), -1)[np.ix_(words.searchsorted(wanted), columns)])


def _by_law(shape: Frame, cards: int, points: Floats) -> Floats:
    own = shape.stakes(cards)
    assert own is not None
    values: Floats = np.zeros(own.size)
    spreads: Floats = np.array(
        [
            spread([prize for bit, prize in enumerate(shape.prizes) if int(left) >> bit & 1])
            for left in shape.turns[cards - 1].sets
        ]
    )
    by_law(own.start, own.offset[0], own.lead_starts, own.leads, points, spreads, own.rest, GRID, values)
    return values


@kernel
def by_law(
    start: Ints,
    offset: Ints,
    lead_starts: Shorts,
    leads: Shorts,
    points: Floats,
    spreads: Floats,
    rest: Shorts,
    grid: int,
    values: Floats,
) -> None:
    for word in range(points.shape[0]):
        for left in range(points.shape[1]):
            to = start[word] + offset[left] - lead_starts[left]
            for number in range(lead_starts[left], lead_starts[left + 1]):
                ahead = leads[number] + points[word, left]
                share = erf(ahead / (spreads[left] * sqrt(2.0)))
                if abs(ahead) >= rest[left]:
                    share = 1.0 if ahead > 0 else -1.0
                values[to + number] = np.rint(grid * share) / grid
