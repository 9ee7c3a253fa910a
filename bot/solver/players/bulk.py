"""The mixes of very many positions of one solved game, compiled: each is a look-up of its matrix game.

It tells what `answer` and `play` tell of each alone, to the last bit. Only the few games that have several optimal
mixes are left to exact arithmetic, which keeps what it found: most of them come again and again.
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
"""So many positions are looked up together: their games take some megabytes."""
KEPT = 50_000
"""So many exact mixes are kept."""
UNIQUE, SEVERAL, NOWHERE = 0, 1, 2
"""What comes of a game: its only optimal mix; there are several; the solve does not reach it."""


class BulkLookup:
    """A solved game of which positions are asked in great numbers."""

    def __init__(self, solved: SolvedGame) -> None:
        self._solved = solved
        self._hands = dict[tuple[tuple[int, ...], tuple[int, ...]], int]()
        self._bids: list[Ints] = []
        """of each pair of hands: its place among the words, which side it is seen from, and the bids of its cards"""
        self._sets = dict[tuple[tuple[int, ...], int], int]()

    def reached(self, positions: Sequence[Position]) -> list[bool]:
        """Whether the solve has all that follows from each, with its prize up."""
        found = [False] * len(positions)
        for some, _, what in self._pieces(positions):
            for at, kind in zip(some, what.tolist(), strict=True):
                found[at] = kind != NOWHERE
        return found

    def mixes(self, positions: Sequence[Position]) -> list[tuple[float, ...]]:
        """The mix of each that is reached, hands ascending."""
        found: list[tuple[float, ...]] = [()] * len(positions)
        for some, games, what in self._pieces(positions):
            cards = len(positions[some[0]].mine)
            whole: Ints = np.rint(games[:, :cards, :cards] * (1 / GRAIN)).astype(np.int64)
            told = self._solve(cards, games, what).tolist()
            for row, (at, kind) in enumerate(zip(some, what.tolist(), strict=True)):
                found[at] = tuple(told[row]) if kind == UNIQUE else _find_lowest_mix(whole[row])
        return found

    def _pieces(self, positions: Sequence[Position]) -> Iterator[tuple[list[int], Floats, Ints]]:
        """Some positions at a time, all with as many cards: which they are, and their games."""
        by_cards: dict[int, list[int]] = {}
        for at, here in enumerate(positions):
            if len(here.mine) <= len(self._solved.layers):
                by_cards.setdefault(len(here.mine), []).append(at)
        for cards, many in by_cards.items():
            for first in range(0, len(many), PIECE):
                some = many[first : first + PIECE]
                rows = [self._asked(positions[at]) for at in some]
                games: Floats = np.zeros((len(some), WIDTH, WIDTH))
                what: Ints = np.full(len(some), NOWHERE, dtype=np.int64)
                self._look_up(cards, np.array(rows, dtype=np.int64), games, what)
                yield some, games, what

    def _asked(self, here: Position) -> tuple[int, int, int, int]:
        assert here.up is not None
        return self._hand(here), self._after(here.prizes, here.up), here.up + here.pot, here.lead

    @staticmethod
    def _solve(cards: int, games: Floats, what: Ints) -> Floats:
        """By the very kernel that solves a game alone: built into another one it rounds in other places."""
        space = new_workspace()
        mixes: Floats = np.zeros((len(games), cards))
        shifts = (1.0 - games[:, :cards, :cards].min(axis=(1, 2))).tolist()
        for at, kind in enumerate(what.tolist()):
            if kind == SEVERAL:
                size = solve_game(games[at], cards, cards, shifts[at], 0, space)
                certain = size and space.bounds[1] - space.bounds[0] <= TOLERANCE
                if certain and is_unique(games[at], cards, size, space, mixes[at]):
                    what[at] = UNIQUE
        return mixes

    def _hand(self, here: Position) -> int:
        """The number of a pair of hands; -1 where the solve has none like it."""
        hands = here.mine, here.theirs
        known = self._hands.get(hands)
        if known is None:
            known = self._hands[hands] = self._placed(encode_hands(*hands), len(here.mine))
        return known

    def _placed(self, spelt: int, cards: int) -> int:
        words = self._solved.shape.ladder.at(cards).words
        word, facing = find_canonical(spelt)
        at = int(words.searchsorted(word))
        if at == len(words) or words[at] != word:
            return -1
        hand: Ints = np.zeros((3, MOST_CARDS), dtype=np.int64)
        hand[0, :2] = at, facing < 0
        hand[1:, :cards] = list_bids(int(swap_seats(word)) if facing < 0 else word)
        self._bids.append(hand)
        return len(self._bids) - 1

    def _after(self, prizes: tuple[int, ...], up: int) -> int:
        """The place of what is to come after the prize that is up; -1 where there is none."""
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

    def _look_up(self, cards: int, asked: Ints, games: Floats, what: Ints) -> None:
        shape = self._solved.shape
        below = LayerBelow(
            self._solved.layers[cards - 2].values.reshape(-1) if cards > 1 else np.zeros(1),
            len(shape.turns[cards - 2].sets) if cards > 1 else 1,
            shape.places is not None,
            shape.layout(cards - 1) or GROUND,
        )
        bids = np.array(self._bids) if self._bids else np.zeros((1, 3, MOST_CARDS), dtype=np.int64)
        look_up_games(asked, bids, shape.ladder.at(cards), below, shape.rules(cards), games, what)


def _find_lowest_mix(game: Ints) -> tuple[float, ...]:
    """The mix that bids low, of a game in grains. Bids that do the same are one: mine the lowest of them, theirs in any
    order. What is added to all entries changes no mix."""
    rows = [tuple(row) for row in (game - game.min()).tolist()]
    unlike = dict.fromkeys(rows)
    shares = dict(zip(unlike, _find_cached_mix(tuple(sorted(set(zip(*unlike, strict=True))))), strict=True))
    return tuple([shares.pop(row, 0.0) for row in rows])


@lru_cache(maxsize=KEPT)
def _find_cached_mix(columns: tuple[tuple[int, ...], ...]) -> tuple[float, ...]:
    """Of a game that is told by its columns."""
    return tuple(
        integer_games.find_lowest_mix([[entry * GRAIN for entry in row] for row in zip(*columns, strict=True)], GRAIN)
    )


class LayerBelow(NamedTuple):
    """The values of the layer below, and where they lie."""

    values: Floats  # flat
    sets: int  # of prizes
    has_layout: bool  # else a value lies where its word and its set of prizes say
    layout: PotLayout


@kernel
def find_value(next_word: int, left: int, pot: int, lead: int, below: LayerBelow) -> int:
    """Return where a value lies in the layer below, or -1."""
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

    asked[position] are the number of its hands, the place of what is to come, what is at stake, and the lead.
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
