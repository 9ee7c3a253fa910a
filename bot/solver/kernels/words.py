"""Only the order of the two hands matters: a pair of hands is a word over {mine, theirs, both}, lowest card first.

A word is a number with two bits a letter, first letter on top: 1 is a card that only I hold, 2 one that only they
hold, 3 one that both hold. Swapping the seats swaps 1 and 2 and flips the sign of every value, so one of the two
words stands for both: the smaller.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.solver.kernels.jit import Ints, Shorts, Signs, kernel

MINE, THEIRS, BOTH = 1, 2, 3
LETTERS = 26
"""Two hands of 13 cards without a common one."""


def encode_hands(mine: Sequence[int], theirs: Sequence[int]) -> int:
    """The word of two hands."""
    word = 0
    for card in sorted({*mine, *theirs}):
        word = word << 2 | (card in mine) * MINE | (card in theirs) * THEIRS
    return word


@kernel
def swap_seats(word: int) -> int:
    """The same position seen from the other side."""
    low = word & 0x5555555555555555
    high = (word >> 1) & 0x5555555555555555
    return low << 1 | high


class Moves(NamedTuple):
    """The words of one layer and where each pair of bids leads. Bids with the same effect count as one."""

    cards: int
    words: Ints  # ascending
    rows: Ints  # of each word: how many bids of mine differ
    columns: Ints
    child: Shorts  # [word, row, column]: the place of the next word in the layer below
    facing: Signs  # 1: as it stands there; -1: seen from the other side; 0: both hands equal
    sign: Signs  # who wins the prize: 1 I, -1 they, 0 a tie


@dataclass(frozen=True)
class Ladder:
    """All words that can still arise, layer by layer, fewest cards first."""

    layers: tuple[Moves, ...]

    def at(self, cards: int) -> Moves:
        """The layer with so many cards a hand."""
        return self.layers[cards - self.layers[0].cards]

    @property
    def top(self) -> Moves:
        return self.layers[-1]


def build_ladder(roots: Sequence[int], cards: int, lowest: int = 1) -> Ladder:
    """Everything that can arise from some words with as many cards each, down to `lowest` cards; what those would lead
    to is left out, unless they are the last."""
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
    """The word that stands for both sides, and how this one faces it (0: it is its own mirror image)."""
    other = int(swap_seats(word))
    return min(word, other), (word < other) - (word > other)


@kernel
def expand_words(words: Ints, nexts: Ints, facing: Signs, sign: Signs, rows: Ints, columns: Ints) -> None:
    """Fill in, for every word and every pair of bids that differ, where it leads and who wins the prize."""
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
            # Two own cards with no other card between them do the same: keep the lower.
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
    """For every card of my hand, ascending, the row that stands for it; likewise their columns."""
    letters = [word >> shift & 3 for shift in range(2 * LETTERS, -1, -2)]
    letters = letters[next((at for at, letter in enumerate(letters) if letter), len(letters)) :]
    found: list[tuple[int, ...]] = []
    for side in (MINE, THEIRS):
        places: list[int] = []
        bid = -1
        for at, letter in enumerate(letters):
            if letter & side:
                bid += at == 0 or letter == BOTH or letters[at - 1] != letter
                places.append(bid)
        found.append(tuple(places))
    return found[0], found[1]
