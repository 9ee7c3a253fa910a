"""Times as Discord writes them: every reader sees their own clock."""

from datetime import datetime, timedelta


def stamp(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}>"


def relative(at: datetime) -> str:
    """For deadlines: *in 58 seconds*."""
    return f"<t:{int(at.timestamp())}:R>"


def day(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:d>"


_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def span(length: timedelta | int) -> str:
    """A length in its largest whole unit: 2 minutes, 1 hour, 90 seconds."""
    seconds = int(length.total_seconds()) if isinstance(length, timedelta) else length
    for unit, size in _UNITS:
        if seconds >= size and seconds % size == 0:
            return _count(seconds // size, unit)
    return _count(max(0, seconds), "second")


def about(length: timedelta | int) -> str:
    """A length for people, rounded: 14 minutes."""
    seconds = int(length.total_seconds()) if isinstance(length, timedelta) else length
    for unit, size in _UNITS:
        if seconds >= 2 * size or (seconds >= size and unit in ("minute", "second")):
            return _count(round(seconds / size), unit)
    return _count(0, "second")


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
