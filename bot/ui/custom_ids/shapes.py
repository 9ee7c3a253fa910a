"""Custom ids: `g1:verb:match[:prompt[:choice]]`. What all of them share; each feature has its own in its `ids`, where
they are written and read.

The only state that a message carries; everything in it is checked again against the store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

PREFIX = "g1"
Parts = Sequence[str]
"""of an id, after its verb"""

MAX_LENGTH = 100
MAX_NUMBER = 2**63 - 1
"""no number of ours is larger, nor one that the store could keep"""

# --- what the parts look like; together they are the shape of a verb's ids -------------------------------------

MATCH = "[2-9A-HJ-NP-Z]{4,13}"
NUMBER = "(?:0|[1-9][0-9]{0,8})"
USER = "[1-9][0-9]{0,18}"
KEY = "[a-z][a-z0-9-]{0,30}"
YES_NO = "[yn]"

_ID = re.compile(rf"{PREFIX}:(?P<verb>[a-z]{{2}}):(?P<rest>.+)")


def read_id(text: object) -> tuple[str, str] | None:
    """The verb of an id and what follows; None for anything that was not written here."""
    found = _ID.fullmatch(text) if is_plain(text) else None
    if found is None or any(part.isdecimal() and int(part) > MAX_NUMBER for part in found["rest"].split(":")):
        return None
    return found["verb"], found["rest"]


CODE = re.compile(rf"#({MATCH})\b")
"""a match as texts name it"""


def find_match(custom_id: str) -> str:
    """The match that an id of ours is about; nothing where it is about none."""
    found = read_id(custom_id)
    first = "" if found is None else found[1].split(":")[0]
    return first if re.fullmatch(MATCH, first) else ""


def is_plain(text: object) -> TypeGuard[str]:
    """Whether a text could be an id, or the value of an option, of ours."""
    return isinstance(text, str) and len(text) <= MAX_LENGTH and text.isascii() and text.isprintable()


def read_user(text: str) -> int | None:
    """A person as an option of a menu carries them."""
    return int(text) if re.fullmatch(USER, text) and int(text) <= MAX_NUMBER else None


@dataclass(frozen=True, slots=True)
class IdKind:
    """One kind of id: its verb, and the shape of what follows. What is read was found to have that shape."""

    verb: str
    shape: str

    def write(self, *parts: object) -> str:
        return ":".join([PREFIX, self.verb, *map(str, parts)])
