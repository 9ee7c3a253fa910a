"""Writes and reads as data that a database executes.

The SQL is what SQLite and PostgreSQL both take. `?` stands for a parameter and for nothing else. The columns "user" and
"only" are quoted, because PostgreSQL reserves these words. Flags are the numbers 0 and 1.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from bot.engine.fast_values import value_type

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
K = TypeVar("K")


@value_type
class Statement:
    """One SQL statement of a write. Its parameters can be secret and stay out of the repr."""

    sql: str
    params: tuple[Any, ...] = field(default=(), repr=False)
    rows: int | None = None
    """Number of rows that it must change or find; None for any number."""
    failure: str = ""
    """Message of the `Conflict` for another number of rows; never a card or a token."""
    gives_id: bool = False
    """True if it returns an id for the caller of `write`."""


@dataclass(frozen=True, slots=True)
class Query(Generic[T_co]):
    """One query. `value` is called with the columns of each row."""

    sql: str
    params: tuple[Any, ...] = field(repr=False)
    value: Callable[..., T_co] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Read(Generic[T_co]):
    """Queries on one snapshot of the database. `combine` is called with a list of values for each query."""

    queries: tuple[Query[Any], ...]
    combine: Callable[..., T_co] = field(repr=False)


def all_rows(sql: str, params: tuple[Any, ...], value: Callable[..., T]) -> Read[list[T]]:
    """Read a value for each row."""

    def combine(values: list[T]) -> list[T]:
        return values

    return Read((Query(sql, params, value),), combine)


def first_row_or(sql: str, params: tuple[Any, ...], value: Callable[..., T], otherwise: T) -> Read[T]:
    """Read the value of the first row, or return `otherwise` if there is none."""

    def combine(values: list[T]) -> T:
        return values[0] if values else otherwise

    return Read((Query(sql, params, value),), combine)


def first_row(sql: str, params: tuple[Any, ...], value: Callable[..., T]) -> Read[T | None]:
    """Read the value of the first row, or None if there is none."""
    return first_row_or(sql, params, cast("Callable[..., T | None]", value), None)


def one_row(sql: str, params: tuple[Any, ...], value: Callable[..., T]) -> Read[T]:
    """Read the value of a query that always finds one row."""

    def combine(values: list[T]) -> T:
        [value] = values
        return value

    return Read((Query(sql, params, value),), combine)


def group(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Group values by key, in their order."""
    groups: dict[K, list[T]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def read_row(*row: Any) -> tuple[Any, ...]:
    """Read a row as it is."""
    return row


def marks(count: int) -> str:
    """Build the marks of so many parameters."""
    return ", ".join("?" * count)


def insert(table: str, columns: str) -> str:
    """Build an insert of one row."""
    return f"INSERT INTO {table} ({columns}) VALUES ({marks(columns.count(',') + 1)})"


def upsert(table: str, key: str, columns: str, stored: Mapping[str, str] | None = None) -> str:
    """Build an upsert. `stored` holds the expressions of columns that are not written by a plain `?`."""
    names = f"{key}, {columns}"
    marks = ", ".join((stored or {}).get(name, "?") for name in names.split(", "))
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns.replace(",", " ").split())
    return f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {changed}"
