"""The options of a game as data: the command line, Discord and the docs all derive from these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from bot.engine.cards import Card, read_plain
from bot.engine.counted import Sentence
from bot.engine.refusals import BadSetup

Value: TypeAlias = int | str | tuple[Card, ...] | None
"""A validated value of an option; True and False are ints in Python."""

Options: TypeAlias = Mapping[str, Any]
"""Validated values by key; each is a `Value`."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """An option that takes one of a few words; each word with what it means to a player."""

    key: str
    title: str
    values: Mapping[str, str]
    default: str | None
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """each value as a board names it and as people type it, without commas"""

    @property
    def range(self) -> str:
        return "one of " + ", ".join(self.values)

    @property
    def named(self) -> str:
        """The range in the words of the set-up forms."""
        return "one of: " + ", ".join(self.words.get(value, title) for value, title in self.values.items())

    def read(self, value: object) -> str:
        if isinstance(value, str) and value in self.values:
            return value
        raise BadSetup("bad-value", option=self.key, range=self.range, named=self.named)


@dataclass(frozen=True, slots=True)
class Number:
    """An option that takes a whole number; out of range is refused with `refusal`, or by naming the range."""

    key: str
    title: str
    low: int
    high: int
    default: int | None
    refusal: str = ""
    words: Sentence = ""
    """The option as a board names it, with {n} for the number."""
    implies: tuple[str, object] | None = None
    """another option, and its value if only this option is given"""

    @property
    def range(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def read(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise BadSetup("bad-value", option=self.key, range=self.range)
        if not self.low <= value <= self.high:
            id = self.refusal or "bad-value"
            raise BadSetup(id, option=self.key, range=self.range, n=self.high)
        return value


@dataclass(frozen=True, slots=True)
class Switch:
    """An option that is on or off."""

    key: str
    title: str
    default: bool | None = False
    words: str = ""
    """The text of a board if the option is on."""

    range = "true or false"
    named = "yes or no"
    """The range in the words of the set-up forms."""

    def read(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise BadSetup("bad-value", option=self.key, range=self.range, named=self.named)


@dataclass(frozen=True, slots=True)
class CardList:
    """An option that lists plain cards."""

    key: str
    title: str
    default: None = None
    words: str = ""
    """The option as a board names it, with {n} for the cards."""
    implies: tuple[str, object] | None = None

    range = "a list of cards"

    def read(self, value: object) -> tuple[Card, ...]:
        if isinstance(value, list | tuple):
            cards = [read_plain(item) for item in cast("list[object]", value)]
            if None not in cards:
                return tuple(card for card in cards if card is not None)
        raise BadSetup("bad-value", option=self.key, range=self.range)


Option: TypeAlias = OneOf | Number | Switch | CardList


def read_options(game: str, declared: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the value of every declared option, as given or its default. Refuse undeclared options."""
    known = {option.key: option for option in declared}
    for key in given:
        if key not in known:
            if not known:
                raise BadSetup("option-elsewhere", game=game, x=key[:40])
            raise BadSetup("unknown-option", game=game, x=key[:40], list=", ".join(known))
    return {
        option.key: option.read(given[option.key]) if option.key in given else option.default for option in declared
    }
