"""Positions of Pico: two open hands, and the score of each card. This module needs neither numpy nor numba."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.engine.rules import Rules
from bot.engine.variants.pico import Pico
from bot.engine.view import Observation
from bot.solver.exact.goal import FOR_POINTS, Goal
from bot.solver.exact.position import Hand, without_card


@dataclass(frozen=True)
class Duel:
    """A position of Pico from the point of view of the seat that holds `mine`."""

    mine: Hand
    theirs: Hand
    printed: tuple[tuple[int, int], ...]
    """the score of each card of the pack"""
    objective: str = "points"
    lead: int = 0
    """the lead of the seat that holds `mine`, if the deal is played to win"""
    dealt: tuple[Hand, Hand] = ((), ())
    """the hands that were dealt, mine first, if the same deal with hands exchanged follows"""

    @property
    def is_to_win(self) -> bool:
        return self.objective == "win"

    @property
    def up(self) -> None:
        """None: Pico has no prizes."""

    @property
    def is_over(self) -> bool:
        """Whether a hand has only one card left, which ends the deal."""
        return min(len(self.mine), len(self.theirs)) <= 1

    @property
    def points(self) -> Mapping[int, int]:
        return dict(self.printed)

    def after(self, mine: int, theirs: int) -> Duel:
        """Return the position after two bids: the winning card scores and goes; the losing card returns to its hand."""
        points = self.points
        if beats(mine, theirs):
            return replace(self, mine=without_card(self.mine, mine), lead=self.lead + self.is_to_win * points[mine])
        return replace(self, theirs=without_card(self.theirs, theirs), lead=self.lead - self.is_to_win * points[theirs])


def beats(mine: int, theirs: int) -> bool:
    """Return True if my card wins. The higher card wins, unless it is more than double the lower."""
    high, low = max(mine, theirs), min(mine, theirs)
    return (mine == high) == (high <= 2 * low)


def find_duel(rules: Rules, seen: Observation, goal: Goal = FOR_POINTS) -> Duel | None:
    """Return the position of the observing seat; None if the game is not Pico."""
    if not isinstance(rules, Pico) or seen.seat is None:
        return None
    own, other = seen.hands[seen.seat], seen.hands[1 - seen.seat]
    if own is None or other is None:
        return None
    mine, theirs = (tuple(sorted(rules.strength(card) for card in hand)) for hand in (own, other))
    dealt: tuple[Hand, Hand] = ((), ())
    if goal.back:
        # Cards in hand and cards won make up the hand that was dealt.
        won = [[rules.strength(card) for card in seen.won[seat]] for seat in (seen.seat, 1 - seen.seat)]
        dealt = tuple(sorted((*mine, *won[0]))), tuple(sorted((*theirs, *won[1])))
    return Duel(mine, theirs, tuple(sorted(rules.printed.items())), goal.objective, goal.find_lead(seen), dealt)
