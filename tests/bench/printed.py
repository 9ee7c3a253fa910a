"""What can be won from the mixes that `gops house sage` tells: the best answer to them, in every position of a game.

`CARDS=8` says which games, those of 4 to 7 cards otherwise. Only the order of two hands matters to the solver, so one
pair of hands stands for all that are in the same order; both seats are asked. What the best answer wins is worked out
from the mixes and the rules alone.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bot.solver.levels import find_level
from bot.solver.matrix import Floats, Spots
from bot.solver.mixes import mixes
from bot.solver.stand import read_stand

CARDS = tuple(int(each) for each in os.environ.get("CARDS", "4,5,6,7").split(","))
CHUNK = 100_000
"""So many positions, about, are asked together."""

Hand = tuple[int, ...]
Hands = tuple[Hand, Hand]
"""The lowest cards in this order."""
Place = tuple[Hand, int, int]
"""The prizes to come, the one of them that is up, and the lead."""
Batch = list[tuple[Hands, list[Place]]]
Worth = dict[tuple[Hands, Hand], Floats]
"""What the mixes bring at least, by hands and prizes to come, for every lead from -total to total."""


@dataclass(frozen=True)
class Game:
    """One size of the game, and the leads that prizes which are gone can have made."""

    cards: int

    @property
    def total(self) -> int:
        return self.cards * (self.cards + 1) // 2

    def leads(self, prizes: Hand) -> list[int]:
        """Those with which the game is not decided."""
        found = {0}
        for prize in set(range(1, self.cards + 1)) - set(prizes):
            found |= {lead + won * prize for lead in found for won in (-1, 1)}
        return [lead for lead in sorted(found) if abs(lead) <= sum(prizes)]

    def hands(self, count: int) -> list[Hands]:
        """Every order of two hands of so many cards out of the game's."""
        all_hands = list(itertools.combinations(range(1, self.cards + 1), count))
        return sorted({lowest(*each) for each in itertools.product(all_hands, all_hands)})


def lowest(mine: Hand, theirs: Hand) -> Hands:
    """The lowest cards in the same order."""
    rank = {card: at for at, card in enumerate(sorted({*mine, *theirs}), 1)}
    return tuple(rank[card] for card in mine), tuple(rank[card] for card in theirs)


def run() -> None:
    print("what the best answer wins of P(win) - P(loss) from the mixes of `gops house sage`, in every position")
    for cards in CARDS:
        begin = time.process_time()
        lost, asked = exploited(cards)
        took = time.process_time() - begin
        print(f"  {cards} cards: {lost:.1e} ({asked} positions asked, {took:.0f} s of processor time)", flush=True)


def exploited(cards: int) -> tuple[float, int]:
    """What the best answer wins, and how many positions the level was asked for."""
    game, below, asked = Game(cards), Worth(), 0
    for count in range(1, cards + 1):
        worth, every = Worth(), _batches(game, count)
        for batch in every:
            for hands, at, mix in _told(game, batch):
                _settle(game, hands, at, mix, below, worth)
                asked += len(mix)
        below = worth
        if len(every) > 1:
            print(f"    {count} of {cards} cards: {asked} positions so far", file=sys.stderr, flush=True)
    hand = tuple(range(1, cards + 1))
    return -float(below[(hand, hand), hand][game.total]), asked


def _places(game: Game, count: int) -> list[Place]:
    sets = itertools.combinations(range(1, game.cards + 1), count)
    return [(prizes, up, lead) for prizes in sets for up in prizes for lead in game.leads(prizes)]


def _batches(game: Game, count: int) -> list[Batch]:
    places = _places(game, count)
    every, size = [(hands, places) for hands in game.hands(count)], max(1, CHUNK // len(places))
    return [every[first : first + size] for first in range(0, len(every), size)]


def _told(game: Game, batch: Batch) -> Iterator[tuple[Hands, list[Place], Floats]]:
    """What `gops house sage` tells for each."""
    level = find_level("sage")
    assert level is not None
    options = {"cards": game.cards}
    stands = [
        read_stand(
            {"mine": [*mine], "theirs": [*theirs], "prizes": [*prizes], "up": up, "lead": lead, "options": options}
        )
        for (mine, theirs), places in batch
        for prizes, up, lead in places
    ]
    told = mixes(level, stands, 1)
    for hands, places in batch:
        found = list(itertools.islice(told, len(places)))
        assert {each.basis for each in found} == {"win"}
        yield hands, places, np.array([[share for _, share in each.mix] for each in found])


def _settle(game: Game, hands: Hands, places: list[Place], mix: Floats, below: Worth, worth: Worth) -> None:
    """What each mix brings against the best answer, which is known of everything that follows."""
    (mine, theirs), first = hands, 0
    pairs = [
        (
            (own > other) - (own < other),
            lowest(tuple(card for card in mine if card != own), tuple(card for card in theirs if card != other)),
        )
        for other in theirs
        for own in mine
    ]
    for (prizes, up), same in itertools.groupby(places, key=lambda place: place[:2]):
        leads: Spots = np.array([lead for _, _, lead in same])
        shares, first = mix[first : first + len(leads)].T, first + len(leads)
        later = tuple(prize for prize in prizes if prize != up)
        every: Floats = np.zeros((len(pairs), len(leads)))
        for row, (won, left) in enumerate(pairs):
            ahead = leads + won * up
            every[row] = np.sign(ahead)
            if later:
                known = below[left, later][np.clip(ahead, -game.total, game.total) + game.total]
                every[row] = np.where(abs(ahead) > sum(later), every[row], known)
        brings = (every.reshape(len(theirs), len(mine), len(leads)) * shares).sum(axis=1)
        found = worth.setdefault((hands, prizes), np.zeros(2 * game.total + 1))
        found[leads + game.total] += brings.min(axis=0) / len(prizes)


if __name__ == "__main__":
    run()
