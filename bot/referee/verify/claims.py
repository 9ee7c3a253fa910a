"""Digits and ids that people noted from their screen, to compare with a record."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINK = re.compile(r"(?:.*/)?([0-9]{1,20})/?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Claims:
    """First digits of the record's seal and of the opening, and the id of the message that showed it."""

    record: str = ""
    opening: str = ""
    message: str = ""


NOTHING = Claims()


def read_digits(text: str) -> str:
    """Read copied hex digits, in any case, with blanks. Raise ValueError."""
    found = "".join(text.split()).lower()
    if not re.fullmatch("[0-9a-f]{16,64}", found, re.ASCII):
        raise ValueError("at least 16 hex digits are needed, and 64 at the most")
    return found


def read_message(text: str) -> str:
    """Read a message's id, or a link to it. Raise ValueError."""
    found = _LINK.match(text.strip())
    if found is None:
        raise ValueError("a message is named by its id or by a link to it")
    return found[1].lstrip("0") or "0"
