"""Small words for what travels: JSON objects, ids as text, times as text."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeAlias, cast

Json: TypeAlias = dict[str, Any]
"""A JSON object. Its values are checked where they are used, by `rules` and the API description."""

MOST_ID = 2**64 - 1


def stamp(moment: datetime | None) -> str | None:
    """A time as Discord writes it."""
    return None if moment is None else moment.isoformat(timespec="microseconds")


def texts(ids: Iterable[int]) -> list[str]:
    return [str(one) for one in ids]


def as_id(value: object) -> int | None:
    """A snowflake from JSON, where text and numbers are both accepted; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 <= value <= MOST_ID else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MOST_ID)):
        return as_id(int(value))
    return None


def as_object(value: object) -> Json | None:
    """A JSON object, or None for anything else."""
    return cast(Json, value) if isinstance(value, dict) else None


def objects(value: object) -> list[Json]:
    """The objects of a JSON list; nothing, for anything else."""
    return [one for each in items(value) if (one := as_object(each)) is not None]


def items(value: object) -> list[Any]:
    """A JSON list; nothing, for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []
