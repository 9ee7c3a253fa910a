"""Find the mixes of many positions of one solved game. Kernels look up the matrix game of each position.

The mixes equal those of `answer_position` bit for bit. Only the few games with several optimal mixes need exact
arithmetic, and its results are cached because most of these games repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bot.solver.exact.position import MOST_CARDS, Position
from bot.solver.exact.solve import SolvedGame
from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats, Ints, kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Workspace, new_workspace, solve_game
from bot.solver.kernels.matrix_game import CLEAR, GRAIN
from bot.solver.kernels.pot_kernel import LayerRules
from bot.solver.kernels.pot_layout import GROUND, PotLayout
from bot.solver.kernels.words import Moves, encode_hands, find_canonical, list_bids, swap_seats

PIECE = 10_000
"""The number of positions that are looked up together: their games take some megabytes."""
KEPT = 50_000
"""The size of the cache of exact mixes."""
UNIQUE, SEVERAL, NOWHERE = 0, 1, 2
"""Kinds of games: with a single optimal mix; perhaps with several; not reached by the solve."""


class BulkLookup:
    """Look-ups of many positions in a solved game."""

    def __init__(self, solved: SolvedGame) -> None:
        self._solved = solved
        self._hands = dict[tuple[tuple[int, ...], tuple[int, ...]], int]()
        self._bids: list[Ints] = []
        """for each pair of hands: its word and whether the seats are swapped, then the rows and columns of its cards"""
        self._sets = dict[tuple[tuple[int, ...], int], int]()

    def find_reached(self, positions: Sequence[Position]) -> list[bool]:
        """Return for each position, with its prize up, whether the solve has the values of all its successors."""
        reached = [False] * len(positions)
        for some, _, kinds in self._look_up_pieces(positions):
            for at, kind in zip(some, kinds.tolist(), strict=True):
                reached[at] = kind != NOWHERE
        return reached

    def find_mixes(self, positions: Sequence[Position]) -> list[tuple[float, ...]]:
        """Return the mix of each position, hands ascending; all positions must be reached."""
        mixes: list[tuple[float, ...]] = [()] * len(positions)
        for some, games, kinds in self._look_up_pieces(positions):
            cards = len(positions[some[0]].mine)
            whole: Ints = np.rint(games[:, :cards, :cards] * (1 / GRAIN)).astype(np.int64)
            shares = self._solve(cards, games, kinds).tolist()
            for row, (at, kind) in enumerate(zip(some, kinds.tolist(), strict=True)):
                mixes[at] = tuple(shares[row]) if kind == UNIQUE else _find_lowest_mix(whole[row])
        return mixes

    def _look_up_pieces(self, positions: Sequence[Position]) -> Iterator[tuple[list[int], Floats, Ints]]:
        """Yield groups of positions with equal numbers of cards: their indexes, their games, and the games' kinds."""
        by_cards: dict[int, list[int]] = {}
        for at, position in enumerate(positions):
            if len(position.mine) <= len(self._solved.layers):
                by_cards.setdefault(len(position.mine), []).append(at)
        for cards, many in by_cards.items():
            for first in range(0, len(many), PIECE):
                some = many[first : first + PIECE]
                rows = [self._find_row(positions[at]) for at in some]
                games: Floats = np.zeros((len(some), WIDTH, WIDTH))
                kinds: Ints = np.full(len(some), NOWHERE, dtype=np.int64)
                self._look_up(cards, np.array(rows, dtype=np.int64), games, kinds)
                yield some, games, kinds

    def _find_row(self, position: Position) -> tuple[int, int, int, int]:
        """Return the hands, the later prizes, the stake and the lead of a position, as `look_up_games` takes them."""
        assert position.up is not None
        return (
            self._find_hands(position),
            self._find_later(position.prizes, position.up),
            position.up + position.pot,
            position.lead,
        )

    @staticmethod
    def _solve(cards: int, games: Floats, kinds: Ints) -> Floats:
        """Solve the games one by one with `solve_game`: inlined into another kernel it would round differently."""
        space = new_workspace()
        mixes: Floats = np.zeros((len(games), cards))
        shifts = (1.0 - games[:, :cards, :cards].min(axis=(1, 2))).tolist()
        for at, kind in enumerate(kinds.tolist()):
            if kind == SEVERAL:
                size = solve_game(games[at], cards, cards, shifts[at], 0, space)
                is_certified = size and space.bounds[1] - space.bounds[0] <= TOLERANCE
                if is_certified and is_unique(games[at], cards, size, space, mixes[at]):
                    kinds[at] = UNIQUE
        return mixes

    def _find_hands(self, position: Position) -> int:
        """Return the index of a pair of hands in `_bids`; -1 if the solve does not have it."""
        hands = position.mine, position.theirs
        known = self._hands.get(hands)
        if known is None:
            known = self._hands[hands] = self._add_hands(encode_hands(*hands), len(position.mine))
        return known

    def _add_hands(self, encoded: int, cards: int) -> int:
        words = self._solved.shape.ladder.at(cards).words
        word, facing = find_canonical(encoded)
        at = int(words.searchsorted(word))
        if at == len(words) or words[at] != word:
            return -1
        hand: Ints = np.zeros((3, MOST_CARDS), dtype=np.int64)
        hand[0, :2] = at, facing < 0
        hand[1:, :cards] = list_bids(int(swap_seats(word)) if facing < 0 else word)
        self._bids.append(hand)
        return len(self._bids) - 1

    def _find_later(self, prizes: tuple[int, ...], up: int) -> int:
        """Return the index of the set of prizes after the prize that is up; -1 if the solve does not have it."""
        known = self._sets.get((prizes, up))
        if known is None:
            shape, later = self._solved.shape, [prize for prize in prizes if prize != up]
            bits = sum(1 << shape.prizes.index(prize) for prize in later if prize in shape.prizes)
            known = 0
            if later:
                sets = shape.turns[len(later) - 1].sets
                known = int(sets.searchsorted(bits))
                known = known if known < len(sets) and sets[known] == bits else -1
            self._sets[prizes, up] = known
        return known

    def _look_up(self, cards: int, rows: Ints, games: Floats, kinds: Ints) -> None:
        shape = self._solved.shape
        below = LayerBelow(
            self._solved.layers[cards - 2].values.reshape(-1) if cards > 1 else np.zeros(1),
            len(shape.turns[cards - 2].sets) if cards > 1 else 1,
            shape.places is not None,
            shape.layout(cards - 1) or GROUND,
        )
        bids = np.array(self._bids) if self._bids else np.zeros((1, 3, MOST_CARDS), dtype=np.int64)
        look_up_games(rows, bids, shape.ladder.at(cards), below, shape.rules(cards), games, kinds)


