"""Quiet hours in a person's time zone, over midnight and over the change of clocks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.errors import RefereeError
from bot.referee.clock.quiet_hours import is_quiet, list_zones, read_hours, read_zone
from bot.referee.model.people import Player


@pytest.mark.parametrize(
    ("typed", "hours"),
    [
        ("22-7", (1320, 420)),
        (" 22:30 – 06.15 ", (1350, 375)),
        ("0 to 8", (0, 480)),
        ("20-24", (1200, 0)),
        ("OFF", (0, 0)),
    ],
)
def test_quiet_hours_are_read_as_people_type_them(typed: str, hours: tuple[int, int]) -> None:
    assert read_hours(typed) == hours


@pytest.mark.parametrize("typed", ["", "22", "25-7", "22:60-7", "7-7", "24-0", "-", "at night", "1" * 500, "22-7-9"])
def test_unreadable_quiet_hours_are_refused(typed: str) -> None:
    with pytest.raises(RefereeError, match="hours-unreadable"):
        read_hours(typed)


def test_time_zones_are_read_as_people_type_them() -> None:
    assert read_zone("europe/berlin") == read_zone(" Berlin ") == "Europe/Berlin"
    assert read_zone("new york") == "America/New_York"
    assert read_zone("utc") == "UTC"
    assert len(list_zones()) > 300
    for typed in ("", "Atlantis", "../etc/passwd", "/etc/localtime", "\0", "x" * 1000):
        with pytest.raises(RefereeError, match="zone-unknown"):
            read_zone(typed)


def quiet(zone: str, first: int, last: int, *at: int) -> bool:
    return is_quiet(Player(1, zone=zone, quiet_from=first * 60, quiet_to=last * 60), datetime(*at, tzinfo=UTC))  # type: ignore[misc, arg-type]


def test_quiet_hours_follow_the_time_zone_over_midnight_and_clock_changes() -> None:
    assert quiet("Europe/Berlin", 22, 7, 2026, 1, 10, 21, 0)  # 22:00 there
    assert not quiet("Europe/Berlin", 22, 7, 2026, 1, 10, 20, 59)
    assert quiet("Europe/Berlin", 22, 7, 2026, 1, 10, 5, 59)
    assert not quiet("Europe/Berlin", 22, 7, 2026, 1, 10, 6, 0)
    assert quiet("Europe/Berlin", 22, 7, 2026, 7, 10, 20, 0), "an hour earlier in summer"
    assert quiet("Asia/Kolkata", 1, 6, 2026, 1, 10, 19, 30), "half an hour off"
    assert not quiet("", 22, 7, 2026, 1, 10, 23, 0)
    assert not quiet("Gone/Nowhere", 22, 7, 2026, 1, 10, 23, 0)
    assert not quiet("UTC", 0, 0, 2026, 1, 10, 0, 0)
