"""The objective of a deal within its match: the most points on average, or the best chance to win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.auction.auction import Auction
from bot.engine.cards import Points
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.variants.pico import Pico
from bot.engine.view import Observation


@dataclass(frozen=True)
class Goal:
    """The objective of the deal in play."""

    is_to_win: bool = True
    """whether values are P(win) - P(loss), not points"""
    ahead: tuple[Points, ...] = ()
    """points of each seat from earlier deals, if they count towards the win"""
    back: bool = False
    """whether the same deal with hands exchanged follows and counts together with this deal"""

    @property
    def objective(self) -> str:
        return "win" if self.is_to_win else "points"

    def find_lead(self, seen: Observation) -> int:
        """Return the lead of the observing seat over the other; 0 if the deal is played for points."""
        if not self.is_to_win or seen.seat is None:
            return 0
        totals = [sum(parts) for parts in zip(seen.scores, self.ahead or (0, 0), strict=True)]
        return int(totals[seen.seat] - totals[1 - seen.seat])  # shared prizes add the same to both


TO_WIN, FOR_POINTS = Goal(), Goal(is_to_win=False)


def find_goal(rules: Rules, series: Series = SINGLE, before: Sequence[tuple[Points, ...]] = ()) -> Goal:
    """Return the objective of the next deal, given the scores of the deals before.

    A single deal, and every deal of a series that counts won deals, is played to win the deal. If the series adds up
    points, a deal is played for points, and only the last deal to win the match. In a match to a number of points a
    deal is the last if it ends the match in any case. The last two deals of Pico may be the same deal with hands
    exchanged: both are played to win the match.
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
    """Return True if the next deal ends a match to a number of points, however its points are shared.

    If ties discard points, the deal counts as the last unless ties must discard more than half of them.
    """
    if not isinstance(rules, Auction) or rules.least_wins or rules.rounds_left(len(rules.hand)) != len(rules.prizes):
        return False
    values = [rules.value(prize) for prize in rules.prizes]
    if min(values) < 0:
        return False
    totals = [sum(scores) for scores in zip(*before, strict=True)] or [0] * rules.seats
    room = sum(series.number - 1 - total for total in totals)
    return room < (sum(values) if rules.ties == "split" else sum(values) / 2)
