"""A stored value with some of its fields changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def altered(value: T, **how: Any) -> T:
    """What `dataclasses.replace` gives, for values that only take their fields, in two thirds of the time: no others
    are changed as often as those of a bid."""
    kind = type(value)
    places, all_of = _fields(kind)
    held = list(all_of(value))
    for name, new in how.items():
        held[places[name]] = new
    return kind(*held)


@cache
def _fields(kind: type[Any]) -> tuple[Mapping[str, int], Callable[[Any], tuple[Any, ...]]]:
    """Where each stands, and what reads all of them."""
    names = [field.name for field in fields(kind)]
    return {name: place for place, name in enumerate(names)}, attrgetter(*names)
