"""Conversion between the referee's values and the contents of columns."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, TypeAlias, TypeVar, get_args, get_origin, get_type_hints, overload

from bot.referee.model.model import DrawOffer
from data.sql.statement import insert

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


def _simplify(value: Any) -> Any:
    """Turn a value that JSON does not know into one that it knows."""
    return astuple(value) if hasattr(value, "__dataclass_fields__") else dict(value)


dump: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=_simplify).encode
parse: Callable[[str], Any] = json.JSONDecoder().decode


# --- values that are carried as JSON ------------------------------------------------------------------------


def dump_draw(draw: DrawOffer) -> str:
    return dump([draw.by, sorted(draw.agreed)])


def parse_draw(text: str) -> DrawOffer:
    by, agreed = parse(text)
    return DrawOffer(by, frozenset(agreed))


class Columns(Generic[T]):
    """The columns that hold the fields of a dataclass, in their order, and the conversion by the types of the fields.

    A column has the name of its field, unless `names` says another one. `only` and `without` choose the fields.
    """

    def __init__(self, kind: type[T], *, only: Sequence[str] = (), without: Sequence[str] = (), **names: str) -> None:
        every = get_type_hints(kind)
        hints = {field: every[field] for field in only or every if field not in without}
        self._kind = kind
        self._fields = tuple(hints)
        self.names = [quote(names.get(field, field)) for field in hints]
        codecs = [_choose_codec(hint) for hint in hints.values()]
        self._encoders = [(place, encode) for place, (encode, _) in enumerate(codecs) if encode is not None]
        self._decoders = [(place, decode) for place, (_, decode) in enumerate(codecs) if decode is not None]
        self.values_of = attrgetter(*hints)
        """Returns the fields of a value as they are."""

    def __str__(self) -> str:
        return ", ".join(self.names)

    def select(self, **expressions: str) -> str:
        """List what a query reads. `expressions` are the true values of fields that are stored in another way."""
        return ", ".join(expressions.get(field, name) for field, name in zip(self._fields, self.names, strict=True))

    def insert(self, table: str) -> str:
        return insert(table, str(self))

    def upsert(self, table: str, *key: str) -> str:
        """Build an insert that replaces the row with the same key."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in self.names if name not in key)
        return f"{self.insert(table)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed}"

    def assignments(self) -> str:
        """Build the assignments of an update."""
        return ", ".join(f"{name} = ?" for name in self.names)

    def read(self, *row: Any) -> T:
        return self._kind(*self._decode(row))

    def read_keyed(self, key: Any, *row: Any) -> tuple[Any, T]:
        """Read a value after the column of its key."""
        return key, self._kind(*self._decode(row))

    def read_fields(self, row: Sequence[Any]) -> dict[str, Any]:
        """Read the fields of a value that has others besides."""
        return dict(zip(self._fields, self._decode(row), strict=True))

    def write(self, value: T) -> tuple[Any, ...]:
        values = [*self.values_of(value)]
        for place, encode in self._encoders:
            values[place] = encode(values[place])
        return tuple(values)

    def _decode(self, row: Sequence[Any]) -> list[Any]:
        values = [*row]
        for place, decode in self._decoders:
            values[place] = decode(values[place])
        return values


def quote(name: str) -> str:
    """Quote a column whose name is a word of PostgreSQL's language."""
    return f'"{name}"' if name in ("user", "only") else name


Codec: TypeAlias = tuple[Callable[[Any], Any] | None, Callable[[Any], Any] | None]
"""How a value is stored and read again; None for a value that stays as it is."""

JSON: Codec = dump, parse

CODECS: dict[Any, Codec] = {
    Any: JSON,
    bool: (None, bool),
    datetime: (to_micros, read_time),
    date: (day_number, read_day),
    DrawOffer: (dump_draw, parse_draw),
}


def _choose_codec(hint: Any) -> Codec:
    if NoneType in get_args(hint):
        [inner] = set(get_args(hint)) - {NoneType}
        encode, decode = _choose_codec(inner)
        return encode and _keep_none(encode), decode and _keep_none(decode)
    if hint in CODECS:
        return CODECS[hint]
    origin = get_origin(hint)
    if origin is Mapping:
        return JSON
    if origin is tuple:
        return dump, _parse_items(get_args(hint)[0])
    return None, hint if issubclass(hint, Enum) else None


def _keep_none(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else convert(value)


def _parse_items(kind: Any) -> Callable[[str], tuple[Any, ...]]:
    """Choose how a list of such items is parsed. A value of several fields is stored as the list of them."""
    if hasattr(kind, "__match_args__"):  # of a dataclass or a named tuple
        return lambda text: tuple(kind(*values) for values in parse(text))
    return lambda text: tuple(parse(text))


def remove_nul(text: str) -> str:
    """Remove NUL characters, which PostgreSQL accepts in no text."""
    return text.replace("\0", "") if "\0" in text else text
