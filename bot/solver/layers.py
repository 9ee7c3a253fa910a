"""One layer from the layer below, compiled.

A game without a certificate goes to the doubts, at most as many as there is room for; the kernels give their number."""

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import kernel
from bot.solver.matrix import TOLERANCE, WIDTH, Floats, Spots, solve
from bot.solver.words import Ints, Shorts, Signs

SLOTS = 32
"""More than the dearest prize."""
MANY_SLOTS = 1024
"""For prize, pot and lead; that some share one costs a guess, no more."""

DECIDED = 1 - 1e-13
"""A chance to win that is certain but for rounding."""

Doubtful = NDArray[np.float64]  # [doubt, row, column]


@kernel
def note(
    game: Floats, m: int, n: int, to: int, doubt: int, doubt_at: Spots, doubt_bids: Spots, doubt_game: Doubtful
) -> None:
    """Keep a game that got no certificate, for exact arithmetic."""
    doubt_at[doubt] = to
    doubt_bids[doubt, 0] = m
    doubt_bids[doubt, 1] = n
    for i in range(m):
        for j in range(n):
            doubt_game[doubt, i, j] = game[i, j]


@kernel
def span(numbers: Shorts | Floats) -> tuple[int, int]:
    """The least and the greatest of some whole numbers. (What numpy has for it takes a second to compile.)"""
    least = most = int(numbers[0])
    for each in numbers:
        least = min(least, int(each))
        most = max(most, int(each))
    return least, most


@kernel
def points_layer(
    first: int,
    rows: Ints,
    columns: Ints,
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
    doubt_at: Spots,
    doubt_bids: Spots,
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
    lead_starts: Shorts,
    leads: Shorts,
    below: Floats,
    below_kind: Shorts,
    below_start: Ints,
    below_offset: Ints,
    below_place: Shorts,
    below_least: int,
    below_lead_near: Shorts,
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
    doubt_at: Spots,
    doubt_bids: Spots,
    doubt_game: Doubtful,
) -> int:
    """The same with pots and leads. Fill in the values of `count` words from `first` on, which come as zeros."""
    if values.shape[0] == 0:
        return 0
    game = np.empty((WIDTH, WIDTH))
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    used = np.empty((MANY_SLOTS, 2, WIDTH), np.int64)
    sizes = np.empty(MANY_SLOTS, np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    bounds = np.empty(2)
    source = np.empty((WIDTH, WIDTH), np.int64)
    gain = np.empty(3)
    known = np.empty(3, np.bool_)
    column = np.empty((2, 3), np.int64)
    # What follows a turn knows the stake, not which part of it lay in the pot: such games are one, and solved once.
    least, most = span(pots)
    first_prize, last_prize = span(prize)
    least += first_prize
    least_lead, most_lead = span(leads)
    solved = np.empty((most + last_prize - least + 1, most_lead - least_lead + 1))
    solved_for = np.zeros(solved.shape, np.int64)
    now = 0
    doubts = 0
    origin = start[first]
    reach = below_lead_near.shape[1] // 2
    sides = 2 if carry and win else 1
    for word in range(first, first + count):
        m = rows[word]
        n = columns[word]
        own = kind[word]
        sizes[:] = 0
        widest = 0.0
        for left in range(starts.shape[0] - 1):
            now += 1
            rest = below_rest[left]
            for i in range(m):
                for j in range(n):
                    next_word = child[word, i, j]
                    # The empty pot comes first in every list.
                    source[i, j] = below_start[next_word] + below_offset[below_kind[next_word], left]
            for turn in range(starts[left], starts[left + 1]):
                before = whole[turn]
                worth = int(prize[turn])
                to = start[word] - origin + offset[own, before]
                for listed in range(pot_starts[own, before], pot_starts[own, before + 1]):
                    stake = worth + pots[listed]
                    held = carry and not last
                    placed = not held
                    listing = before * sides + (pots[listed] & (sides - 1))
                    leads_first = lead_starts[listing]
                    leads_end = lead_starts[listing + 1]
                    middle = leads_first
                    while middle < leads_end and leads[middle] < 0:
                        middle += 1
                    # From the middle outwards: a wider lead never hurts, so beyond a won game all are won. (Some leads
                    # cannot meet a carried pot. What comes out there is never asked for, but keeps to this.)
                    number = middle
                    step = 1
                    while True:
                        if step > 0 and number >= leads_end:
                            number = middle - 1
                            step = -1
                        if step < 0 and number < leads_first:
                            break
                        lead = leads[number]
                        if solved_for[stake - least, lead - least_lead] != now:
                            if not placed:
                                placed = True
                                for i in range(m):
                                    for j in range(n):
                                        if sign[word, i, j] == 0:
                                            next_word = child[word, i, j]
                                            to_kind = below_kind[next_word]
                                            source[i, j] = below_start[next_word] + below_offset[to_kind, left]
                                            source[i, j] += below_place[to_kind, left, stake - below_least]
                            for won in range(-1, 2):
                                ahead = lead
                                gain[won + 1] = 0.0
                                if win:
                                    ahead += won * abs(stake)
                                else:
                                    gain[won + 1] = won * abs(stake)
                                over = rest + (abs(stake) if held and won == 0 else 0)
                                known[won + 1] = last or (win and abs(ahead) > over)
                                if known[won + 1]:
                                    gain[won + 1] += float((ahead > 0) - (ahead < 0))
                                else:
                                    ahead = min(max(ahead, -reach), reach)
                                    listing = left * sides + (stake & (sides - 1) if held and won == 0 else 0)
                                    column[0, won + 1] = below_lead_near[listing, reach + ahead]
                                    column[1, won + 1] = below_lead_near[listing, reach - ahead]
                            for i in range(m):
                                for j in range(n):
                                    won = sign[word, i, j] + 1
                                    value = gain[won]
                                    if not known[won]:
                                        if (facing[word, i, j] < 0) != (swap and won == 1):
                                            value -= below[source[i, j] + column[1, won]]
                                        else:
                                            value += below[source[i, j] + column[0, won]]
                                    game[i, j] = value
                            slot = int(stake * 61 + lead) & (MANY_SLOTS - 1)
                            sizes[slot] = solve(game, m, n, shift, used[slot], sizes[slot], table, basis, x, y, bounds)
                            if bounds[1] - bounds[0] > TOLERANCE and doubts < doubt_at.shape[0]:
                                note(game, m, n, to + number - leads_first, doubts, doubt_at, doubt_bids, doubt_game)
                                doubts += 1
                                number += step
                                continue
                            widest = max(widest, bounds[1] - bounds[0])
                            solved[stake - least, lead - least_lead] = 0.5 * (bounds[0] + bounds[1])
                            solved_for[stake - least, lead - least_lead] = now
                        found = solved[stake - least, lead - least_lead]
                        values[to + number - leads_first] += weight * found
                        if win and step * found >= DECIDED:
                            number += step
                            while leads_first <= number < leads_end:
                                values[to + number - leads_first] += weight * step
                                number += step
                            continue
                        number += step
                    to += leads_end - leads_first
        gaps[word - first] = widest
    return doubts
