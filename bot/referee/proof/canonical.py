"""Canonical JSON: every value has one form, so that a hash binds it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

LIMIT = 2**53
"""Whole numbers stay below it, either side of zero: every JSON reader knows those exactly."""


class Uncanonical(ValueError):
    """A value that the proof cannot cover; the text says which."""


class Odd:
    """A parsed number that is not a plain whole number: 1.0, 1e2, -0, NaN, too large."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text[:20]


class Twice(dict[str, Any]):
    """A parsed object with a repeated key."""


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value: no blanks, ASCII, sorted keys."""
    _check(value, 0)
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def is_same(one: object, other: object) -> bool:
    """Return True if two values have the same canonical form; true is not 1."""
    try:
        return canonical(one) == canonical(other)
    except Uncanonical:
        return False


def _check(value: object, depth: int) -> None:
    if depth > 20:
        raise Uncanonical("something nested too deeply")
    if isinstance(value, str):
        if not all(" " <= letter <= "~" for letter in value):
            raise Uncanonical("a character that is not printable ASCII")
    elif isinstance(value, Twice):
        raise Uncanonical("a key that stands twice")
    elif isinstance(value, Mapping):
        for key, one in cast("Mapping[object, object]", value).items():
            if not isinstance(key, str):
                raise Uncanonical("a key that is no text")
            _check(key, depth)
            _check(one, depth + 1)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[object]", value):
            _check(one, depth + 1)
    elif isinstance(value, int):  # true and false are ints, and fine
        if not -LIMIT < value < LIMIT:
            raise Uncanonical("a number of more than 53 bits")
    elif value is not None:
        raise Uncanonical("a number that is not a plain whole one")


def parse(text: str) -> object:
    """Parse JSON, keeping values that the proof cannot cover, so that they are refused only where they matter.

    Raise ValueError for invalid JSON.
    """
    return json.loads(text, parse_float=Odd, parse_constant=Odd, parse_int=_read_whole, object_pairs_hook=_read_object)


def _read_whole(text: str) -> int | Odd:
    return Odd(text) if text == "-0" or len(text) > 20 else int(text)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Twice(found)
