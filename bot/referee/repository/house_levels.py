"""Which level of the house sits in a seat, read off the name that the seat has."""

from __future__ import annotations

from itertools import cycle, islice

from bot.referee.model.model import HOUSE, Seated
from bot.solver.players.levels import LEVELS, SLY, Level, find_level

__all__ = ["LEVELS", "SLY", "Level", "find_level", "level_of", "seated", "table_levels"]

_MARK = " (house)"

_MATCHER, _READER = (level for level in LEVELS if level.key in ("matcher", "reader"))
_THINKING = ("reader", "hawk", "sage")
"""levels that answer what the others are expected to bid"""


def seated(level: Level) -> Seated:
    """A seat of this level."""
    return Seated(HOUSE, f"{level.name}{_MARK}")


def table_levels(level: Level, seats: int) -> list[Level]:
    """Return the levels of the house seats of one table, with `level` in the first.

    Seats that play alike cancel each other: they tie, and a person with a simple habit takes what they tie for. So
    others sit beside it, first a steady one beside a level that thinks, and a Reader beside a steady one.
    """
    beside = (SLY, _READER, _MATCHER) if level.key in _THINKING else (_READER, SLY, _MATCHER)
    return list(islice(cycle([level, *(one for one in beside if one is not level)]), seats))


def level_of(one: Seated) -> Level | None:
    """How a house seat plays; None for a person. A level that is no more plays on as Sly."""
    if one.user != HOUSE:
        return None
    name = one.name.removesuffix(_MARK)
    return next((level for level in LEVELS if level.name == name), SLY)