def _find_lowest_mix(game: Ints) -> tuple[float, ...]:
    """Return the lexicographically largest mix of a game in units of `GRAIN`.

    To share cache entries, the game is normalised: equal rows and columns are merged, columns are sorted, and the
    smallest entry becomes 0. The lowest of several equal rows gets their share.
    """
    rows = [tuple(row) for row in (game - game.min()).tolist()]
    unique = dict.fromkeys(rows)
    shares = dict(zip(unique, _find_cached_mix(tuple(sorted(set(zip(*unique, strict=True))))), strict=True))
    return tuple([shares.pop(row, 0.0) for row in rows])


@lru_cache(maxsize=KEPT)
def _find_cached_mix(columns: tuple[tuple[int, ...], ...]) -> tuple[float, ...]:
    """Return the mix of the game with these columns."""
    return tuple(
        integer_games.find_lowest_mix([[entry * GRAIN for entry in row] for row in zip(*columns, strict=True)], GRAIN)
    )


class LayerBelow(NamedTuple):
    """The values of the layer below, and their layout."""

    values: Floats  # flat
    sets: int  # the number of sets of prizes
    has_layout: bool  # False: values are ordered by word and set
    layout: PotLayout


@kernel
def find_value(next_word: int, left: int, pot: int, lead: int, below: LayerBelow) -> int:
    """Return the index of a value in the layer below, or -1."""
    layout = below.layout
    reach = layout.lead_place.shape[1] // 2
    if not 0 <= pot - layout.least < layout.pot_place.shape[2] or abs(lead) > reach:
        return -1
    kind = layout.kind[next_word]
    listing = left * layout.sides + (pot & 1 if layout.sides > 1 else 0)
    further = layout.pot_place[kind, left, pot - layout.least]
    place = layout.lead_place[listing, lead + reach]
    if further < 0 or place < 0:
        return -1
    return layout.start[next_word] + layout.offset[kind, left] + further + place


@kernel
def look_up_games(
    asked: Ints, bids: Ints, moves: Moves, below: LayerBelow, rules: LayerRules, games: Floats, what: Ints
) -> None:
    """Fill in the game of each position; mark as SEVERAL the ones that the solve reaches.

    asked[position] are the index of its hands, the index of the set of later prizes, the stake, and the lead.
    """
    for at in range(asked.shape[0]):
        hands = asked[at, 0]
        left = asked[at, 1]
        stake = asked[at, 2]
        if hands < 0 or left < 0:
            continue
        word = bids[hands, 0, 0]
        turned = bids[hands, 0, 1] == 1
        reached = True
        for i in range(moves.cards):
            for j in range(moves.cards):
                row = bids[hands, 1, i]
                column = bids[hands, 2, j]
                if turned:
                    row, column = column, row
                won = -moves.sign[word, row, column] if turned else moves.sign[word, row, column]
                face = -moves.facing[word, row, column] if turned else moves.facing[word, row, column]
                if rules.swap and won == 0:
                    face = -face
                lead = asked[at, 3] + won * abs(stake) if rules.win else 0
                pot = stake if rules.carry and won == 0 and not rules.last else 0
                entry = 0.0
                if rules.win and (rules.last or abs(lead) > below.layout.rest[left] + abs(pot)):
                    entry = float((lead > 0) - (lead < 0))
                elif not rules.last and (face != 0 or lead != 0):
                    next_word = moves.child[word, row, column]
                    if not below.has_layout:
                        entry = face * below.values[next_word * below.sets + left]
                    else:
                        source = find_value(int(next_word), left, pot, -lead if face < 0 else lead, below)
                        if source < 0:
                            reached = False
                        else:
                            entry = -below.values[source] if face < 0 else below.values[source]
                if not rules.win:
                    entry += abs(stake) * won
                games[at, i, j] = entry
        if reached:
            what[at] = SEVERAL


@kernel
def is_unique(game: Floats, cards: int, size: int, space: Workspace, mine: Floats) -> bool:
    """Return True if the mixes on the support are certainly the only optimal ones; fill in mine."""
    used, x, y = space.used, space.x, space.y
    theirs = np.zeros(cards)
    for k in range(size):
        mine[used[0, k]] = x[k]
        theirs[used[1, k]] = y[k]
    value = 0.0
    for i in range(cards):
        for j in range(cards):
            value += mine[i] * game[i, j] * theirs[j]
    for i in range(cards):
        reply = 0.0
        for j in range(cards):
            reply += game[i, j] * theirs[j]
        if (mine[i] > CLEAR) == (value - reply > CLEAR):
            return False
    for j in range(cards):
        reply = 0.0
        for i in range(cards):
            reply += mine[i] * game[i, j]
        if (theirs[j] > CLEAR) == (reply - value > CLEAR):
            return False
    return True
