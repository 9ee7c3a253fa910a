"""The steps of a change that concern ratings and seasons, and the deadline that checks the roles by rating."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.referee.model.clock_changes import SetDeadline
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake, UserId
from bot.referee.model.people import Rating, RatingEntry
from bot.referee.model.seasons import FrozenTable, Season


@dataclass(frozen=True, slots=True)
class SaveRating:
    """A rating; `expect` is the number of matches before, None to overwrite.

    `mu` is the expected earlier mu: a rebuilt pool changes ratings without new matches.
    """

    rating: Rating
    expect: int | None
    mu: float | None = None
    season: bool = False
    """True for a rating of the current season."""


@dataclass(frozen=True, slots=True)
class DropRating:
    """Delete a rating without matches; expects this number of matches and this mu."""

    guild: Snowflake
    pool: str
    user: UserId
    expect: int
    mu: float
    season: bool = False


@dataclass(frozen=True, slots=True)
class NewSeason:
    """Begin a season; the server must have no current one."""

    season: Season


@dataclass(frozen=True, slots=True)
class SaveSeason:
    """Change or end the current season; expects the version before it."""

    season: Season
    expect: int


@dataclass(frozen=True, slots=True)
class SeasonMoves:
    """The tables of the current season change; expects that it is current."""

    guild: Snowflake
    number: int


@dataclass(frozen=True, slots=True)
class FreezeSeason:
    """Store the tables of a season for good; its ratings are deleted."""

    guild: Snowflake
    number: int
    tables: tuple[FrozenTable, ...]


@dataclass(frozen=True, slots=True)
class MarkSeason:
    """Note that a match of a frozen table was taken out of the ratings."""

    guild: Snowflake
    number: int
    pool: str


@dataclass(frozen=True, slots=True)
class AddRatingEntry:
    entry: RatingEntry


SOON = timedelta(seconds=2)
"""Delay after a result, so that several results are checked together."""


def roles_owner(guild: Snowflake) -> str:
    """Return the owner of a server's deadline for roles."""
    return f"roles {guild}"


def schedule_role_check(settings: GuildSettings, at: datetime) -> tuple[SetDeadline, ...]:
    """Schedule a check of the roles of a server whose ratings changed, if it has any.

    Each deadline has its own number, so that one set during a check stays.
    """
    due = at + SOON
    check = Deadline(roles_owner(settings.guild), DeadlineKind.ROLES, due, int(due.timestamp() * 1000))
    return (SetDeadline(check),) if settings.bands else ()
