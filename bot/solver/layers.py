"""One layer from the layer below, compiled.

A game without a certificate goes to the doubts, at most as many as there is room for; the kernels give their number."""

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import kernel
from bot.solver.matrix import TOLERANCE, WIDTH, Floats, Places, solve
from bot.solver.words import Ints, Shorts, Signs

SLOTS = 32
"""More than the dearest prize."""

Doubtful = NDArray[np.float64]  # [doubt, row, column]


@kernel
def note(
    game: Floats, m: int, n: int, to: int, doubt: int, doubt_at: Places, doubt_bids: Places, doubt_game: Doubtful
) -> None:
    """Keep a game that got no certificate, for exact arithmetic."""
    doubt_at[doubt] = to
    doubt_bids[doubt, 0] = m
    doubt_bids[doubt, 1] = n
    for i in range(m):
        for j in range(n):
            doubt_game[doubt, i, j] = game[i, j]


@kernel
def points_layer(
    first: int,
    rows: Shorts,
    columns: Shorts,
    child: Shorts,
    facing: Signs,
    sign: Signs,
    below: Floats,
    starts: Shorts,
    prize: Floats,
    whole: Shorts,
    weight: float,
    shift: float,
    values: Floats,
    gaps: Floats,
    doubt_at: Places,
    doubt_bids: Places,
    doubt_game: Doubtful,
) -> int:
    """Fill in values[word - first, set of prizes] and the widest gap of each word; `values` comes as zeros."""
    base = np.empty((WIDTH, WIDTH))
    game = np.empty((WIDTH, WIDTH))
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    used = np.empty((SLOTS, 2, WIDTH), np.int64)
    sizes = np.empty(SLOTS, np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    bounds = np.empty(2)
    doubts = 0
    for at in range(values.shape[0]):
        word = first + at
        m = rows[word]
        n = columns[word]
        sizes[:] = 0
        widest = 0.0
        for left in range(starts.shape[0] - 1):
            for i in range(m):
                for j in range(n):
                    base[i, j] = facing[word, i, j] * below[child[word, i, j], left]
            for turn in range(starts[left], starts[left + 1]):
                for i in range(m):
                    for j in range(n):
                        game[i, j] = base[i, j] + prize[turn] * sign[word, i, j]
                # The best guess is the support that the same prize had with the last set of others.
                slot = int(prize[turn])
                sizes[slot] = solve(game, m, n, shift, used[slot], sizes[slot], table, basis, x, y, bounds)
                if bounds[1] - bounds[0] > TOLERANCE and doubts < doubt_at.shape[0]:
                    note(game, m, n, at * values.shape[1] + whole[turn], doubts, doubt_at, doubt_bids, doubt_game)
                    doubts += 1
                    continue
                widest = max(widest, bounds[1] - bounds[0])
                values[at, whole[turn]] += weight * 0.5 * (bounds[0] + bounds[1])
        gaps[at] = widest
    return doubts


@kernel
def stakes_layer(
    first: int,
    count: int,
    rows: Shorts,
    columns: Shorts,
    child: Shorts,
    facing: Signs,
    sign: Signs,
    kind: Shorts,
    start: Ints,
    offset: Ints,
    pot_starts: Ints,
    pots: Shorts,
    half: Shorts,
    spare: Shorts,
    below: Floats,
    below_kind: Shorts,
    below_start: Ints,
    below_offset: Ints,
    below_place: Shorts,
    below_half: Shorts,
    below_rest: Shorts,
    starts: Shorts,
    prize: Floats,
    whole: Shorts,
    weight: float,
    shift: float,
    carry: bool,
    swap: bool,
    win: bool,
    last: bool,
    values: Floats,
    gaps: Floats,
    doubt_at: Places,
    doubt_bids: Places,
    doubt_game: Doubtful,
) -> int:
    """The same with pots and leads. Fill in the values of `count` words from `first` on, which come as zeros."""
    game = np.empty((WIDTH, WIDTH))
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    used = np.empty((SLOTS, 2, WIDTH), np.int64)
    sizes = np.empty(SLOTS, np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    bounds = np.empty(2)
    doubts = 0
    origin = start[first]
    for word in range(first, first + count):
        m = rows[word]
        n = columns[word]
        own = kind[word]
        sizes[:] = 0
        widest = 0.0
        for left in range(starts.shape[0] - 1):
            rest = below_rest[left]
            reach = below_half[left]
            for turn in range(starts[left], starts[left + 1]):
                before = whole[turn]
                slot = int(prize[turn])
                to = start[word] - origin + offset[own, before]
                for listed in range(pot_starts[own, before], pot_starts[own, before + 1]):
                    stake = slot + pots[listed]
                    for lead in range(-half[before], half[before] + 1):
                        if win and abs(lead) + pots[listed] > spare[before]:
                            to += 1  # cannot arise
                            continue
                        for i in range(m):
                            for j in range(n):
                                won = sign[word, i, j]
                                turned = -1 if facing[word, i, j] < 0 else 1
                                pot = 0
                                if won == 0 and carry:
                                    pot = stake
                                    if swap:
                                        turned = -turned
                                ahead = lead
                                value = 0.0
                                if win:
                                    ahead += won * stake
                                else:
                                    value = float(won * stake)
                                if last:
                                    if win:
                                        value = float((ahead > 0) - (ahead < 0))
                                elif win and abs(ahead) > rest + pot:
                                    value = 1.0 if ahead > 0 else -1.0
                                else:
                                    to_word = child[word, i, j]
                                    to_kind = below_kind[to_word]
                                    at = below_start[to_word] + below_offset[to_kind, left]
                                    at += below_place[to_kind, left, pot] * (2 * reach + 1)
                                    value += turned * below[at + turned * ahead + reach]
                                game[i, j] = value
                        sizes[slot] = solve(game, m, n, shift, used[slot], sizes[slot], table, basis, x, y, bounds)
                        if bounds[1] - bounds[0] > TOLERANCE and doubts < doubt_at.shape[0]:
                            note(game, m, n, to, doubts, doubt_at, doubt_bids, doubt_game)
                            doubts += 1
                        else:
                            widest = max(widest, bounds[1] - bounds[0])
                            values[to] += weight * 0.5 * (bounds[0] + bounds[1])
                        to += 1
        gaps[word - first] = widest
    return doubts
