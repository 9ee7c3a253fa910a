"""The best answer to a play that goes by known values, layer by layer and compiled: for whole games, for points.

`response` asks any strategy at every position and takes its time; this knows one kind of strategy, the one that Sage
plays: the mix of the game whose later values are the exact ones, those of a table, or those of discarded ties.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bot.solver.exact.induction import LayerWork, Piece, Workers, cut
from bot.solver.exact.solve import Frame
from bot.solver.kernels import integer_games
from bot.solver.kernels.compiled import kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Floats, Spots, solve
from bot.solver.kernels.matrix_game import CLEAR, GRAIN
from bot.solver.kernels.pot_layout import Start, stakes
from bot.solver.kernels.words import Ints, Shorts, Signs

SLOTS = 1024
"""For prize and pot; that some share one costs a guess, no more."""


@dataclass(frozen=True)
class Valuation:
    """What a play takes for the values of a layer: those of carried ties, or those of discarded ones."""

    values: Floats  # flat
    by_points: bool = False


def guaranteed(shape: Frame, lowest: int, values: Floats, guide: Callable[[int], Valuation], workers: Workers) -> float:
    """What a play brings at least from the first turn of a game; `shape` has places for its values (`general`).

    From `lowest` cards down it is exact and brings `values`; above, `guide(cards)` are the values of the layer that
    it goes by.
    """
    below: Floats = np.stack([values.reshape(-1), -values.reshape(-1)])
    for cards in range(lowest + 1, len(shape.turns) + 1):
        below = _layer(shape.work(below, cards), guide(cards - 1), workers)
    return float(below[0, 0])


def general(shape: Frame) -> Frame:
    """A game for points with places for its values, as one with carried ties has them."""
    places = stakes(
        shape.ladder, shape.turns, shape.prizes, Start(False, False), [(0, False)] * len(shape.ladder.top.words)
    )
    return replace(shape, places=places)


def _layer(work: LayerWork, guide: Valuation, workers: Workers) -> Floats:
    """What the play brings in every position of a layer: holding the hand of the word, or the other one."""
    assert work.stakes is not None
    count = len(work.moves.words)
    found: Floats = np.zeros((2, work.stakes.size))
    workers.map(partial(_fill, work, guide, found), cut(count), count)
    return found


def _fill(work: LayerWork, guide: Valuation, found: Floats, first: int, words: int) -> Piece:
    moves, turns, own, under = work.moves, work.turns, work.stakes, work.stakes_below
    assert own is not None
    assert under is not None
    part = found[:, int(own.start[first]) : int(own.start[first + words])]
    room, doubts = 1024, -1
    at, bids, games = _room(0)
    while doubts < 0:
        part[...] = 0.0
        at, bids, games = _room(room)
        doubts = reply_layer(
            first,
            words,
            moves.rows,
            moves.columns,
            moves.child,
            moves.facing,
            moves.sign,
            own.kind,
            own.start,
            own.offset,
            own.pot_starts,
            own.pots,
            work.below,
            under.kind,
            under.start,
            under.offset,
            under.pot_place,
            guide.values,
            guide.by_points,
            turns.starts,
            turns.prize,
            turns.whole,
            turns.weight,
            work.shift,
            work.objective.carry,
            work.last,
            part[0],
            part[1],
            at,
            bids,
            games,
        )
        room *= 4
    for doubt in range(doubts):
        rows, columns = (int(bid) for bid in bids[doubt])
        game, *kept = games[doubt]
        whole = game[:rows, :columns]
        for side, own_game in enumerate((whole, -whole.T)):
            mix = np.array(integer_games.lowest_mix(own_game.tolist(), GRAIN))
            brings = kept[side][: own_game.shape[0], : own_game.shape[1]]
            part[side, at[doubt]] += turns.weight * float((mix @ brings).min())
    return Piece(0.0, doubts)


def _room(doubts: int) -> tuple[Spots, Spots, Floats]:
    return np.zeros(doubts, np.int64), np.zeros((doubts, 2), np.int64), np.zeros((doubts, 3, WIDTH, WIDTH))


@kernel
def only(
    game: Floats, rows: int, columns: int, used: Spots, size: int, x: Floats, y: Floats, value: float, mix: Floats
) -> bool:
    """Whether these are certainly the only optimal mixes, as `games.play` has it."""
    mix[:, :] = 0.0
    for k in range(size):
        mix[0, used[0, k]] = x[k]
        mix[1, used[1, k]] = y[k]
    for i in range(rows):
        total = 0.0
        for k in range(size):
            total += game[i, used[1, k]] * y[k]
        if (mix[0, i] > CLEAR) == (value - total > CLEAR):
            return False
    for j in range(columns):
        total = 0.0
        for k in range(size):
            total += game[used[0, k], j] * x[k]
        if (mix[1, j] > CLEAR) == (total - value > CLEAR):
            return False
    return True


@kernel
def least(kept: Floats, bids: int, answers: int, mix: Floats) -> float:
    """What a mix of bids brings against the best of all answers."""
    worst = np.inf
    for answer in range(answers):
        total = 0.0
        for bid in range(bids):
            total += mix[bid] * kept[bid, answer]
        worst = min(worst, total)
    return worst


@kernel
def reply_layer(
    first: int,
    count: int,
    rows: Ints,
    columns: Ints,
    child: Shorts,
    facing: Signs,
    sign: Signs,
    kind: Shorts,
    start: Ints,
    offset: Ints,
    pot_starts: Ints,
    pots: Shorts,
    below: Floats,
    below_kind: Shorts,
    below_start: Ints,
    below_offset: Ints,
    below_place: Shorts,
    guide: Floats,
    by_points: bool,
    starts: Shorts,
    prize: Floats,
    whole: Shorts,
    weight: float,
    shift: float,
    carry: bool,
    last: bool,
    mine: Floats,
    theirs: Floats,
    doubt_at: Spots,
    doubt_bids: Spots,
    doubt_games: Floats,
) -> int:
    """Fill in what either side brings at the places of `count` words from `first` on; -1: too many doubts.

    A game with several optimal mixes is a doubt: which of them is played is a matter of exact arithmetic.
    """
    game = np.empty((WIDTH, WIDTH))
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    used = np.empty((SLOTS, 2, WIDTH), np.int64)
    sizes = np.empty(SLOTS, np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    mix = np.empty((2, WIDTH))
    bounds = np.empty(2)
    source = np.empty((WIDTH, WIDTH), np.int64)
    kept = np.empty((2, WIDTH, WIDTH))  # for either side: its own bid, the answer to it
    doubts = 0
    sets = starts.shape[0] - 1
    for word in range(first, first + count):
        m = rows[word]
        n = columns[word]
        own = kind[word]
        sizes[:] = 0
        for left in range(sets):
            for i in range(m):
                for j in range(n):
                    next_word = child[word, i, j]
                    source[i, j] = below_start[next_word] + below_offset[below_kind[next_word], left]
            for turn in range(starts[left], starts[left + 1]):
                before = whole[turn]
                worth = int(prize[turn])
                to = start[word] - start[first] + offset[own, before]
                for listed in range(pot_starts[own, before], pot_starts[own, before + 1]):
                    stake = worth + pots[listed]
                    for i in range(m):
                        for j in range(n):
                            next_word = child[word, i, j]
                            won = sign[word, i, j]
                            side = 1 if facing[word, i, j] < 0 else 0
                            if carry and won == 0 and not last:
                                to_kind = below_kind[next_word]
                                source[i, j] = below_start[next_word] + below_offset[to_kind, left]
                                source[i, j] += below_place[to_kind, left, stake]
                            at = next_word * sets + left if by_points else source[i, j]
                            game[i, j] = facing[word, i, j] * guide[at] + stake * won
                            kept[0, i, j] = below[side, source[i, j]] + stake * won
                            kept[1, j, i] = below[1 - side, source[i, j]] - stake * won
                    slot = int(worth * 37 + pots[listed] * 61) & (SLOTS - 1)
                    size = solve(game, m, n, shift, used[slot], sizes[slot], table, basis, x, y, bounds)
                    sizes[slot] = size
                    middle = 0.5 * (bounds[0] + bounds[1])
                    if bounds[1] - bounds[0] > TOLERANCE or not only(game, m, n, used[slot], size, x, y, middle, mix):
                        if doubts == doubt_at.shape[0]:
                            return -1
                        doubt_at[doubts] = to
                        doubt_bids[doubts, 0] = m
                        doubt_bids[doubts, 1] = n
                        for i in range(WIDTH):
                            for j in range(WIDTH):
                                doubt_games[doubts, 0, i, j] = game[i, j]
                                doubt_games[doubts, 1, i, j] = kept[0, i, j]
                                doubt_games[doubts, 2, i, j] = kept[1, i, j]
                        doubts += 1
                    else:
                        mine[to] += weight * least(kept[0], m, n, mix[0])
                        theirs[to] += weight * least(kept[1], n, m, mix[1])
                    to += 1
    return doubts
