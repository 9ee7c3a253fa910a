"""What the store keeps of the daily deal, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

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
