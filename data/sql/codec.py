"""Conversion between the referee's values and the contents of columns."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar, get_args, get_origin, get_type_hints, overload

from bot.referee.model.model import DrawOffer, RatingChange, Setup

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@overload
def to_micros(at: datetime) -> int: ...
@overload
def to_micros(at: datetime | None) -> int | None: ...
def to_micros(at: datetime | None) -> int | None:
    """Convert an aware time to microseconds since 1970."""
    return None if at is None else (at - EPOCH) // MICROSECOND


def read_time(at: int) -> datetime:
    """Convert microseconds since 1970 to an aware time."""
    return EPOCH + timedelta(microseconds=at)


def read_time_or_none(at: int | None) -> datetime | None:
    return None if at is None else EPOCH + timedelta(microseconds=at)


def day_number(day: date) -> int:
    """Convert a date to days since 1970."""
    return (day - EPOCH.date()).days


def read_day(number: int) -> date:
    return EPOCH.date() + timedelta(days=number)


dump: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
parse: Callable[[str], Any] = json.JSONDecoder().decode


def dump_or_none(value: Any) -> str | None:
    return None if value is None else dump(value)


def parse_or_none(text: str | None) -> Any:
    return None if text is None else parse(text)


@lru_cache(4096)
def parse_numbers(text: str) -> tuple[int, ...]:
    """Parse a JSON list. It is cached, because lists of matches repeat the same few."""
    return tuple(parse(text))


@lru_cache(4096)
def parse_words(text: str) -> tuple[str, ...]:
    return tuple(parse(text))


# --- values that are carried as JSON ------------------------------------------------------------------------


def dump_draw(draw: DrawOffer | None) -> str | None:
    return None if draw is None else dump([draw.by, sorted(draw.agreed)])


def parse_draw(text: str | None) -> DrawOffer | None:
    if text is None:
        return None
    by, agreed = parse(text)
    return DrawOffer(by, frozenset(agreed))


def dump_changes(changes: tuple[RatingChange, ...]) -> str:
    return dump([[change.seat, change.before, change.after, change.played, change.nth] for change in changes])


def parse_changes(text: str) -> tuple[RatingChange, ...]:
    return tuple(RatingChange(*change) for change in parse(text))


def setup_columns(setup: Setup) -> tuple[Any, ...]:
    """Convert a setup to the columns game, options, seats, series, clock, rated, place."""
    options, series = dump(dict(setup.options)), dump(dict(setup.series))
    return (setup.game, options, setup.seats, series, setup.clock, setup.rated, setup.place)


def read_setup(game: str, options: str, seats: int, series: str, clock: int, rated: int, place: str) -> Setup:
    return Setup(game, parse(options), seats, parse(series), clock, bool(rated), place)


class Columns(Generic[T]):
    """The columns that hold the fields of a dataclass, in their order, and the conversion by the types of the fields.

    A column has the name of its field, unless `names` says another one.
    """

    def __init__(self, kind: type[T], **names: str) -> None:
        hints = get_type_hints(kind)
        self._kind = kind
        self.names = [quote(names.get(field, field)) for field in hints]
        codecs = [_choose_codec(hint) for hint in hints.values()]
        self._encoders = [encode for encode, _ in codecs]
        self._decoders = [decode for _, decode in codecs]
        self._fields = attrgetter(*hints)

    def __str__(self) -> str:
        return ", ".join(self.names)

    def insert(self, table: str) -> str:
        return f"INSERT INTO {table} ({self}) VALUES ({', '.join('?' * len(self.names))})"

    def upsert(self, table: str, *key: str) -> str:
        """Build an insert that replaces the row with the same key."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in self.names if name not in key)
        return f"{self.insert(table)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed}"

    def read(self, *row: Any) -> T:
        return self._kind(*(decode(value) for decode, value in zip(self._decoders, row, strict=True)))

    def write(self, value: T) -> tuple[Any, ...]:
        return tuple(encode(field) for encode, field in zip(self._encoders, self._fields(value), strict=True))


def quote(name: str) -> str:
    """Quote a column whose name is a word of PostgreSQL's language."""
    return f'"{name}"' if name in ("user", "only") else name


Codec: TypeAlias = tuple[Callable[[Any], Any], Callable[[Any], Any]]


def _identity(value: Any) -> Any:
    return value


def _choose_codec(hint: Any) -> Codec:
    """Choose how values of a type are stored, and read again."""
    if hint is bool:
        return _identity, bool
    if hint is datetime:
        return to_micros, read_time
    if hint == datetime | None:
        return to_micros, read_time_or_none
    if hint is date:
        return day_number, read_day
    if get_origin(hint) is not tuple:
        return _identity, _identity
    item = get_args(hint)[0]
    return (dump, parse_numbers) if item is int else (dump, lambda text: tuple(item(*values) for values in parse(text)))


def remove_nul(text: str) -> str:
    """Remove NUL characters, which PostgreSQL accepts in no text."""
    return text.replace("\0", "") if "\0" in text else text
