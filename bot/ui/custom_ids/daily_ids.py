"""The ids of the daily deal."""

from __future__ import annotations

from datetime import date

from bot.ui.custom_ids.shapes import IdKind, Parts

_DAY = "20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"

DAILY = IdKind("dy", f"{_DAY}:(?:table|share)")
PLAY = IdKind("dp", _DAY)


def daily(day: date, what: str) -> str:
    """table, share."""
    return DAILY.write(f"{day:%Y%m%d}", what)


def read_daily(parts: Parts) -> tuple[date | None, str]:
    """No day where there is none of this date."""
    day, what = parts
    try:
        return date(int(day[:4]), int(day[4:6]), int(day[6:])), what
    except ValueError:
        return None, what


def play(day: date) -> str:
    """Under a row that somebody shared: play it too."""
    return PLAY.write(f"{day:%Y%m%d}")
