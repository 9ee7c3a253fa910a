"""The daily deal in a server's channel: when it is posted, and what the post tells of the days before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zlib import crc32

from bot.referee.model.changes import DropDeadlines, SetDeadline
from bot.referee.model.daily import DailyTry, Score, rank_scores
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake, UserId

FIRST, LAST = timedelta(hours=1, minutes=5), timedelta(hours=4)
"""Time of the day (UTC) in which a deal is posted. Tries of the day before have ended by then."""
SPREAD = 170 * 60
"""Seconds after the first moment among which servers are spread. Some minutes are left for those that wait."""
WEEK = timedelta(days=7)
MONDAY = 0


def daily_owner(guild: Snowflake) -> str:
    """Return the owner of the deadline that posts the daily deals of a server."""
    return f"daily {guild}"


def post_time(guild: Snowflake, day: date) -> datetime:
    """Return when the deal of a day is posted: at the same time each day."""
    midnight = datetime.combine(day, datetime.min.time(), tzinfo=UTC)
    return midnight + FIRST + timedelta(seconds=crc32(str(guild).encode()) % SPREAD)


def next_post(guild: Snowflake, now: datetime) -> datetime:
    """Return when the next deal is posted after this moment."""
    today = post_time(guild, now.date())
    return today if now < today else post_time(guild, now.date() + timedelta(days=1))


def is_post_time(guild: Snowflake, now: datetime) -> bool:
    """Return True if the deal of this day may be posted now."""
    midnight = datetime.combine(now.date(), datetime.min.time(), tzinfo=UTC)
    return post_time(guild, now.date()) <= now < midnight + LAST


def schedule_post(settings: GuildSettings, now: datetime) -> tuple[SetDeadline | DropDeadlines]:
    """Set the deadline of the next post, or drop it where no deal is posted."""
    guild, owner = settings.guild, daily_owner(settings.guild)
    if not settings.daily:
        return (DropDeadlines(owner),)
    return (SetDeadline(Deadline(owner, DeadlineKind.DAILY, next_post(guild, now))),)


@dataclass(frozen=True, slots=True)
class WeekLine:
    """What a person did in the daily deals of a week."""

    user: UserId
    name: str
    won: int
    margin: int
    """of all days"""


@dataclass(frozen=True, slots=True)
class DailyPost:
    """What the post of a day shows."""

    day: date
    scores: tuple[Score, ...]
    """of the day before, the best first"""
    week: tuple[WeekLine, ...]
    """of the week that ended, on Mondays"""


def rank_week(days: Sequence[Sequence[DailyTry]]) -> tuple[WeekLine, ...]:
    """Return who won most deals of these days; of equals, the larger margin of all days first."""
    lines: dict[UserId, WeekLine] = {}
    for score in (score for tries in days for score in rank_scores(tries)):
        user, before = score.tried.user, lines.get(score.tried.user)
        won, margin = (before.won, before.margin) if before is not None else (0, 0)
        lines[user] = WeekLine(user, score.tried.name, won + (score.margin > 0), margin + score.margin)
    return tuple(sorted(lines.values(), key=lambda one: (-one.won, -one.margin, one.user)))
