"""Stored values of a server's seasons. Immutable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.referee.model.model import Snowflake, UserId

OFF, MONTHLY, QUARTERLY = "off", "monthly", "quarterly"
KINDS = (OFF, MONTHLY, QUARTERLY)
MONTHS = {MONTHLY: 1, QUARTERLY: 3}

Between: TypeAlias = tuple[()] | tuple[datetime, datetime]
"""A first time and a later one, which is excluded; empty means always."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a server; at most one is current."""

    guild: Snowflake
    number: int
    """from 1"""
    kind: str
    """monthly or quarterly"""
    began: datetime
    ends: datetime
    """The planned or actual end."""
    over: bool = False
    version: int = 1
    """Counts changes of its tables, so that none is frozen while a match ends."""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A person in a ranking: of all time, of the current season or of a finished one."""

    place: int
    """From 1; equal shown numbers share a place."""
    user: UserId
    name: str
    shown: int
    """1000 + 20 (mu - 3 sigma), rounded"""
    played: int
    won: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class FrozenTable:
    """The final table of one pool of a season, best first."""

    pool: str
    lines: tuple[LeaderboardRow, ...]


@dataclass(frozen=True, slots=True)
class FrozenPage:
    """Some lines of a frozen table, and the line of the person who asks."""

    size: int
    """lines of the whole table"""
    voided: int
    """matches of it that were taken out of the ratings after it was frozen"""
    lines: tuple[LeaderboardRow, ...]
    own: LeaderboardRow | None = None
    at: int = 0
    """Index of their line, from 0."""
