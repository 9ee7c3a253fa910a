"""Sentences with a singular and a plural form."""

from __future__ import annotations

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
        return (self.one if data[self.by] == 1 else self.many).format(**data)


Sentence: TypeAlias = str | Counted


def forms(sentence: Sentence) -> tuple[str, ...]:
    """Return every form of a sentence."""
    return (sentence.one, sentence.many) if isinstance(sentence, Counted) else (sentence,)
