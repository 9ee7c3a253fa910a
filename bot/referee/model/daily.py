"""What the store keeps of the daily deal, as immutable values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from bot.engine.match import Termination
from bot.referee.model.model import Snowflake, UserId


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """What one server plays on one day (UTC)."""

    guild: Snowflake
    day: date
    nonce: bytes = field(repr=False)
    level: str
    """of the house"""
    best: int | None = None
    """the margin that was possible; None until it was worked out"""


@dataclass(frozen=True, slots=True)
class DailyTry:
    """Somebody's one try, and what became of it."""

    guild: Snowflake
    day: date
    user: UserId
    match: str
    shared: bool = False
    name: str = ""
    """as the server calls them"""
    here: bool = True
    """whether they are still in the server"""
    totals: tuple[str, ...] = ()
    """as the record writes points, theirs first"""
    ended: datetime | None = None
    termination: int | None = None
    best: int | None = None
    """the margin that was possible on that day; None until it was worked out"""


GRACE = timedelta(hours=1)
"""after the end of a day in which a try of that day may still be finished, and counts"""


@dataclass(frozen=True, slots=True)
class Score:
    """A try that counts."""

    tried: DailyTry
    ended: datetime
    mine: int
    theirs: int

    @property
    def margin(self) -> int:
        return self.mine - self.theirs


def score_of(tried: DailyTry) -> Score | None:
    """What a try came to; None for one that is not over, was given up, or was finished too late."""
    if tried.ended is None or tried.termination != Termination.COMPLETED or len(tried.totals) != 2:
        return None
    if tried.ended >= last_moment(tried.day):
        return None
    mine, theirs = map(int, tried.totals)
    return Score(tried, tried.ended, mine, theirs)


def uncounted_reason(tried: DailyTry) -> str:
    """Return why a try that is over does not count; empty for one that counts."""
    if score_of(tried) is not None:
        return ""
    if tried.termination == Termination.COMPLETED:
        return "too-late"
    return "unfinished" if tried.termination == Termination.ABANDONED else "gave-up"


def day_end(day: date) -> datetime:
    """When the next one begins."""
    return datetime.combine(day + timedelta(days=1), datetime.min.time(), tzinfo=UTC)


def last_moment(day: date) -> datetime:
    """From when a try of that day does not count."""
    return day_end(day) + GRACE


def streak(played: Sequence[date], today: date) -> int:
    """How many days in a row until today, or until yesterday where today is still to be played."""
    known = set(played)
    day = today if today in known else today - timedelta(days=1)
    count = 0
    while day in known:
        count, day = count + 1, day - timedelta(days=1)
    return count


def longest_streak(played: Sequence[date]) -> int:
    """The longest such row ever."""
    known, most = set(played), 0
    for day in known:
        if day - timedelta(days=1) not in known:
            count = 1
            while day + timedelta(days=count) in known:
                count += 1
            most = max(most, count)
    return most
