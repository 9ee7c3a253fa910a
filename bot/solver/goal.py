"""What a deal is played for: most points on average, or the best chance to win the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.cards import Points
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series


@dataclass(frozen=True)
class Goal:
    """What the deal in play is for."""

    win: bool = True
    """the chance to win less that to lose; else points"""
    ahead: tuple[Points, ...] = ()
    """what the deals before brought each seat, where that counts for who wins"""

    @property
    def objective(self) -> str:
        return "win" if self.win else "points"


TO_WIN, FOR_POINTS = Goal(), Goal(win=False)


def goal(rules: Rules, series: Series = SINGLE, before: Sequence[tuple[Points, ...]] = ()) -> Goal:
    """What the next deal is played for, when these are the scores of the deals before.

    A single deal, and every deal of a series that counts won deals, is played to win it: both sides stand alike before
    each deal to come, so a drawn deal is worth half a won one. Where points are added up, they are what a deal
    brings to those that follow, and only the last one is played to come out ahead of all together.
    """
    if series.mode in ("deals", "target") and not rules.by_wins:
        if series.mode == "target" or len(before) + 1 < series.number:
            return FOR_POINTS
        return Goal(ahead=tuple(sum(scores) for scores in zip(*before, strict=True)))
    return TO_WIN
