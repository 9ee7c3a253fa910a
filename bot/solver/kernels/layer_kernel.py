"""Kernel that solves one layer from the layer below.

A game depends on the stake, not on how prize and pot add up to it, so games with equal stakes are solved once. All
words of a class have the same list of games, so `list_games` makes one list for each class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.jit import Floats, Ints, Shorts, kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH
from bot.solver.kernels.pot_layout import PotLayout
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.simd import LANES
from bot.solver.kernels.simd_games import GameBatch, forget_supports, solve_batch
from bot.solver.kernels.words import Moves

DECIDED = 1 - 1e-13
"""Chances to win from here up count as certain: the difference is rounding."""


class LayerRules(NamedTuple):
    """The rules of the match for the games of one layer."""

    carry: bool
    swap: bool  # a tie exchanges the hands
    win: bool  # values are chances to win, not points
    last: bool  # the layer below is empty
    shift: float  # added to every entry of a game to make all entries positive


class GameList(NamedTuple):
    """The games of a word, listed for each class, and the additions of their values to the values of the word.

    Games with the same set, stake and lead are merged. Outcomes are 0 for a loss, 1 for a tie and 2 for a win.
    """

    starts: Ints  # for each class: the start of its games, and the end of the last class
    left: Ints  # for each game: the set of prizes after the turn
    stake: Ints
    lead: Ints
    inner: Ints  # the game with the next smaller lead on the same side, counted within the class; or -1
    gain: Floats  # [outcome, game]: the gain of this turn, or the value if the deal is then decided
    place: Shorts  # [side, outcome, game]: what the lead adds to an index in the layer below; -1 if the deal is decided
    adds_starts: Ints
    to: Ints  # for each addition: the index of the word's value
    game: Ints  # for each addition: the game, counted within the class
    weight: float  # factor of every addition: the probability of a turn


class LayerResults(NamedTuple):
    """Results for some words of a layer. A doubt is a game without a certificate; exact arithmetic solves it later."""

    values: Floats  # all zero when passed in
    gaps: Floats  # [word]: the widest gap of its games
    doubt_at: Ints  # [doubt]: the index of the value to which the game's value is added
    doubt_bids: Ints  # [doubt, side]: rows and columns
    doubt_games: Floats  # [doubt, row, column]


def new_results(values: Floats, words: int, doubts: int) -> LayerResults:
    """Allocate all arrays except the values, with room for `doubts` doubts."""
    bids: Ints = np.zeros((doubts, 2), dtype=np.int64)
    return LayerResults(
        values, np.zeros(words), np.zeros(doubts, dtype=np.int64), bids, np.zeros((doubts, WIDTH, WIDTH))
    )


def list_games(layout: PotLayout, below: PotLayout, turns: Turns, rules: LayerRules) -> GameList:
    """List all games of a layer."""
    size = np.diff(layout.offset, axis=1)[:, turns.whole].sum(axis=1)
    games, adds = list[Ints](), list[Ints]()
    for kind, most in enumerate(size.tolist()):
        count, of_game, of_add = list_class_games(kind, most, layout, turns)
        of_game = of_game[:, :count]
        # Order the leads from zero outwards, first those of the one side, then those of the other.
        order = np.lexsort((abs(of_game[2]), of_game[2] < 0, of_game[1]))
        place: Ints = np.empty(count + 1, np.int64)
        place[order] = np.arange(count)
        place[count] = -1
        of_game = of_game[:, order]
        of_game[3] = place[of_game[3]]
        of_add[1] = place[of_add[1]]
        games.append(of_game)
        adds.append(of_add)
    starts, adds_starts = (np.cumsum([0, *(each.shape[1] for each in some)]) for some in (games, adds))
    left, stake, lead, inner = np.concatenate(games, axis=1)
    to, game = np.concatenate(adds, axis=1)
    gain, places = _look_below(left, stake, lead, below, rules)
    return GameList(starts, left, stake, lead, inner, gain, places, adds_starts, to, game, turns.weight)


def _look_below(left: Ints, stake: Ints, lead: Ints, below: PotLayout, rules: LayerRules) -> tuple[Floats, Shorts]:
    """Return `gain` and `place` of these games."""
    won: Ints = np.arange(-1, 2, dtype=np.int64)[:, None]
    held: NDArray[np.bool_] = (won == 0) & rules.carry & (not rules.last)
    points: Ints = won * abs(stake)
    ahead: Ints = lead + rules.win * points
    decided = rules.last | (rules.win & (abs(ahead) > below.rest[left] + held * abs(stake)))
    gain: Floats = ((not rules.win) * points + decided * np.sign(ahead)).astype(np.float64)
    listing: Ints = left * below.sides + held * (stake & (below.sides - 1))
    near: Ints = np.clip(ahead, -below.reach, below.reach)
    first = below.offset[0, left] if len(below.offset) == 1 else 0
    sides = [np.where(decided, -1, first + below.lead_near[listing, below.reach + sign * near]) for sign in (1, -1)]
    return gain, np.array(sides, dtype=np.int32)


@kernel
def find_range(numbers: Shorts | Floats) -> tuple[int, int]:
    """Return the least and the greatest of some integers. (numpy's own functions take a second to compile.)"""
    least = most = int(numbers[0])
    for number in numbers:
        least = min(least, int(number))
        most = max(most, int(number))
    return least, most


@kernel
def list_class_games(kind: int, size: int, layout: PotLayout, turns: Turns) -> tuple[int, Ints, Ints]:
    """Return the number of games of a class, the games, and the additions as in `GameList`, but unsorted."""
    pots, leads = layout.pots, layout.leads
    games = np.empty((4, size), np.int64)
    adds = np.empty((2, size), np.int64)
    count = 0
    added = 0
    if size == 0:
        return count, games, adds
    least, most = find_range(pots)
    first_prize, last_prize = find_range(turns.prize)
    least_lead, most_lead = find_range(leads)
    known = np.zeros((most + last_prize - least - first_prize + 1, most_lead - least_lead + 1), np.int64)
    least += first_prize
    for left in range(turns.starts.shape[0] - 1):
        earlier = count
        for turn in range(turns.starts[left], turns.starts[left + 1]):
            before = turns.whole[turn]
            to = layout.offset[kind, before]
            for pot in range(layout.pot_starts[kind, before], layout.pot_starts[kind, before + 1]):
                stake = int(turns.prize[turn]) + pots[pot]
                listing = before * layout.sides + (pots[pot] & (layout.sides - 1))
                leads_first = layout.lead_starts[listing]
                leads_end = layout.lead_starts[listing + 1]
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


# Long: numba counts the references of every array in a tuple that is passed on. Split up, it takes 1.6 times the time.
@kernel
def solve_layer_words(
    first: int,
    count: int,
    moves: Moves,
    layout: PotLayout,
    games: GameList,
    values_below: Floats,
    below: PotLayout,
    rules: LayerRules,
    results: LayerResults,
    batch: GameBatch,
) -> int:
    """Fill in the values of `count` words from `first` on; return the number of doubts."""
    child, facing, sign = moves.child, moves.facing, moves.sign
    # Of each lane: its game, and what `games` has of it. A factor is 1 if a value of the layer below is added, else 0.
    chosen = np.zeros(LANES, np.int64)
    lefts = np.empty(LANES, np.int64)
    stakes = np.empty(LANES, np.int64)
    gain = np.empty((3, LANES))
    factor = np.empty((3, LANES))
    places = np.empty((2, 3, LANES), np.int64)
    most = 0
    for kind in range(games.starts.shape[0] - 1):
        most = max(most, games.starts[kind + 1] - games.starts[kind])
    solved = np.empty(most)
    matrices = batch.games
    doubts = 0
    held = rules.carry and not rules.last
    several = below.offset.shape[0] > 1  # classes; the offsets of a single class are in `games.place`
    for word in range(first, first + count):
        m = moves.rows[word]
        n = moves.columns[word]
        kind = layout.kind[word]
        begin = games.starts[kind]
        end = games.starts[kind + 1]
        origin = layout.start[word] - layout.start[first]
        forget_supports(batch)
        for at in range(most):
            solved[at] = 0.0
        widest = 0.0
        at = begin
        while at < end:
            lanes = 0
            while at < end and lanes < LANES:
                # A larger lead is never worse, so games beyond a won game are won. (Some leads are impossible with a
                # carried pot. Their values are never used, but follow the same rule.)
                step = 1 if games.lead[at] >= 0 else -1
                if rules.win and games.inner[at] >= 0 and step * solved[games.inner[at]] >= DECIDED:
                    solved[at - begin] = step
                else:
                    chosen[lanes] = at
                    lanes += 1
                at += 1
            if lanes == 0:
                continue
            for lane in range(LANES):
                game = chosen[min(lane, lanes - 1)]
                lefts[lane] = games.left[game]
                stakes[lane] = games.stake[game] - below.least
                for won in range(3):
                    gain[won, lane] = games.gain[won, game]
                    places[0, won, lane] = games.place[0, won, game]
                    places[1, won, lane] = games.place[1, won, game]
                    factor[won, lane] = games.place[0, won, game] >= 0
            for i in range(m):
                for j in range(n):
                    next_word = child[word, i, j]
                    kind_below = below.kind[next_word]
                    won = sign[word, i, j] + 1
                    other = (facing[word, i, j] < 0) != (rules.swap and won == 1)
                    side = 1 if other else 0
                    turned = -1.0 if other else 1.0
                    tied = held and won == 1
                    start = below.start[next_word]
                    for lane in range(LANES):
                        source = start + places[side, won, lane]
                        if several:
                            source += below.offset[kind_below, lefts[lane]]
                        if tied:  # the empty pot is the first of every list, so else the offset of the pot is 0
                            source += below.pot_place[kind_below, lefts[lane], stakes[lane]]
                        if places[side, won, lane] < 0:
                            source = 0
                        matrices[i, j, lane] = gain[won, lane] + turned * factor[won, lane] * values_below[source]
            solve_batch(batch, lanes, m, n, rules.shift)
            for lane in range(lanes):
                game = chosen[lane] - begin
                gap = batch.high[lane] - batch.low[lane]
                if gap <= TOLERANCE:
                    solved[game] = 0.5 * (batch.low[lane] + batch.high[lane])
                    widest = max(widest, gap)
                    continue
                for add in range(games.adds_starts[kind], games.adds_starts[kind + 1]):
                    if games.game[add] == game:
                        if doubts == results.doubt_at.shape[0]:
                            widest = np.inf
                        else:
                            results.doubt_at[doubts] = origin + games.to[add]
                            results.doubt_bids[doubts, 0] = m
                            results.doubt_bids[doubts, 1] = n
                            for i in range(m):
                                for j in range(n):
                                    results.doubt_games[doubts, i, j] = matrices[i, j, lane]
                            doubts += 1
        for add in range(games.adds_starts[kind], games.adds_starts[kind + 1]):
            results.values[origin + games.to[add]] += games.weight * solved[games.game[add]]
        results.gaps[word - first] = widest
    return doubts
