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
    """only: a single right card; never: a single wrong card; bluff: the lowest card for the highest prize; tie"""
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

    @property
    def asks_for_wrong(self) -> bool:
        """Whether the puzzle asks for the card that is wrong, not for a right one."""
        return self.idea == "never"

    @property
    def answers(self) -> tuple[int, ...]:
        """The cards that answer the question."""
        return tuple(card for card in self.hand if (self.cost(card) > NOTHING) == self.asks_for_wrong)

    def cost(self, card: int) -> float:
        return self.costs[self.hand.index(card)]

    def grade(self, card: int) -> float:
        """Return 1 for an answer, 1/2 for a bid that is close to a right one, else 0."""
        if card in self.answers:
            return 1.0
        return 0.5 if not self.asks_for_wrong and round(self.cost(card), 2) <= CLOSE else 0.0


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
