"""Whoever a moderator keeps from playing in a server plays there again when the time is over."""

from __future__ import annotations

from datetime import datetime

from bot.errors import RefereeError
from bot.referee.model import Store
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Bar


async def barred(store: Store, guild: Snowflake, user: UserId, now: datetime) -> Bar | None:
    """What keeps this person from playing here at this time; outside of servers nothing does."""
    bar = await store.bar(guild, user) if guild else None
    return bar if bar is not None and bar.until > now else None


async def check_not_barred(store: Store, guild: Snowflake, user: UserId, now: datetime) -> None:
    """Refuse somebody who wants to play."""
    bar = await barred(store, guild, user, now)
    if bar is not None and not bar.reason:  # they had their data erased since
        raise RefereeError("barred-nameless", t=bar.until)
    if bar is not None:
        raise RefereeError("barred", t=bar.until, reason=bar.reason)
