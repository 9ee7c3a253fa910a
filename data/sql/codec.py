"""Between the referee's values and what a column holds."""

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, overload

from bot.referee.model.model import DrawOffer, RatingChange, Setup

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@overload
def micros(at: datetime) -> int: ...
@overload
def micros(at: datetime | None) -> int | None: ...
def micros(at: datetime | None) -> int | None:
    """An aware time as whole microseconds since 1970."""
    return None if at is None else (at - EPOCH) // MICROSECOND


def time(at: int) -> datetime:
    """Microseconds since 1970 as an aware time."""
    return EPOCH + timedelta(microseconds=at)


def time_or_none(at: int | None) -> datetime | None:
    return None if at is None else EPOCH + timedelta(microseconds=at)


_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
_decode = json.JSONDecoder().decode


def dump(value: Any) -> str:
    return _encode(value)


def dump_or_none(value: Any) -> str | None:
    return None if value is None else _encode(value)


def parse(text: str) -> Any:
    return _decode(text)


def parse_or_none(text: str | None) -> Any:
    return None if text is None else _decode(text)


@lru_cache(4096)
def numbers(text: str) -> tuple[int, ...]:
    """Remembered, as are words: lists of matches hold the same few again and again."""
    return tuple(_decode(text))


@lru_cache(4096)
def words(text: str) -> tuple[str, ...]:
    return tuple(_decode(text))


# --- values that are carried as JSON ------------------------------------------------------------------------


def dump_draw(draw: DrawOffer | None) -> str | None:
    return None if draw is None else _encode([draw.by, sorted(draw.agreed)])


def parse_draw(text: str | None) -> DrawOffer | None:
    if text is None:
        return None
    by, agreed = _decode(text)
    return DrawOffer(by, frozenset(agreed))


def dump_changes(changes: tuple[RatingChange, ...]) -> str:
    return _encode([[one.seat, one.before, one.after, one.played, one.nth] for one in changes])


def parse_changes(text: str) -> tuple[RatingChange, ...]:
    return tuple(RatingChange(*one) for one in _decode(text))


def setup_columns(setup: Setup) -> tuple[Any, ...]:
    """What was agreed, as the columns game, options, seats, series, clock, rated, place."""
    options, series = dump(dict(setup.options)), dump(dict(setup.series))
    return (setup.game, options, setup.seats, series, setup.clock, setup.rated, setup.place)


def read_setup(game: str, options: str, seats: int, series: str, clock: int, rated: int, place: str) -> Setup:
    return Setup(game, parse(options), seats, parse(series), clock, bool(rated), place)


def without_nul(text: str) -> str:
    """PostgreSQL takes no NUL in a text, and nobody can see one."""
    return text.replace("\0", "") if "\0" in text else text
