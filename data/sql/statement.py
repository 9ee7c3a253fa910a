"""What is written and what is asked, as data that a database carries out.

The SQL is what SQLite and PostgreSQL both take, so that another database needs a room like `data.sqlite` and nothing
here. `?` stands for a parameter and for nothing else; "user" and "only" are quoted, for elsewhere they are words of the
language; flags are the numbers 0 and 1.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from bot.engine.fast_values import value_type

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
K = TypeVar("K")


@value_type
class Statement:
    """One step of a write, with its parameters, which may be secret and stay out of the repr."""

    sql: str
    params: tuple[Any, ...] = field(default=(), repr=False)
    rows: int | None = None
    """how many rows it must change or find; None for any number"""
    failure: str = ""
    """what was wrong if it does not; never a card or a token"""
    gives_id: bool = False
    """whether what it returns is an id that the writer is told"""


@dataclass(frozen=True, slots=True)
class Query(Generic[T_co]):
    """One question: `value` is called with the columns of each row."""

    sql: str
    params: tuple[Any, ...] = field(repr=False)
    value: Callable[..., T_co] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Read(Generic[T_co]):
    """What some queries find at one moment of the database: `made` is called with a list of values for each."""

    queries: tuple[Query[Any], ...]
    made: Callable[..., T_co] = field(repr=False)


def every(query: Query[T]) -> Read[list[T]]:
    """A value for each row."""

    def made(values: list[T]) -> list[T]:
        return values

    return Read((query,), made)


def first_or(query: Query[T], otherwise: T) -> Read[T]:
    """The value of the first row, or this if there is none."""

    def made(values: list[T]) -> T:
        return values[0] if values else otherwise

    return Read((query,), made)


def first(query: Query[T]) -> Read[T | None]:
    """The value of the first row, None if there is none."""

    def made(values: list[T]) -> T | None:
        return values[0] if values else None

    return Read((query,), made)


def single(query: Query[T]) -> Read[T]:
    """The value of the one row that there always is."""

    def made(values: list[T]) -> T:
        [value] = values
        return value

    return Read((query,), made)


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Values by their keys, in their order."""
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def upsert(table: str, key: str, columns: str, stored: Mapping[str, str] | None = None) -> str:
    """A row, new or in place of the one with the same key; `stored`: by what columns are written, if not by `?`."""
    names = f"{key}, {columns}"
    marks = ", ".join((stored or {}).get(name, "?") for name in names.split(", "))
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns.replace(",", " ").split())
    return f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {changed}"
