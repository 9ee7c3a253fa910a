"""Times and links in Discord's markup. Discord shows a time in the time zone of the reader."""

from datetime import date, datetime, timedelta

from bot.referee.model.seasons import MONTHLY, Season
from bot.ui.text.sentences import say


def format_time(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}>"


def format_relative(at: datetime) -> str:
    """Return a time that counts down: *in 58 seconds*.

    Use it only in messages that are edited at this time, because then it turns into *58 seconds ago*.
    """
    return f"<t:{int(at.timestamp())}:R>"


EXACT, SAME_DAY = timedelta(minutes=10), timedelta(hours=12)


def format_moment(at: datetime, written_at: datetime) -> str:
    """Return a time that does not count down; `written_at` is when the sentence is written.

    A near time has seconds, because a short clock may end within the minute. A far time has its date.
    """
    style = "T" if at - written_at < EXACT else "t" if at - written_at < SAME_DAY else "f"
    return f"<t:{int(at.timestamp())}:{style}>"


def round_up_minute(at: datetime) -> datetime:
    """Round up to the next full minute. Discord cuts seconds off: without rounding, players would come too early."""
    return at + timedelta(seconds=-at.timestamp() % 60)


def format_day(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:d>"


_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def format_span(length: timedelta | int) -> str:
    """Return a time span in its largest whole unit: "2 minutes", "1 hour", "90 seconds"."""
    seconds = int(length.total_seconds()) if isinstance(length, timedelta) else length
    for unit, size in _UNITS:
        if seconds >= size and seconds % size == 0:
            return _count(seconds // size, unit)
    return _count(max(0, seconds), "second")


def format_about(length: timedelta | int) -> str:
    """Return a rounded time span: "14 minutes"."""
    seconds = int(length.total_seconds()) if isinstance(length, timedelta) else length
    for unit, size in _UNITS:
        if seconds >= 2 * size or (seconds >= size and unit in ("minute", "second")):
            return _count(round(seconds / size), unit)
    return _count(0, "second")


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def format_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def season_name(season: Season) -> str:
    began = season.began
    if season.kind == MONTHLY:
        return f"{began:%B %Y}"
    return say("season-quarter", n=(began.month + 2) // 3, year=str(began.year))


def link_to(guild: int, channel: int, message: int | None = None) -> str:
    """Return the link to a channel or message."""
    place = f"https://discord.com/channels/{guild or '@me'}/{channel}"
    return f"{place}/{message}" if message else place
