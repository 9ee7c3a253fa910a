"""The rules of a game in plain words, and how each option changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine.counted import Sentence


@dataclass(frozen=True, slots=True)
class Guide:
    """The rules in plain words, in the five parts that the help shows."""

    line: str
    round: str
    ties: str
    winning: str
    example: str

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        return (
            ("In one line", self.line),
            ("A round", self.round),
            ("Ties", self.ties),
            ("Winning", self.winning),
            ("An example", self.example),
        )


@dataclass(frozen=True, slots=True)
class Note:
    """What an option changes, in plain words, and in which part of the rules."""

    option: str
    value: object
    """The value described; None means any value but the default, which `{n}` in the text stands for."""
    part: str
    """round, ties or winning"""
    text: Sentence
    instead: bool = False
    """True if the text replaces the whole part."""
    swaps: tuple[tuple[str, Sentence], ...] = ()
    """Words of the whole text and their replacements, so that nothing contradicts the note."""
    where: tuple[str, tuple[object, ...]] | None = None
    """another option, and its values for which this note is true"""


@dataclass(frozen=True, slots=True)
class Tip:
    """Advice that is true for some options or numbers of seats only."""

    text: str
    where: Mapping[str, tuple[object, ...]] = field(default_factory=dict[str, tuple[object, ...]])
    """the values of each option for which the tip is true"""
    seats: tuple[int, ...] = ()
    """the numbers of seats for which the tip is true; empty for any number"""

    def applies(self, options: Mapping[str, Any], seats: int) -> bool:
        """Return True if the tip is valid for these options and this number of seats."""
        return seats in (self.seats or (seats,)) and all(options[key] in given for key, given in self.where.items())
