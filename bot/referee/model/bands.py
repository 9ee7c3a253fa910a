"""Roles by rating as a server sets them, and the deadline by which they are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.referee.model.changes import SetDeadline
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake
from bot.referee.model.people import GuildSettings
from bot.referee.model.setting_kinds import Band

SOON = timedelta(seconds=2)
"""after a result: several that end together are looked at together"""

OWNER = "roles "
"""how the owner of a deadline for roles begins"""


def schedule_role_check(settings: GuildSettings, at: datetime) -> tuple[SetDeadline, ...]:
    """Something moved the ratings of a server: its roles are looked at soon, if it has any. Each deadline has a number
    of its own, so that one that is set while another is carried out stays."""
    if not settings.bands:
        return ()
    due = at + SOON
    return (
        SetDeadline(Deadline(owner_of_roles(settings.guild), DeadlineKind.ROLES, due, int(due.timestamp() * 1000))),
    )


def owner_of_roles(guild: Snowflake) -> str:
    """Whose this server's deadline is."""
    return f"{OWNER}{guild}"


def read_roles_owner(owner: str) -> Snowflake:
    """The server whose deadline this is."""
    return int(owner.removeprefix(OWNER))


def with_band(bands: Sequence[Band], role: Snowflake, least: int | None) -> tuple[Band, ...]:
    """The same with this role given from there on, or not any more."""
    others = [one for one in bands if one.role != role]
    return tuple(sorted((*others, *([] if least is None else [Band(least, role)])), reverse=True))
