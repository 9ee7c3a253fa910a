"""Who plays, and where."""

from __future__ import annotations

from dataclasses import dataclass

from bot.referee.model.model import Snowflake, UserId


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a server."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played."""

    guild: Snowflake
    channel: Snowflake
