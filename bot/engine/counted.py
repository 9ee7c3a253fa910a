"""Sentences that count: how they read for one, and for any other number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Counted:
    """A sentence in two numbers, each of them whole, so that it can be translated: 1 card is, 0 or 2 cards are."""

    one: str
    many: str
    by: str = "n"
    """the gap whose number chooses"""

    def format(self, **data: object) -> str:
        return (self.one if data[self.by] == 1 else self.many).format(**data)


Sentence: TypeAlias = str | Counted


def forms(sentence: Sentence) -> tuple[str, ...]:
    """Every way in which a sentence can read."""
    return (sentence.one, sentence.many) if isinstance(sentence, Counted) else (sentence,)
