"""What a profile shows besides the rating: streaks, the best win, a favourite bid, medals, the curve."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Win:
    """The best of them: over whoever had the highest rating beforehand."""

    match: str
    names: tuple[str, ...]
    rating: float


@dataclass(frozen=True, slots=True)
class Habit:
    """How far above the prize somebody bids most often."""

    above: int
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over time, as it is shown."""

    pool: str
    points: tuple[tuple[datetime, int], ...]


@dataclass(frozen=True, slots=True)
class Honours:
    """All of that."""

    wins: int = 0
    """in a row, up to now"""
    most_wins: int = 0
    days: int = 0
    """of the daily deal in a row, up to now"""
    most_days: int = 0
    best_win: Win | None = None
    habit: Habit | None = None
    medals: tuple[str, ...] = ()
    """keys of MEDALS, in their order"""
