"""The step that proves, in the transaction of a lobby or match, what was read of its people before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.referee.model.model import Snowflake, UserId


@dataclass(frozen=True, slots=True)
class CheckPeople:
    """Expects that none of these people is banned, and that each plays fewer matches than `limit`."""

    guild: Snowflake
    users: tuple[UserId, ...]
    limit: int
    now: datetime
    host: UserId = 0
    """Nobody has blocked this person, or is blocked by them; 0 without a host."""
    hosted: int = -1
    """How many lobbies of the host are open or were created after `since`; -1 if that does not matter."""
    since: datetime | None = None
