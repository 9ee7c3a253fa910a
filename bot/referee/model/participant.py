"""Participants: a person, the place of a match, and how many can play a setup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.engine.refusals import RuleError
from bot.engine.variants import find_game
from bot.referee.model.model import Setup, Snowflake, UserId


@dataclass(frozen=True, slots=True)
class Person:
    """A member of a server."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a match."""

    guild: Snowflake
    channel: Snowflake


def has_former_player(users: Iterable[UserId]) -> bool:
    """Return True if one of these players has erased their data: such a match cannot be repeated."""
    return any(user < 0 for user in users)


def is_playable(setup: Setup, seats: int) -> bool:
    """Return True if this many people can play the setup."""
    try:
        find_game(setup.game).rules(seats, setup.options)
    except RuleError:
        return False
    return True


def fewest_seats(setup: Setup, taken: int = 0) -> int:
    """Return the fewest seats that can play the setup, at least `taken`."""
    counts = range(max(taken, find_game(setup.game).seats[0]), setup.seats)
    return next((seats for seats in counts if is_playable(setup, seats)), setup.seats)
