"""The best answer to a play that goes by known values, layer by layer and compiled: for whole games, for points.

`response` asks any strategy at every position and takes its time; this knows one kind of strategy, the one that Sage
plays: the mix of the game whose later values are the exact ones, those of a table, or those of discarded ties.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from bot.solver.exact.induction import LayerWork, Piece, Workers, split_words
from bot.solver.exact.solve import Frame
from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats, Ints, kernel
from bot.solver.kernels.layer_kernel import LayerRules
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Workspace, new_workspace, solve_game
from bot.solver.kernels.matrix_game import CLEAR, GRAIN
from bot.solver.kernels.pot_layout import PotLayout
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.words import Moves

SLOTS = 1024
"""For prize and pot; that some share one costs a guess, no more."""


@dataclass(frozen=True)
class Valuation:
    """What a play takes for the values of a layer: those of carried ties, or those of discarded ones."""

    values: Floats  # flat
    by_points: bool = False


def guaranteed(shape: Frame, lowest: int, values: Floats, guide: Callable[[int], Valuation], workers: Workers) -> float:
    """What a play brings at least from the first turn of a game.

    From `lowest` cards down it is exact and brings `values`; above, `guide(cards)` are the values of the layer that
    it goes by.
    """
    below: Floats = np.stack([values.reshape(-1), -values.reshape(-1)])
    for cards in range(lowest + 1, len(shape.turns) + 1):
        below = _layer(shape.work(below, cards), guide(cards - 1), workers)
    return float(below[0, 0])


def _layer(work: LayerWork, guide: Valuation, workers: Workers) -> Floats:
    """What the play brings in every position of a layer: holding the hand of the word, or the other one."""
    count = len(work.moves.words)
    found: Floats = np.zeros((2, work.layout.size))
    workers.map(partial(_fill, work, guide, found), split_words(count), count)
    return found


def _fill(work: LayerWork, guide: Valuation, found: Floats, first: int, words: int) -> Piece:
    own, under = work.layout, work.layout_below
    part = found[:, int(own.start[first]) : int(own.start[first + words])]
    room, doubts, replies = 1024, -1, _new_replies(part, 0)
    below = Below(work.below, guide.values, guide.by_points, under)
    while doubts < 0:
        part[...] = 0.0
        replies = _new_replies(part, room)
        doubts = reply_layer(first, words, work.moves, work.turns, own, below, work.rules, replies, new_workspace())
        room *= 4
    for doubt in range(doubts):
        rows, columns = (int(bid) for bid in replies.doubt_bids[doubt])
        game, *kept = replies.doubt_games[doubt]
        whole = game[:rows, :columns]
        for side, own_game in enumerate((whole, -whole.T)):
            mix = np.array(integer_games.find_lowest_mix(own_game.tolist(), GRAIN))
            brings = kept[side][: own_game.shape[0], : own_game.shape[1]]
            part[side, replies.doubt_at[doubt]] += work.turns.weight * float((mix @ brings).min())
    return Piece(0.0, doubts)


class Below(NamedTuple):
    """The layer below: what either side brings there, and the values that the play goes by."""

    values: Floats
    guide: Floats
    by_points: bool
    layout: PotLayout


class Replies(NamedTuple):
    """What either side brings at the places of some words, and the games whose mix is left to exact arithmetic."""

    mine: Floats
    theirs: Floats
    doubt_at: Ints
    doubt_bids: Ints
    doubt_games: Floats


def _new_replies(part: Floats, doubts: int) -> Replies:
    bids = np.zeros((doubts, 2), np.int64)
    return Replies(part[0], part[1], np.zeros(doubts, np.int64), bids, np.zeros((doubts, 3, WIDTH, WIDTH)))


@kernel
def only(
    game: Floats, rows: int, columns: int, used: Ints, size: int, space: Workspace, value: float, mix: Floats
) -> bool:
    """Whether these are certainly the only optimal mixes, as `games.play` has it."""
    x, y = space.x, space.y
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
    moves: Moves,
    turns: Turns,
    layout: PotLayout,
    below: Below,
    rules: LayerRules,
    replies: Replies,
    space: Workspace,
) -> int:
    """Fill in what either side brings at the places of `count` words from `first` on; -1: too many doubts.

    A game with several optimal mixes is a doubt: which of them is played is a matter of exact arithmetic.
    """
    under = below.layout
    game = np.empty((WIDTH, WIDTH))
    used = np.empty((SLOTS, 2, WIDTH), np.int64)
    sizes = np.empty(SLOTS, np.int64)
    mix = np.empty((2, WIDTH))
    source = np.empty((WIDTH, WIDTH), np.int64)
    kept = np.empty((2, WIDTH, WIDTH))  # for either side: its own bid, the answer to it
    doubts = 0
    sets = turns.starts.shape[0] - 1
    for word in range(first, first + count):
        m = moves.rows[word]
        n = moves.columns[word]
        own = layout.kind[word]
        sizes[:] = 0
        for left in range(sets):
            for i in range(m):
                for j in range(n):
                    next_word = moves.child[word, i, j]
                    source[i, j] = under.start[next_word] + under.offset[under.kind[next_word], left]
            for turn in range(turns.starts[left], turns.starts[left + 1]):
                before = turns.whole[turn]
                worth = int(turns.prize[turn])
                to = layout.start[word] - layout.start[first] + layout.offset[own, before]
                for listed in range(layout.pot_starts[own, before], layout.pot_starts[own, before + 1]):
                    stake = worth + layout.pots[listed]
                    for i in range(m):
                        for j in range(n):
                            next_word = moves.child[word, i, j]
                            won = moves.sign[word, i, j]
                            side = 1 if moves.facing[word, i, j] < 0 else 0
                            if rules.carry and won == 0 and not rules.last:
                                to_kind = under.kind[next_word]
                                source[i, j] = under.start[next_word] + under.offset[to_kind, left]
                                source[i, j] += under.pot_place[to_kind, left, stake]
                            at = next_word * sets + left if below.by_points else source[i, j]
                            game[i, j] = moves.facing[word, i, j] * below.guide[at] + stake * won
                            kept[0, i, j] = below.values[side, source[i, j]] + stake * won
                            kept[1, j, i] = below.values[1 - side, source[i, j]] - stake * won
                    slot = int(worth * 37 + layout.pots[listed] * 61) & (SLOTS - 1)
                    space.used[...] = used[slot]
                    size = solve_game(game, m, n, rules.shift, sizes[slot], space)
                    used[slot] = space.used
                    sizes[slot] = size
                    middle = 0.5 * (space.bounds[0] + space.bounds[1])
                    if space.bounds[1] - space.bounds[0] > TOLERANCE or not only(
                        game, m, n, space.used, size, space, middle, mix
                    ):
                        if doubts == replies.doubt_at.shape[0]:
                            return -1
                        replies.doubt_at[doubts] = to
                        replies.doubt_bids[doubts, 0] = m
                        replies.doubt_bids[doubts, 1] = n
                        for i in range(WIDTH):
                            for j in range(WIDTH):
                                replies.doubt_games[doubts, 0, i, j] = game[i, j]
                                replies.doubt_games[doubts, 1, i, j] = kept[0, i, j]
                                replies.doubt_games[doubts, 2, i, j] = kept[1, i, j]
                        doubts += 1
                    else:
                        replies.mine[to] += turns.weight * least(kept[0], m, n, mix[0])
                        replies.theirs[to] += turns.weight * least(kept[1], n, m, mix[1])
                    to += 1
    return doubts
