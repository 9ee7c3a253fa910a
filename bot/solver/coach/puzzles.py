"""Puzzles: positions of a few cards with one clear idea, as plain values. It needs neither numpy nor numba."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.solver.coach.advice import Mix
from bot.solver.exact.position import Position

FILE = Path(__file__).parent / "puzzles.jsonl"
"""The file of puzzles, one on each line, made and certified by `python -m tests.puzzle_maker`."""

NOTHING = 0.0005
"""the loss of the chance to win that a right bid may have: rounding only"""
CLOSE = 0.03
"""the loss of the chance to win that a half-right bid may have"""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and the evaluation of each card of the hand by perfect play for the chance to win."""

    number: int
    position: Position
    idea: str
    """only: a single right card; never: an obvious card that is wrong; bluff: the lowest card for the highest prize;
    tie"""
    rating: int
    """the difficulty: it grows with the number of rules of thumb that fail and with the number of cards"""
    chance: float
    """the chance to win with optimal play of both sides, a draw as half a win"""
    shares: tuple[float, ...]
    """the share of each card of the hand in the optimal mix, ascending by card"""
    costs: tuple[float, ...]
    """for each card the largest loss of the chance to win against any optimal mix of the other side"""
    instead: tuple[int, ...]
    """for each card another card that does at least as well against every bid; 0 if there is none"""

    @property
    def hand(self) -> tuple[int, ...]:
        return self.position.mine

    @property
    def mix(self) -> Mix:
        """The optimal mix, the most frequent card first."""
        played = [(card, share) for card, share in zip(self.hand, self.shares, strict=True) if share]
        return tuple(sorted(played, key=lambda pair: (-pair[1], pair[0])))

    def cost(self, card: int) -> float:
        return self.costs[self.hand.index(card)]

    def grade(self, card: int) -> float:
        """Return 1 for a right bid, 1/2 for a close bid, else 0."""
        cost = self.cost(card)
        return 1.0 if cost <= NOTHING else 0.5 if round(cost, 2) <= CLOSE else 0.0


def read_puzzle(line: str, number: int) -> Puzzle:
    """Read a line of the file."""
    mine, theirs, prizes, up, ties, pot, lead, idea, rating, chance, shares, costs, instead = json.loads(line)
    hands = tuple(mine), tuple(theirs), tuple(prizes)
    position = Position(*hands, up, ties=ties, pot=pot, objective="win", lead=lead)
    return Puzzle(number, position, idea, rating, chance, tuple(shares), tuple(costs), tuple(instead))


@cache
def read_puzzles() -> Sequence[Puzzle]:
    """Read the puzzles of the file, numbered from 0."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(read_puzzle(line, number) for number, line in enumerate(lines))
