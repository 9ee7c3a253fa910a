"""One layer with pots and leads from the layer below, compiled.

What follows a turn knows the stake, not which part of it lay in the pot: such games are one, and solved once. Which
there are is the same for all words of a class, so they are listed beforehand.
"""

from dataclasses import dataclass

import numpy as np

from bot.solver.kernels.compiled import kernel
from bot.solver.kernels.matrix import TOLERANCE, Floats, Spots
from bot.solver.kernels.points_kernel import Doubtful, note
from bot.solver.kernels.pot_layout import Stakes
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.simd import LANES
from bot.solver.kernels.simd_games import KNOWN, Abreast, solve_all
from bot.solver.kernels.words import Ints, Shorts, Signs

DECIDED = 1 - 1e-13
"""A chance to win that is certain but for rounding."""


@dataclass(frozen=True)
class Listed:
    """The games of a word of each class, those with one stake and one lead together; and what they add to."""

    starts: Spots  # of each class: where its games begin, and one more for the end
    left: Spots  # of each game: the set of prizes after the turn
    stake: Spots
    lead: Spots
    inner: Spots  # the game with the next smaller lead on the same side, from where its class begins; or -1
    adds_starts: Spots
    to: Spots  # of each addition: to which value of the word
    game: Spots  # and which game, from where its class begins


def listed(own: Stakes, turns: Turns) -> Listed:
    """All games of a layer."""
    kinds = len(own.offset)
    size = np.diff(own.offset, axis=1)[:, turns.whole].sum(axis=1)
    found = [
        list_games(
            kind,
            int(size[kind]),
            own.pot_starts,
            own.pots,
            own.offset,
            own.sides,
            own.lead_starts,
            own.leads,
            turns.starts,
            turns.prize,
            turns.whole,
        )
        for kind in range(kinds)
    ]
    games, adds = list[Spots](), list[Spots]()
    for count, of_game, of_add in found:
        of_game = of_game[:, :count]
        # Leads from the middle outwards, first to the one side, then to the other.
        order = np.lexsort((abs(of_game[2]), of_game[2] < 0, of_game[1]))
        place: Spots = np.empty(count + 1, np.int64)
        place[order] = np.arange(count)
        place[count] = -1
        of_game = of_game[:, order]
        of_game[3] = place[of_game[3]]
        of_add[1] = place[of_add[1]]
        games.append(of_game)
        adds.append(of_add)
    starts, adds_starts = (np.cumsum([0, *(each.shape[1] for each in some)]) for some in (games, adds))
    all_games, all_adds = np.concatenate(games, axis=1), np.concatenate(adds, axis=1)
    left, stake, lead, inner = all_games
    to, game = all_adds
    return Listed(starts, left, stake, lead, inner, adds_starts, to, game)


@kernel
def span(numbers: Shorts | Floats) -> tuple[int, int]:
    """The least and the greatest of some whole numbers. (What numpy has for it takes a second to compile.)"""
    least = most = int(numbers[0])
    for each in numbers:
        least = min(least, int(each))
        most = max(most, int(each))
    return least, most


