"""Who plays, and where."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.refusals import RuleError
from bot.engine.variants import find_game
from bot.referee.model.model import Setup, Snowflake, UserId


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a server."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played."""

    guild: Snowflake
    channel: Snowflake


def is_playable(setup: Setup, seats: int) -> bool:
    """Whether what was agreed can be played by so many."""
    try:
        find_game(setup.game).rules(seats, setup.options)
    except RuleError:
        return False
    return True


def fewest_seats(setup: Setup, taken: int = 0) -> int:
    """The fewest who can play what was agreed, from those who sit there already up to a full table."""
    counts = range(max(taken, find_game(setup.game).seats[0]), setup.seats)
    return next((seats for seats in counts if is_playable(setup, seats)), setup.seats)
