"""How much there is to solve: states, values and matrix games, counted and not solved."""

from __future__ import annotations

from math import comb

from bot.engine.cards import STANDARD
from bot.engine.variants.pico import HAND
from bot.solver.late import MOST
from bot.solver.solve import Frame, frame, whole_game

CARDS = 13


def run() -> None:
    points, carried = (frame(whole_game(CARDS, ties)) for ties in ("discard", "carry"))
    states = sum(comb(CARDS, cards) ** 3 for cards in range(1, CARDS + 1))
    equal = 2**CARDS - 2  # one word of every layer is worth 0: both hold the same
    values = sum(points.size(cards)[1] for cards in range(1, CARDS)) - equal
    print(f"  {CARDS} cards: {states:,} states of two hands and prizes, {values:,} values that are not 0 at once")
    games, different = (
        sum(each) for each in zip(*map(_carried, [carried] * (CARDS - 1), range(1, CARDS)), strict=True)
    )
    print(f"  {CARDS} cards, carried ties: {games:,} matrix games below the first, of which {different:,} are solved")
    pairs = sum(comb(HAND, cards) for cards in range(2, HAND + 1)) ** 2
    print(f"  Pico: {pairs} pairs of hands in which somebody still chooses")
    sets = sum(_multisets(len(STANDARD), size) for size in range(MOST))
    print(f"  Bid and Psych, {MOST} cards: {sets:,} sets of up to {MOST - 1} prizes that may be turned")


def _carried(shape: Frame, cards: int) -> tuple[int, int]:
    """The matrix games of a layer: a turn for every pot, and those that differ in the stake or in what is left."""
    own, turns = shape.stakes(cards), shape.turns[cards - 1]
    assert own is not None
    different = [0] * own.offset.shape[0]
    for kind in range(len(different)):
        for first, end in zip(turns.starts[:-1], turns.starts[1:], strict=True):
            stakes = set[int]()
            for turn in range(first, end):
                before = int(turns.whole[turn])
                pots = own.pots[own.pot_starts[kind, before] : own.pot_starts[kind, before + 1]]
                stakes.update((pots + int(turns.prize[turn])).tolist())
            different[kind] += len(stakes)
    return cards * own.size, sum(different[kind] for kind in own.kind.tolist())


def _multisets(ranks: int, size: int) -> int:
    """So many prizes of these ranks, each there twice."""
    return sum(comb(ranks, twice) * comb(ranks - twice, size - 2 * twice) for twice in range(size // 2 + 1))
