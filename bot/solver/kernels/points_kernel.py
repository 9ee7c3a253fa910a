"""One layer of points from the layer below, compiled.

A game without a certificate goes to the doubts, at most as many as there is room for; the kernels give their number."""

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.compiled import kernel
from bot.solver.kernels.matrix import TOLERANCE, Floats, Spots
from bot.solver.kernels.simd import LANES
from bot.solver.kernels.simd_games import KNOWN, Abreast, solve_all
from bot.solver.kernels.words import Ints, Shorts, Signs

Doubtful = NDArray[np.float64]  # [doubt, row, column]


@kernel
def note(
    games: Floats,
    lane: int,
    m: int,
    n: int,
    to: int,
    doubt: int,
    doubt_at: Spots,
    doubt_bids: Spots,
    doubt_game: Doubtful,
) -> None:
    """Keep a game that got no certificate, for exact arithmetic."""
    doubt_at[doubt] = to
    doubt_bids[doubt, 0] = m
    doubt_bids[doubt, 1] = n
    for i in range(m):
        for j in range(n):
            doubt_game[doubt, i, j] = games[i, j, lane]


@kernel
def points_layer(
    first: int,
    rows: Ints,
    columns: Ints,
    child: Shorts,
    facing: Signs,
    sign: Signs,
    below: Floats,
    left: Shorts,
    prize: Floats,
    whole: Shorts,
    by_prize: Spots,
    weight: float,
    shift: float,
    values: Floats,
    gaps: Floats,
    doubt_at: Spots,
    doubt_bids: Spots,
    doubt_game: Doubtful,
    on: Abreast,
) -> int:
    """Fill in values[word - first, set of prizes] and the widest gap of each word; `values` comes as zeros.

    Games of one prize have few supports: each that is found is tried on all games of the prize that have none yet.
    """
    turns = prize.shape[0]
    found = np.empty(turns)
    lefts = np.empty(LANES, np.int64)
    worth = np.empty(LANES)
    games = on.games
    doubts = 0
    for at in range(values.shape[0]):
        word = first + at
        m = rows[word]
        n = columns[word]
        for which in range(KNOWN):
            on.sizes[which] = 0
        widest = 0.0
        for start in range(0, turns, LANES):
            lanes = min(LANES, turns - start)
            for lane in range(LANES):
                turn = by_prize[min(start + lane, turns - 1)]
                lefts[lane] = left[turn]
                worth[lane] = prize[turn]
            for i in range(m):
                for j in range(n):
                    to = child[word, i, j]
                    seen_from = facing[word, i, j]
                    won = sign[word, i, j]
                    for lane in range(LANES):
                        games[i, j, lane] = seen_from * below[to, lefts[lane]] + worth[lane] * won
            solve_all(on, lanes, m, n, shift)
            for lane in range(lanes):
                turn = by_prize[start + lane]
                gap = on.high[lane] - on.low[lane]
                if gap > TOLERANCE and doubts < doubt_at.shape[0]:
                    to = at * values.shape[1] + whole[turn]
                    note(games, lane, m, n, to, doubts, doubt_at, doubt_bids, doubt_game)
                    doubts += 1
                    found[turn] = 0.0
                else:
                    found[turn] = 0.5 * (on.low[lane] + on.high[lane])
                    widest = max(widest, gap)
        for turn in range(turns):
            values[at, whole[turn]] += weight * found[turn]
        gaps[at] = widest
    return doubts
