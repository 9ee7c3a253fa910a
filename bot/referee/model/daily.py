"""The daily deal: stored values, scores of tries, and streaks of days."""

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
    """The best possible margin; None until it is computed."""


@dataclass(frozen=True, slots=True)
class DailyTry:
    """A person's only try at a daily deal, and its result."""

    guild: Snowflake
    day: date
    user: UserId
    match: str
    shared: bool = False
    name: str = ""
    """The person's name in the server."""
    here: bool = True
    """True if they are still in the server"""
    totals: tuple[str, ...] = ()
    """Points in the form of the record, the person's first."""
    ended: datetime | None = None
    termination: int | None = None
    best: int | None = None
    """The best possible margin of that day; None until it is computed."""


GRACE = timedelta(hours=1)
"""Time after the end of a day in which its tries may still be finished."""


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
    """Return the score of a try; None if it is not over, was given up, or was finished too late."""
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
    """Return when the next day begins."""
    return datetime.combine(day + timedelta(days=1), datetime.min.time(), tzinfo=UTC)


def last_moment(day: date) -> datetime:
    """Return when tries of that day stop counting."""
    return day_end(day) + GRACE


def streak(played: Sequence[date], today: date) -> int:
    """Return the number of days in a row until today, or until yesterday if today is still open."""
    known = set(played)
    day = today if today in known else today - timedelta(days=1)
    count = 0
    while day in known:
        count, day = count + 1, day - timedelta(days=1)
    return count


def longest_streak(played: Sequence[date]) -> int:
    """Return the longest row of days."""
    known, most = set(played), 0
    for day in known:
        if day - timedelta(days=1) not in known:
            count = 1
            while day + timedelta(days=count) in known:
                count += 1
            most = max(most, count)
    return most
