"""What the store keeps of a server's seasons, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.referee.model.model import Snowflake, UserId

OFF, MONTHLY, QUARTERLY = "off", "monthly", "quarterly"
KINDS = (OFF, MONTHLY, QUARTERLY)
MONTHS = {MONTHLY: 1, QUARTERLY: 3}

Between: TypeAlias = tuple[()] | tuple[datetime, datetime]
"""from a time on and before another one; empty is always"""


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a server; at most one goes on."""

    guild: Snowflake
    number: int
    """from 1"""
    kind: str
    """monthly or quarterly"""
    began: datetime
    ends: datetime
    """when it is to end, or did"""
    over: bool = False
    version: int = 1
    """counts what changes its tables, so that none is frozen while a match ends"""


@dataclass(frozen=True, slots=True)
class FrozenLine:
    """Somebody in the table of a season that is over."""

    place: int
    """from 1; who has the same number shown shares one"""
    user: UserId
    name: str
    shown: int
    played: int
    won: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class FrozenTable:
    """The table of one pool when a season ended, best first. Nothing changes it any more."""

    pool: str
    lines: tuple[FrozenLine, ...]


@dataclass(frozen=True, slots=True)
class FrozenPage:
    """Some lines of such a table, with the line of somebody who asks."""

    size: int
    """lines of the whole table"""
    voided: int
    """matches of it that were taken out of the ratings after it was frozen"""
    lines: tuple[FrozenLine, ...]
    own: FrozenLine | None = None
    at: int = 0
    """which line theirs is, from 0"""
