"""Common parts of custom ids: `g1:verb:match[:prompt[:choice]]`. The modules beside this one write and read them.

Custom ids are the only state that a message holds. Handlers check all of it against the store again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Generic, TypeGuard, TypeVarTuple

PREFIX = "g1"
Parts = Sequence[str]
"""parts of an id behind its verb"""

MAX_LENGTH = 100
MAX_NUMBER = 2**63 - 1
"""the largest number that the store can hold"""

MAX_DIGITS = len(str(MAX_NUMBER))

# --- patterns of parts -------------------------------------

MATCH = "[2-9A-HJ-NP-Z]{4,13}"
NUMBER = "(?:0|[1-9][0-9]{0,8})"
USER = "[1-9][0-9]{0,18}"
KEY = "[a-z][a-z0-9-]{0,30}"
YES_NO = "[yn]"

_ID = re.compile(rf"{PREFIX}:([a-z]{{2}}):(.+)")
_MATCH = re.compile(MATCH)


def read_id(text: object) -> tuple[str, str] | None:
    """Return the verb of an id and the rest, or None if the text is no custom id of this bot."""
    matched = _ID.fullmatch(text) if is_plain(text) else None
    if matched is None:
        return None
    verb, rest = matched.groups()
    if len(rest) >= MAX_DIGITS and any(part.isdecimal() and int(part) > MAX_NUMBER for part in rest.split(":")):
        return None
    return verb, rest


_MATCH_PARTS: dict[str, int] = {}
"""Which part of ids with a verb is a match. Other parts may look like one, as the number of a puzzle does."""

CODE = re.compile(rf"#({MATCH})\b")
"""a match in a text"""


def find_match(custom_id: str) -> str:
    """Return the match of an id, or an empty string if the id names none."""
    verb, rest = read_id(custom_id) or ("", "")
    place, parts = _MATCH_PARTS.get(verb, MAX_LENGTH), rest.split(":")
    return parts[place] if place < len(parts) and _MATCH.fullmatch(parts[place]) else ""


def is_plain(text: object) -> TypeGuard[str]:
    """Return True if a text can be a custom id, or the value of a menu option, of this bot."""
    return isinstance(text, str) and len(text) <= MAX_LENGTH and text.isascii() and text.isprintable()


def read_user(text: str) -> int | None:
    """Return the user of a menu option, or None if the text is no user id."""
    return int(text) if re.fullmatch(USER, text) and int(text) <= MAX_NUMBER else None


def read_first_part(parts: Parts) -> str:
    return parts[0]


def read_last_part(parts: Parts) -> str:
    return parts[-1]


PartTypes = TypeVarTuple("PartTypes")


class IdKind(Generic[*PartTypes]):
    """Kind of custom id: its verb, and the pattern of each part. The router passes only ids that match the patterns.

    The type arguments are the types of the parts: `int` for NUMBER and USER, `bool` for YES_NO, else `str`.
    """

    def __init__(self, verb: str, *patterns: str) -> None:
        self.verb = verb
        self.patterns = patterns
        self.shape = ":".join(patterns)
        if MATCH in patterns:
            _MATCH_PARTS[verb] = patterns.index(MATCH)

    def write(self, *values: *PartTypes) -> str:
        """Return an id. None stands for a part that is left out."""
        parts = [part if isinstance(part, str) else _write_part(part) for part in values if part is not None]
        return ":".join([PREFIX, self.verb, *parts])

    def read(self, parts: Parts) -> tuple[*PartTypes]:
        read: Any = tuple(map(_read_part, self.patterns, parts))
        return read


AnyId = IdKind[*tuple[Any, ...]]
"""kind of id with parts of any types, some of which may be missing"""


def _write_part(value: object) -> str:
    return ("y" if value else "n") if isinstance(value, bool) else str(value)


def _read_part(pattern: str, part: str) -> str | int | bool:
    if pattern == YES_NO:
        return part == "y"
    return int(part) if pattern in (NUMBER, USER) else part