@kernel
def list_games(
    kind: int,
    size: int,
    pot_starts: Ints,
    pots: Shorts,
    offset: Ints,
    sides: int,
    lead_starts: Shorts,
    leads: Shorts,
    starts: Shorts,
    prize: Floats,
    whole: Shorts,
) -> tuple[int, Spots, Spots]:
    """How many games a word of a class has, the games and the additions, as `Listed` has them but in no order."""
    games = np.empty((4, size), np.int64)
    adds = np.empty((2, size), np.int64)
    count = 0
    added = 0
    if size == 0:
        return count, games, adds
    least, most = span(pots)
    first_prize, last_prize = span(prize)
    least_lead, most_lead = span(leads)
    known = np.zeros((most + last_prize - least - first_prize + 1, most_lead - least_lead + 1), np.int64)
    least += first_prize
    for left in range(starts.shape[0] - 1):
        earlier = count
        for turn in range(starts[left], starts[left + 1]):
            before = whole[turn]
            to = offset[kind, before]
            for pot in range(pot_starts[kind, before], pot_starts[kind, before + 1]):
                stake = int(prize[turn]) + pots[pot]
                listing = before * sides + (pots[pot] & (sides - 1))
                leads_first = lead_starts[listing]
                leads_end = lead_starts[listing + 1]
                middle = leads_first
                while middle < leads_end and leads[middle] < 0:
                    middle += 1
                inner = -1
                for step in range(leads_end - leads_first):
                    number = middle + step
                    if number >= leads_end:
                        number = middle - 1 - (number - leads_end)
                    if number == middle or number == middle - 1:
                        inner = -1
                    lead = leads[number]
                    game = known[stake - least, lead - least_lead] - 1
                    if game < earlier:
                        game = count
                        games[0, game] = left
                        games[1, game] = stake
                        games[2, game] = lead
                        games[3, game] = inner
                        known[stake - least, lead - least_lead] = game + 1
                        count += 1
                    adds[0, added] = to + number - leads_first
                    adds[1, added] = game
                    added += 1
                    inner = game
                to += leads_end - leads_first
    return count, games, adds


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
    game_starts: Spots,
    game_left: Spots,
    game_stake: Spots,
    game_lead: Spots,
    game_inner: Spots,
    add_starts: Spots,
    add_to: Spots,
    add_game: Spots,
    below: Floats,
    below_kind: Shorts,
    below_start: Ints,
    below_offset: Ints,
    below_place: Shorts,
    below_least: int,
    below_lead_near: Shorts,
    below_rest: Shorts,
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
    on: Abreast,
) -> int:
    """Fill in the values of `count` words from `first` on, which come as zeros, and the widest gap of each."""
    lefts = np.empty(LANES, np.int64)
    gain = np.empty((3, LANES))
    factor = np.empty((3, LANES))
    stakes = np.empty(LANES, np.int64)
    column = np.empty((2, 3, LANES), np.int64)
    chosen = np.zeros(LANES, np.int64)
    most = 0
    for own in range(game_starts.shape[0] - 1):
        most = max(most, game_starts[own + 1] - game_starts[own])
    solved = np.empty(most)
    games = on.games
    doubts = 0
    held = carry and not last
    reach = below_lead_near.shape[1] // 2
    sides = 2 if carry and win else 1
    for word in range(first, first + count):
        m = rows[word]
        n = columns[word]
        begin = game_starts[kind[word]]
        end = game_starts[kind[word] + 1]
        for which in range(KNOWN):
            on.sizes[which] = 0
        for at in range(most):
            solved[at] = 0.0
        widest = 0.0
        at = begin
        while at < end:
            lanes = 0
            while at < end and lanes < LANES:
                # A wider lead never hurts, so beyond a won game all are won. (Some leads cannot meet a carried pot.
                # What comes out there is never asked for, but keeps to this.)
                step = 1 if game_lead[at] >= 0 else -1
                if win and game_inner[at] >= 0 and step * solved[game_inner[at]] >= DECIDED:
                    solved[at - begin] = step
                else:
                    chosen[lanes] = at
                    lanes += 1
                at += 1
            if lanes == 0:
                continue
            for lane in range(LANES):
                each = chosen[min(lane, lanes - 1)]
                left = game_left[each]
                stake = game_stake[each]
                lead = game_lead[each]
                lefts[lane] = left
                stakes[lane] = stake - below_least
                for won in range(-1, 2):
                    ahead = lead
                    gain[won + 1, lane] = 0.0
                    if win:
                        ahead += won * abs(stake)
                    else:
                        gain[won + 1, lane] = won * abs(stake)
                    over = below_rest[left] + (abs(stake) if held and won == 0 else 0)
                    if last or (win and abs(ahead) > over):
                        gain[won + 1, lane] += float((ahead > 0) - (ahead < 0))
                        factor[won + 1, lane] = 0.0
                        column[0, won + 1, lane] = -1
                        column[1, won + 1, lane] = -1
                    else:
                        factor[won + 1, lane] = 1.0
                        ahead = min(max(ahead, -reach), reach)
                        listing = left * sides + (stake & (sides - 1) if held and won == 0 else 0)
                        column[0, won + 1, lane] = below_lead_near[listing, reach + ahead]
                        column[1, won + 1, lane] = below_lead_near[listing, reach - ahead]
            for i in range(m):
                for j in range(n):
                    next_word = child[word, i, j]
                    to_kind = below_kind[next_word]
                    won = sign[word, i, j] + 1
                    other = (facing[word, i, j] < 0) != (swap and won == 1)
                    side = 1 if other else 0
                    turned = -1.0 if other else 1.0
                    tied = held and won == 1
                    origin = below_start[next_word]
                    for lane in range(LANES):
                        # The empty pot comes first in every list.
                        source = origin + below_offset[to_kind, lefts[lane]] + column[side, won, lane]
                        if tied:
                            source += below_place[to_kind, lefts[lane], stakes[lane]]
                        if column[side, won, lane] < 0:
                            source = 0
                        games[i, j, lane] = gain[won, lane] + turned * factor[won, lane] * below[source]
            solve_all(on, lanes, m, n, shift)
            for lane in range(lanes):
                of = chosen[lane] - begin
                gap = on.high[lane] - on.low[lane]
                if gap <= TOLERANCE:
                    solved[of] = 0.5 * (on.low[lane] + on.high[lane])
                    widest = max(widest, gap)
                    continue
                for add in range(add_starts[kind[word]], add_starts[kind[word] + 1]):
                    if add_game[add] == of:
                        if doubts == doubt_at.shape[0]:
                            widest = np.inf
                        else:
                            to = start[word] - start[first] + add_to[add]
                            note(games, lane, m, n, to, doubts, doubt_at, doubt_bids, doubt_game)
                            doubts += 1
        for add in range(add_starts[kind[word]], add_starts[kind[word] + 1]):
            values[start[word] - start[first] + add_to[add]] += weight * solved[add_game[add]]
        gaps[word - first] = widest
    return doubts
