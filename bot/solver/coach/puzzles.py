"""Puzzles: positions of a few cards with one clear idea, as plain values; nothing here needs the solver's libraries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.solver.coach.advice import Mix
from bot.solver.exact.position import Position

FILE = Path(__file__).parent / "puzzles.jsonl"
"""One a line, made and certified by `python -m bot.solver.coach.puzzle_maker`."""

IDEAS = ("only", "never", "bluff", "tie")
"""One card is right; an obvious one never is; the lowest is a bluff for the dearest prize; a tie is sought."""

NOTHING = 0.0005
"""what a right bid may give up of the chance to win: nothing but rounding"""
CLOSE = 0.03
"""what a bid may give up and still be half right"""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be won, and what perfect play says of every card of the hand."""

    number: int
    here: Position
    idea: str
    rating: int
    """how hard it is: from how many rules of thumb go wrong here, and how many cards there are to choose from"""
    chance: float
    """to win with best play on both sides, a draw as half"""
    shares: tuple[float, ...]
    """how often the best mix bids each card of the hand, ascending"""
    costs: tuple[float, ...]
    """the most each gives up of the chance to win, over all best mixes of the other side"""
    instead: tuple[int, ...]
    """for each a card that does at least as well against every bid; 0 if there is none"""

    @property
    def hand(self) -> tuple[int, ...]:
        return self.here.mine

    @property
    def mix(self) -> Mix:
        """The cards that are bid, the most frequent first."""
        played = [(card, share) for card, share in zip(self.hand, self.shares, strict=True) if share]
        return tuple(sorted(played, key=lambda pair: (-pair[1], pair[0])))

    def cost(self, card: int) -> float:
        return self.costs[self.hand.index(card)]

    def grade(self, card: int) -> float:
        """1 for a bid that gives up nothing, 1/2 for a close one, else 0."""
        cost = self.cost(card)
        return 1.0 if cost <= NOTHING else 0.5 if round(cost, 2) <= CLOSE else 0.0

    def line(self) -> str:
        """As it stands in the file."""
        at = self.here
        cards: list[object] = [at.mine, at.theirs, at.prizes, at.up, at.ties, at.pot, at.lead]
        costs = [round(cost, 4) for cost in self.costs]
        shares = [round(share, 4) for share in self.shares]
        line = [*cards, self.idea, self.rating, round(self.chance, 4), shares, costs, self.instead]
        return json.dumps(line, separators=(",", ":"))


def read_puzzle(line: str, number: int) -> Puzzle:
    """A line of the file."""
    mine, theirs, prizes, up, ties, pot, lead, idea, rating, chance, shares, costs, instead = json.loads(line)
    hands = tuple(mine), tuple(theirs), tuple(prizes)
    here = Position(*hands, up, ties=ties, pot=pot, objective="win", lead=lead)
    return Puzzle(number, here, idea, rating, chance, tuple(shares), tuple(costs), tuple(instead))


@cache
def read_puzzles() -> Sequence[Puzzle]:
    """All that come along, by number from 0."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(read_puzzle(line, number) for number, line in enumerate(lines))
