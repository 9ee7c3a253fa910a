"""Chance nodes of the game tree: sets of prizes still to come, layer by layer, and the turns between them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bot.solver.kernels.jit import Floats, Ints, Shorts


class Turns(NamedTuple):
    """The sets of prizes of one layer, and every turn of a prize from such a set to a set of the layer below."""

    sets: Ints  # bit i: prize i of the sequence is still to come
    starts: Shorts  # turns starts[left] up to starts[left + 1] lead to the set `left` of the layer below
    left: Shorts  # for each turn: the set after it, in the layer below
    prize: Floats
    whole: Shorts  # the set before the turn, in this layer
    weight: float  # the probability of each prize of a set to be the next


def list_shuffled_turns(prizes: Sequence[int]) -> tuple[Turns, ...]:
    """List the turns of each layer when every order of the prizes is equally likely.

    `prizes` are ascending, so the sets of a layer are in the order of their bits.
    """
    count = len(prizes)
    by_size: list[list[int]] = [[] for _ in range(count + 1)]
    for subset in range(1 << count):
        by_size[subset.bit_count()].append(subset)
    index = {subset: at for sets in by_size for at, subset in enumerate(sets)}
    layers: list[Turns] = []
    for size in range(1, count + 1):
        starts, prize, whole = [0], list[int](), list[int]()
        for left in by_size[size - 1]:
            for bit in range(count):
                if not left >> bit & 1:
                    prize.append(prizes[bit])
                    whole.append(index[left | 1 << bit])
            starts.append(len(prize))
        layers.append(_build_turns(by_size[size], starts, prize, whole, 1 / size))
    return tuple(layers)


def list_ordered_turns(prizes: Sequence[int]) -> tuple[Turns, ...]:
    """List the turns of each layer when the prizes come in the order given, and both sides know that order."""
    count = len(prizes)
    layers: list[Turns] = []
    for size in range(1, count + 1):
        left = (1 << count) - (1 << count - size)
        layers.append(_build_turns([left], [0, 1], [prizes[count - size]], [0], 1.0))
    return tuple(layers)


def _build_turns(sets: list[int], starts: list[int], prize: list[int], whole: list[int], weight: float) -> Turns:
    return Turns(
        sets=np.array(sets, dtype=np.int64),
        starts=np.array(starts, dtype=np.int32),
        left=np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts)),
        prize=np.array(prize, dtype=np.float64),
        whole=np.array(whole, dtype=np.int32),
        weight=weight,
    )
