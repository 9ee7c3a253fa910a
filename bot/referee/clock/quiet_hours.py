"""Quiet hours: the part of a person's day, in their time zone, in which messages are sent silently."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.errors import RefereeError
from bot.referee.model.people import Player

OFF = "off"
DAY = 24 * 60
"""minutes"""

_HOURS = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*(?:-|–|to)\s*(\d{1,2})(?:[:.](\d{2}))?")


@cache
def list_zones() -> tuple[str, ...]:
    """Return every time zone with an area and a place that this machine knows, and UTC."""
    named = (one for one in available_timezones() if "/" in one and not one.startswith("Etc/"))
    return (*sorted(named), "UTC")


def read_zone(text: str) -> str:
    """Return the time zone that was typed: its full name, or a place that only one zone has."""
    wanted = text.strip().lower().replace(" ", "_")
    exact = [one for one in list_zones() if one.lower() == wanted]
    ending = [one for one in list_zones() if one.lower().endswith(f"/{wanted}")]
    found = exact or ending
    if len(found) != 1:
        raise RefereeError("zone-unknown", x=text.strip())
    return found[0]


def read_hours(text: str) -> tuple[int, int]:
    """Return start and end in minutes of a day, typed as 22-7 or 22:30-06:00; equal values for off."""
    if text.strip().lower() == OFF:
        return 0, 0
    found = _HOURS.fullmatch(text.strip().lower())
    if found is None:
        raise RefereeError("hours-unreadable", x=text.strip())
    first, last = (int(found[n]) * 60 + int(found[n + 1] or 0) for n in (1, 3))
    minutes = [int(found[n] or 0) for n in (2, 4)]
    if max(minutes) > 59 or max(first, last) > DAY or first % DAY == last % DAY:
        raise RefereeError("hours-unreadable", x=text.strip())
    return first % DAY, last % DAY


def is_quiet(player: Player, now: datetime) -> bool:
    """Return True if it is a quiet hour where they live; hours that go over midnight count, and the change of clocks
    too."""
    if player.quiet_from == player.quiet_to or not player.zone:
        return False
    try:
        there = now.astimezone(ZoneInfo(player.zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):  # zones come and go with the machine's list of them
        return False
    minute = there.hour * 60 + there.minute
    first, last = player.quiet_from, player.quiet_to
    return first <= minute < last if first < last else minute >= first or minute < last
