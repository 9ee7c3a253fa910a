"""Canonical form of two hands: a word over {mine, theirs, both}, because only the order of the cards matters.

A word has one letter for each card, lowest card first. It is stored as an integer with two bits for each letter, first
letter in the highest bits: 1 is a card that only I hold, 2 a card that only they hold, 3 a card that both hold.
Swapping the seats swaps 1 and 2 and negates every value, so the smaller of the two words represents both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.solver.kernels.jit import Ints, Shorts, Signs, kernel

MINE, THEIRS, BOTH = 1, 2, 3
LETTERS = 26
"""The most letters of a word: two hands of 13 cards without a common card."""


def encode_hands(mine: Sequence[int], theirs: Sequence[int]) -> int:
    """Return the word of two hands."""
    word = 0
    for card in sorted({*mine, *theirs}):
        word = word << 2 | (card in mine) * MINE | (card in theirs) * THEIRS
    return word


@kernel
def swap_seats(word: int) -> int:
    """Return the word of the same hands from the other side's point of view."""
    low = word & 0x5555555555555555
    high = (word >> 1) & 0x5555555555555555
    return low << 1 | high


class Moves(NamedTuple):
    """The words of one layer and the word after each pair of bids. Equivalent bids share a row or a column."""

    cards: int
    words: Ints  # ascending
    rows: Ints  # for each word: the number of my bids that differ in effect
    columns: Ints  # the same for their bids
    child: Shorts  # [word, row, column]: the index of the next word in the layer below
    facing: Signs  # [word, row, column]: 1 as stored there, -1 with the seats swapped, 0 both hands are equal
    sign: Signs  # [word, row, column]: who wins the prize: 1 I, -1 they, 0 a tie


@dataclass(frozen=True)
class Ladder:
    """All reachable words, layer by layer, fewest cards first."""

    layers: tuple[Moves, ...]

    def at(self, cards: int) -> Moves:
        """Return the layer with this number of cards in each hand."""
        return self.layers[cards - self.layers[0].cards]

    @property
    def top(self) -> Moves:
        return self.layers[-1]


def build_ladder(roots: Sequence[int], cards: int, lowest: int = 1) -> Ladder:
    """Return all words reachable from `roots`, which have `cards` cards in each hand, down to `lowest` cards.

    The moves of the lowest layer are left out, unless it has one card.
    """
    words: Ints = np.unique(np.array([find_canonical(root)[0] for root in roots], dtype=np.int64))
    layers: list[Moves] = []
    for count in range(cards, lowest - 1, -1):
        wide = count if count > lowest or count == 1 else 0
        shape = (len(words), wide, wide)
        nexts: Ints = np.full(shape, -1, dtype=np.int64)
        facing: Signs = np.zeros(shape, dtype=np.int8)
        sign: Signs = np.zeros(shape, dtype=np.int8)
        rows: Ints = np.zeros(len(words), dtype=np.int64)
        columns: Ints = np.zeros(len(words), dtype=np.int64)
        if wide:
            expand_words(words, nexts, facing, sign, rows, columns)
        below: Ints = np.unique(nexts[nexts >= 0])
        child: Shorts = np.searchsorted(below, nexts.ravel()).astype(np.int32).reshape(shape)
        layers.append(Moves(count, words, rows, columns, child, facing, sign))
        words = below
    return Ladder(tuple(reversed(layers)))


def find_canonical(word: int) -> tuple[int, int]:
    """Return the canonical word, and 1 if it is the given word, -1 if the seats are swapped, 0 if both are the same."""
    other = int(swap_seats(word))
    return min(word, other), (word < other) - (word > other)


@kernel
def expand_words(words: Ints, nexts: Ints, facing: Signs, sign: Signs, rows: Ints, columns: Ints) -> None:
    """Fill in the next word, its facing and the winner of the prize for each word and each pair of different bids."""
    letters = np.empty(LETTERS, np.int64)
    mine = np.empty(LETTERS, np.int64)
    theirs = np.empty(LETTERS, np.int64)
    for at in range(words.shape[0]):
        length = 0
        rest = words[at]
        while rest > 0:
            rest >>= 2
            length += 1
        my_bids = 0
        their_bids = 0
        for place in range(length):
            letter = (words[at] >> (2 * (length - 1 - place))) & 3
            letters[place] = letter
            # Two own cards with no other card between them are equivalent: keep the lower.
            again = place > 0 and letter != BOTH and letters[place - 1] == letter
            if letter & MINE and not again:
                mine[my_bids] = place
                my_bids += 1
            if letter & THEIRS and not again:
                theirs[their_bids] = place
                their_bids += 1
        rows[at] = my_bids
        columns[at] = their_bids
        for row in range(my_bids):
            for column in range(their_bids):
                word = np.int64(0)
                other = np.int64(0)
                for place in range(length):
                    letter = letters[place]
                    if place == mine[row]:
                        letter &= ~MINE
                    if place == theirs[column]:
                        letter &= ~THEIRS
                    if letter:
                        word = word << 2 | letter
                        other = other << 2 | ((letter & 1) << 1 | letter >> 1)
                nexts[at, row, column] = min(word, other)
                facing[at, row, column] = 1 if word < other else -1 if word > other else 0
                sign[at, row, column] = (mine[row] > theirs[column]) - (mine[row] < theirs[column])


def list_bids(word: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the row of each card of my hand, ascending, and the column of each card of theirs."""
    letters = [word >> shift & 3 for shift in range(2 * LETTERS, -1, -2)]
    letters = letters[next((at for at, letter in enumerate(letters) if letter), len(letters)) :]
    bids: list[tuple[int, ...]] = []
    for side in (MINE, THEIRS):
        places: list[int] = []
        bid = -1
        for at, letter in enumerate(letters):
            if letter & side:
                bid += at == 0 or letter == BOTH or letters[at - 1] != letter
                places.append(bid)
        bids.append(tuple(places))
    return bids[0], bids[1]
