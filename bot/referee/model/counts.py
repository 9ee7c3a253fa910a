"""Daily counts of a server, which name nobody, and the steps that store them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from bot.referee.model.model import Snowflake


class DailyCount(StrEnum):
    """What is counted. The values are stored: never change one."""

    LESSON_BEGUN = "lesson-begun"
    """people who made the first bid of their first guided match"""
    LESSON_FINISHED = "lesson-finished"
    """people who finished it"""
    CHALLENGE_SENT = "challenge-sent"
    ACCEPTED_IN_MINUTE = "accepted-minute"
    """challenges whose match began within a minute"""
    ACCEPTED_IN_TEN = "accepted-ten-minutes"
    ACCEPTED_IN_HOUR = "accepted-hour"
    ACCEPTED_LATER = "accepted-later"


ACCEPTED = (
    (timedelta(minutes=1), DailyCount.ACCEPTED_IN_MINUTE),
    (timedelta(minutes=10), DailyCount.ACCEPTED_IN_TEN),
    (timedelta(hours=1), DailyCount.ACCEPTED_IN_HOUR),
    (timedelta.max, DailyCount.ACCEPTED_LATER),
)
"""Buckets of the time from a challenge to its match: each with its upper bound."""


@dataclass(frozen=True, slots=True)
class CountDaily:
    """One more of these on this day (UTC) in this server; 0 is no server. It stands at the end of a change."""

    guild: Snowflake
    day: date
    what: DailyCount


@dataclass(frozen=True, slots=True)
class NoteJoined:
    """The bot is a member of this server, since `at` if that is known. A time that is stored already stays."""

    guild: Snowflake
    at: datetime | None = None
    first: bool = False
    """There must be no row of this server yet."""


@dataclass(frozen=True, slots=True)
class NoteLeft:
    """The bot is no member of this server any more."""

    guild: Snowflake


def count_accepted(guild: Snowflake, sent: datetime, now: datetime) -> CountDaily:
    """Count a challenge that was accepted, for the day on which it was sent."""
    return CountDaily(guild, sent.date(), next(what for most, what in ACCEPTED if now - sent <= most))


CountStep: TypeAlias = CountDaily | NoteJoined | NoteLeft


class Figure(StrEnum):
    """A figure of the product: a part of something, week by week."""

    PLAYED = "played"
    FIRST_FINISHED = "first-finished"
    SECOND_MATCH = "second-match"
    BACK = "back"
    DAILY_NEXT_DAY = "daily-next-day"
    LESSON_FINISHED = "lesson-finished"
    ACCEPTED = "accepted"
    IN_MINUTE = "accepted-in-minute"
    IN_TEN = "accepted-in-ten-minutes"
    IN_HOUR = "accepted-in-hour"
    BY_CLOCK = "ended-by-clock"
    SERVERS = "servers-active"


@dataclass(frozen=True, slots=True)
class WeekCount:
    """A figure of one week, whether or not it may be told."""

    figure: Figure
    week: int
    """from 0, the first week that was asked for"""
    people: int
    """people that it is about; for servers, how many servers"""
    part: int
    of: int
