"""The daily deal: stored values, scores of tries, and streaks of days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TypeAlias

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


FIRST_DAY = date(2026, 1, 1)
"""The day of daily deal 1, in every server."""

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


def number_of(day: date) -> int:
    """Return the number of a day's deal, by which people name it."""
    return (day - FIRST_DAY).days + 1


def last_moment(day: date) -> datetime:
    """Return when tries of that day stop counting."""
    return day_end(day) + GRACE


def streak(played: Sequence[date], day: date) -> int:
    """Return the number of days in a row until this day, or until the one before if this day is not played yet."""
    known = set(played)
    day = day if day in known else day - timedelta(days=1)
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


@dataclass(frozen=True, slots=True)
class DailyRanking:
    """The ranking of a day, for a person who has played."""

    day: date
    best: int | None
    """The best possible margin; None until it is computed."""
    scores: tuple[Score, ...]
    """the best first; of people who are still in the server"""
    own: Score | None
    uncounted: str
    """why their own try does not count: too-late, gave-up or unfinished; empty where it counts"""
    shared: bool
    streak: int
    """days in a row until this one"""
    longest: int

    def place(self, score: Score) -> int:
        """Return the place of a score; equal margins share a place."""
        return 1 + sum(one.margin > score.margin for one in self.scores)


def rank_scores(tries: Sequence[DailyTry]) -> list[Score]:
    """Return the scores of a day of people who are still in the server, the best first."""
    scores = [score for tried in tries if (score := score_of(tried)) is not None and tried.here]
    return sorted(scores, key=lambda one: (-one.margin, one.ended, one.tried.user))


def rank_tries(own: DailyTry, tries: Sequence[DailyTry], all_days: Sequence[DailyTry]) -> DailyRanking:
    """Return the ranking for the person with this try. `tries` are those of the day, `all_days` those of the person."""
    scores = rank_scores(tries)
    played = [tried.day for tried in all_days if score_of(tried) is not None]
    return DailyRanking(
        own.day,
        own.best,
        tuple(scores),
        score_of(own),
        uncounted_reason(own),
        own.shared,
        streak(played, own.day),
        longest_streak(played),
    )


@dataclass(frozen=True, slots=True)
class NewDailyDeal:
    """The daily deal of a server; there must be none yet."""

    deal: DailyDeal


@dataclass(frozen=True, slots=True)
class SaveDailyBest:
    """The best margin of a daily deal."""

    guild: Snowflake
    day: date
    best: int


@dataclass(frozen=True, slots=True)
class NewDailyTry:
    """A person's try, with the new match of the same change; they must have had none."""

    guild: Snowflake
    day: date
    user: UserId
    match: str


@dataclass(frozen=True, slots=True)
class ShareDaily:
    """Note that a person shared their result, once; with `shared=False` that it was not shown."""

    guild: Snowflake
    day: date
    user: UserId
    shared: bool = True


DailyStep: TypeAlias = NewDailyDeal | SaveDailyBest | NewDailyTry | ShareDaily
"""Step of a change that concerns daily deals."""
