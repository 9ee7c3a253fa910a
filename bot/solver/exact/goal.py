"""What a deal is played for: most points on average, or the best chance to win the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.auction.auction import Auction
from bot.engine.cards import Points
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.variants.pico import Pico


@dataclass(frozen=True)
class Goal:
    """What the deal in play is for."""

    win: bool = True
    """the chance to win less that to lose; else points"""
    ahead: tuple[Points, ...] = ()
    """what the deals before brought each seat, where that counts for who wins"""
    back: bool = False
    """whether one more deal counts with this one, the same with hands exchanged"""

    @property
    def objective(self) -> str:
        return "win" if self.win else "points"


TO_WIN, FOR_POINTS = Goal(), Goal(win=False)


def find_goal(rules: Rules, series: Series = SINGLE, before: Sequence[tuple[Points, ...]] = ()) -> Goal:
    """What the next deal is played for, when these are the scores of the deals before.

    A single deal, and every deal of a series that counts won deals, is played to win it: both sides stand alike before
    each deal to come, so a drawn deal is worth half a won one. Where points are added up, they are what a deal
    brings to those that follow, and only the last one is played to come out ahead of all together; a match to a number
    of points has one as well, which nobody can fail to end. In Pico the last
    two may be one deal played twice, with hands exchanged: both are known beforehand, and played to come out ahead.
    """
    if series.mode in ("deals", "target") and not rules.by_wins:
        left = series.number - len(before)
        back = series.mode == "deals" and left == 2 and isinstance(rules, Pico) and not len(before) % 2
        last = _ends_target(rules, series, before) if series.mode == "target" else left == 1
        if not last and (series.mode == "target" or not back):
            return FOR_POINTS
        return Goal(ahead=tuple(sum(scores) for scores in zip(*before, strict=True)), back=back)
    return TO_WIN


def _ends_target(rules: Rules, series: Series, before: Sequence[tuple[Points, ...]]) -> bool:
    """Return True if the next deal ends a match to a number of points, however its points are shared out. Where ties
    lose points, it may fail to do so only if they lose more than half of them."""
    if not isinstance(rules, Auction) or rules.least_wins or rules.rounds_left(len(rules.hand)) != len(rules.prizes):
        return False
    values = [rules.value(prize) for prize in rules.prizes]
    if min(values) < 0:
        return False
    totals = [sum(scores) for scores in zip(*before, strict=True)] or [0] * rules.seats
    room = sum(series.number - 1 - total for total in totals)
    return room < (sum(values) if rules.ties == "split" else sum(values) / 2)
