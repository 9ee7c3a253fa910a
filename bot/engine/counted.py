"""Sentences with a singular and a plural form, and ordinal numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Counted:
    """A sentence in singular and plural. Each form is a whole sentence, so that it can be translated."""

    one: str
    many: str
    by: str = "n"
    """The placeholder that selects the form by its number."""

    def format(self, **data: object) -> str:
        return self.format_map(data)

    def format_map(self, data: Mapping[str, object]) -> str:
        return (self.one if data[self.by] == 1 else self.many).format_map(data)


Sentence: TypeAlias = str | Counted


def forms(sentence: Sentence) -> tuple[str, ...]:
    """Return every form of a sentence."""
    return (sentence.one, sentence.many) if isinstance(sentence, Counted) else (sentence,)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"
