"""Prompts for a seat, and the choices that answer them."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.engine.cards import Card, Seat


class Bid(NamedTuple):
    """A sealed commitment: the cards, weakest first."""

    cards: tuple[Card, ...]


class Pick(NamedTuple):
    """An open choice of one exposed prize."""

    prize: Card


Choice: TypeAlias = Bid | Pick
Choices: TypeAlias = Mapping[Seat, Choice]


class Kind(Enum):
    """The kinds of choices (rules.md 6)."""

    COMMIT = "commit"
    PICK = "pick"


class Prompt(NamedTuple):
    """The question to one seat: choose `size` of `options`. Equal options are listed as often as they are held."""

    seat: Seat
    kind: Kind
    options: tuple[Card, ...]
    size: int = 1

    @property
    def is_forced(self) -> bool:
        """True if only one answer is possible (RULING C3, and O6 for picks)."""
        return len(self.options) <= self.size or len(set(self.options)) == 1

    def lowest(self) -> Choice:
        """Return the lowest cards: the bid of a missed deadline (RULING C4), and the one answer of a forced prompt.

        Bids are listed weakest first and picks best first (RULING O6), so it is always the first option.
        """
        if self.kind is Kind.PICK:
            return Pick(self.options[0])
        return Bid(self.options[: self.size])
