"""The best answer to a play in which only winning counts, compiled: what the play guarantees from the first turn.

Ties are discarded. Where several mixes are optimal the play takes the one that the compiled solver comes upon.
"""

from collections.abc import Sequence
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import kernel
from bot.solver.matrix import WIDTH, Floats, solve
from bot.solver.near import spread
from bot.solver.position import Position
from bot.solver.solve import Frame, Solved
from bot.solver.words import Ints, Shorts, Signs, canonical, spell

POINTS, NEAR, WIN = 0, 1, 2
"""For points alone; by chances guessed from points; by exact chances."""
SLOTS = 1024


def exploited(points: Solved, win: Solved, plays: Sequence[int]) -> float:
    """What the best answer wins of P(win) - P(loss); `plays` is how each layer is played, fewest cards first."""
    return -float(_answered(points, win, plays)[0, 0])


def brought(points: Solved, win: Solved, plays: Sequence[int], here: Position) -> float:
    """What the play brings at least to whoever holds `mine` in the position in which both solves begin."""
    own, (_, facing) = win.shape.stakes(len(here.mine)), canonical(spell(here.mine, here.theirs))
    assert own is not None
    at = own.place(0, 0, 0, here.lead)
    assert at is not None
    return float(_answered(points, win, plays)[1 if facing < 0 else 0, at])


def _answered(points: Solved, win: Solved, plays: Sequence[int]) -> Floats:
    """What the play brings at least from the first turn, holding the hand of the word or the other one, by lead."""
    below: Floats = np.zeros((2, 1))
    for cards, play in enumerate(plays, 1):
        below = _layer(win.shape, points, win, cards, play, below)
    return below


def _layer(shape: Frame, points: Solved, win: Solved, cards: int, play: int, below: Floats) -> Floats:
    moves, turns, own, under = (
        shape.ladder.at(cards),
        shape.turns[cards - 1],
        shape.stakes(cards),
        shape.stakes(cards - 1),
    )
    assert own is not None
    assert under is not None
    found: Floats = np.zeros((2, own.size))
    guides = [source.layers[cards - 2].values.reshape(-1) if cards > 1 else np.zeros(1) for source in (points, win)]
    sets = [0] if cards == 1 else [int(left) for left in shape.turns[cards - 2].sets]
    later = [[prize for bit, prize in enumerate(shape.prizes) if left >> bit & 1] for left in sets]
    answer_layer(
        moves.rows,
        moves.columns,
        moves.child,
        moves.facing,
        moves.sign,
        own.start,
        own.offset,
        own.lead_starts,
        own.leads,
        below,
        under.start,
        under.offset,
        under.lead_near,
        under.rest,
        turns.starts,
        turns.prize,
        turns.whole,
        turns.weight,
        play,
        guides[0],
        guides[1],
        np.array([spread(each) for each in later]),
        cards == 1,
        found,
    )
    return found


@kernel
def answer_layer(
    rows: Ints,
    columns: Ints,
    child: Shorts,
    facing: Signs,
    sign: Signs,
    start: Ints,
    offset: Ints,
    lead_starts: Shorts,
    leads: Shorts,
    below: Floats,
    below_start: Ints,
    below_offset: Ints,
    below_near: Shorts,
    below_rest: Shorts,
    starts: Shorts,
    prize: Floats,
    whole: Shorts,
    weight: float,
    play: int,
    points: Floats,
    win: Floats,
    spreads: NDArray[np.float64],
    last: bool,
    values: Floats,
) -> None:
    """Fill in values[side, place], which come as zeros: the player holds the hand of the word, or the other one. Leads
    are the player's own.
    """
    game = np.empty((WIDTH, WIDTH))
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    used = np.zeros((SLOTS, 2, WIDTH), np.int64)
    sizes = np.zeros(SLOTS, np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    bounds = np.empty(2)
    sets = starts.shape[0] - 1
    reach = below_near.shape[1] // 2
    for word in range(rows.shape[0]):
        m = rows[word]
        n = columns[word]
        sizes[:] = 0
        for left in range(sets):
            rest = below_rest[left]
            for turn in range(starts[left], starts[left + 1]):
                before = whole[turn]
                worth = int(prize[turn])
                to = start[word] + offset[0, before]
                slot = 0
                for number in range(lead_starts[before], lead_starts[before + 1]):
                    lead = leads[number]
                    place = number - lead_starts[before]
                    other = lead_starts[before + 1] - 1 - number  # the same lead for the other player
                    if play != 0 or place == 0:
                        for i in range(m):
                            for j in range(n):
                                step = worth * sign[word, i, j]
                                next_word = child[word, i, j]
                                ahead = lead + step
                                if play == 2:
                                    if last or abs(ahead) > rest:
                                        game[i, j] = float((ahead > 0) - (ahead < 0))
                                    else:
                                        near = below_near[left, reach + ahead]
                                        if facing[word, i, j] < 0:
                                            near = below_near[left, reach - ahead]
                                        source = below_start[next_word] + below_offset[0, left]
                                        game[i, j] = win[source + near] * (-1.0 if facing[word, i, j] < 0 else 1.0)
                                else:
                                    expected = step + facing[word, i, j] * points[next_word * sets + left]
                                    if play == 0:
                                        game[i, j] = expected
                                    elif abs(lead + expected) > rest or last:
                                        game[i, j] = float((lead + expected > 0) - (lead + expected < 0))
                                    else:
                                        game[i, j] = erf((lead + expected) / (spreads[left] * sqrt(2.0)))
                        slot = int(worth * 37 + lead) & (SLOTS - 1)
                        shift = 2.0 if play != 0 else 200.0
                        sizes[slot] = solve(game, m, n, shift, used[slot], sizes[slot], table, basis, x, y, bounds)
                    size = sizes[slot]
                    worst = np.inf
                    for j in range(n):
                        total = 0.0
                        for k in range(size):
                            i = used[slot, 0, k]
                            ahead = lead + worth * sign[word, i, j]
                            if last or abs(ahead) > rest:
                                total += x[k] * ((ahead > 0) - (ahead < 0))
                            else:
                                source = below_start[child[word, i, j]] + below_offset[0, left]
                                side = 1 if facing[word, i, j] < 0 else 0
                                total += x[k] * below[side, source + below_near[left, reach + ahead]]
                        worst = min(worst, total)
                    values[0, to + place] += weight * worst
                    worst = np.inf
                    for i in range(m):
                        total = 0.0
                        for k in range(size):
                            j = used[slot, 1, k]
                            ahead = -lead - worth * sign[word, i, j]
                            if last or abs(ahead) > rest:
                                total += y[k] * ((ahead > 0) - (ahead < 0))
                            else:
                                source = below_start[child[word, i, j]] + below_offset[0, left]
                                side = 0 if facing[word, i, j] < 0 else 1
                                total += y[k] * below[side, source + below_near[left, reach + ahead]]
                        worst = min(worst, total)
                    values[1, to + other] += weight * worst
