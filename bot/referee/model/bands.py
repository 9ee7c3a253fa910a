"""Roles by rating as a server sets them, and the deadline that checks them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.referee.model.changes import SetDeadline
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake
from bot.referee.model.setting_kinds import Band

SOON = timedelta(seconds=2)
"""Delay after a result, so that several results are checked together."""

OWNER = "roles "
"""Prefix of the owner of a deadline for roles."""


def schedule_role_check(settings: GuildSettings, at: datetime) -> tuple[SetDeadline, ...]:
    """Schedule a check of the roles of a server whose ratings changed, if it has any.

    Each deadline has its own number, so that one set during a check stays.
    """
    if not settings.bands:
        return ()
    due = at + SOON
    return (
        SetDeadline(Deadline(owner_of_roles(settings.guild), DeadlineKind.ROLES, due, int(due.timestamp() * 1000))),
    )


def owner_of_roles(guild: Snowflake) -> str:
    """Return the owner of a server's deadline for roles."""
    return f"{OWNER}{guild}"


def read_roles_owner(owner: str) -> Snowflake:
    """Return the server of an owner of such a deadline."""
    return int(owner.removeprefix(OWNER))


def with_band(bands: Sequence[Band], role: Snowflake, least: int | None) -> tuple[Band, ...]:
    """Return the bands with this role from `least` on; without it if `least` is None."""
    others = [band for band in bands if band.role != role]
    return tuple(sorted((*others, *([] if least is None else [Band(least, role)])), reverse=True))
