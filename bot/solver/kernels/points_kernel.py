"""Kernel that solves one layer for points from the layer below, and the results that layer kernels fill in."""

from typing import NamedTuple

import numpy as np

from bot.solver.kernels.jit import Floats, Ints, kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.simd import LANES
from bot.solver.kernels.simd_games import GameBatch, forget_supports, solve_batch
from bot.solver.kernels.words import Moves


class LayerResults(NamedTuple):
    """Results for some words of a layer. A doubt is a game without a certificate; exact arithmetic solves it later."""

    values: Floats  # all zero when passed in
    gaps: Floats  # [word]: the widest gap of its games
    doubt_at: Ints  # [doubt]: the index in the flat values to which the game's value is added
    doubt_bids: Ints  # [doubt, side]: rows and columns
    doubt_games: Floats  # [doubt, row, column]


def new_results(values: Floats, words: int, doubts: int) -> LayerResults:
    """Allocate all arrays except the values, with room for `doubts` doubts."""
    bids: Ints = np.zeros((doubts, 2), dtype=np.int64)
    return LayerResults(
        values, np.zeros(words), np.zeros(doubts, dtype=np.int64), bids, np.zeros((doubts, WIDTH, WIDTH))
    )


@kernel
def store_doubt(results: LayerResults, doubt: int, at: int, games: Floats, lane: int, rows: int, columns: int) -> None:
    """Store a game that has no certificate."""
    results.doubt_at[doubt] = at
    results.doubt_bids[doubt, 0] = rows
    results.doubt_bids[doubt, 1] = columns
    for i in range(rows):
        for j in range(columns):
            results.doubt_games[doubt, i, j] = games[i, j, lane]


@kernel
def solve_points_layer(
    first: int, moves: Moves, turns: Turns, below: Floats, shift: float, results: LayerResults, batch: GameBatch
) -> int:
    """Fill in values[word - first, set of prizes]; return the number of doubts.

    If the room for doubts is used up, further games widen the gap instead. Games of one prize share few supports, so
    games are solved in the order of their prizes and each support is tried on later games.
    """
    child, facing, sign, values = moves.child, moves.facing, moves.sign, results.values
    count = turns.prize.shape[0]
    found = np.empty(count)
    lefts = np.empty(LANES, np.int64)
    worth = np.empty(LANES)
    games = batch.games
    doubts = 0
    for at in range(values.shape[0]):
        word = first + at
        m = moves.rows[word]
        n = moves.columns[word]
        forget_supports(batch)
        widest = 0.0
        for start in range(0, count, LANES):
            lanes = min(LANES, count - start)
            for lane in range(LANES):
                turn = turns.by_prize[min(start + lane, count - 1)]
                lefts[lane] = turns.left[turn]
                worth[lane] = turns.prize[turn]
            for i in range(m):
                for j in range(n):
                    to = child[word, i, j]
                    seen_from = facing[word, i, j]
                    won = sign[word, i, j]
                    for lane in range(LANES):
                        games[i, j, lane] = seen_from * below[to, lefts[lane]] + worth[lane] * won
            solve_batch(batch, lanes, m, n, shift)
            for lane in range(lanes):
                turn = turns.by_prize[start + lane]
                gap = batch.high[lane] - batch.low[lane]
                if gap > TOLERANCE and doubts < results.doubt_at.shape[0]:
                    to = at * values.shape[1] + turns.whole[turn]
                    store_doubt(results, doubts, to, games, lane, m, n)
                    doubts += 1
                    found[turn] = 0.0
                else:
                    found[turn] = 0.5 * (batch.low[lane] + batch.high[lane])
                    widest = max(widest, gap)
        for turn in range(count):
            values[at, turns.whole[turn]] += turns.weight * found[turn]
        results.gaps[at] = widest
    return doubts
