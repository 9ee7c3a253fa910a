"""A position of Pico: two hands that both know, and what each card scores. It needs none of the solver's libraries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.engine.rules import Rules
from bot.engine.variants.pico import Pico
from bot.engine.view import Observation
from bot.solver.exact.goal import FOR_POINTS, Goal

Hand = tuple[int, ...]


@dataclass(frozen=True)
class Duel:
    """Both hands and what may still be won with them, as the seat that holds `mine` sees it."""

    mine: Hand
    theirs: Hand
    printed: tuple[tuple[int, int], ...]
    """what each card of the pack scores"""
    objective: str = "points"
    lead: int = 0
    """by how much whoever holds `mine` leads, where it is played to win"""
    dealt: tuple[Hand, Hand] = ((), ())
    """the hands of the deal that follows with hands exchanged and counts together with this one: mine of now, theirs"""

    @property
    def win(self) -> bool:
        return self.objective == "win"

    @property
    def up(self) -> None:
        """There are no prizes."""

    @property
    def over(self) -> bool:
        """The deal ends as soon as somebody has one card left."""
        return min(len(self.mine), len(self.theirs)) <= 1

    @property
    def points(self) -> Mapping[int, int]:
        return dict(self.printed)

    def after(self, mine: int, theirs: int) -> Duel:
        """What two bids lead to: the winning card is scored and gone, the losing one goes back to its hand."""
        points = self.points
        if beats(mine, theirs):
            return replace(self, mine=_without(self.mine, mine), lead=self.lead + self.win * points[mine])
        return replace(self, theirs=_without(self.theirs, theirs), lead=self.lead - self.win * points[theirs])


def beats(mine: int, theirs: int) -> bool:
    """The higher card wins unless it is more than double the lower."""
    high, low = max(mine, theirs), min(mine, theirs)
    return (mine == high) == (high <= 2 * low)


def find_duel(rules: Rules, seen: Observation, goal: Goal = FOR_POINTS) -> Duel | None:
    """The position of the seat that looks; None where this is no Pico."""
    if not isinstance(rules, Pico) or seen.seat is None:
        return None
    one, other = seen.hands[seen.seat], seen.hands[1 - seen.seat]
    if one is None or other is None:
        return None
    mine, theirs = (tuple(sorted(rules.strength(card) for card in hand)) for hand in (one, other))
    lead, dealt = 0, ((), ())
    if goal.win:
        totals = [sum(parts) for parts in zip(seen.scores, goal.ahead or (0, 0), strict=True)]
        lead = int(totals[seen.seat] - totals[1 - seen.seat])
    if goal.back:
        # What was won of this deal is what is missing of the hands that were dealt.
        won = [[rules.strength(card) for card in seen.won[seat]] for seat in (seen.seat, 1 - seen.seat)]
        dealt = tuple(sorted((*mine, *won[0]))), tuple(sorted((*theirs, *won[1])))
    return Duel(mine, theirs, tuple(sorted(rules.printed.items())), goal.objective, lead, dealt)


def _without(cards: Hand, card: int) -> Hand:
    return tuple(each for each in cards if each != card)
