"""Which level of the house sits in a seat, read off the name that the seat has."""

from __future__ import annotations

from bot.referee.ports.model import HOUSE, Seated
from bot.solver.levels import LEVELS, SLY, Level, find_level

__all__ = ["LEVELS", "SLY", "Level", "find_level", "level_of", "seated"]

_MARK = " (house)"


def seated(level: Level) -> Seated:
    """A seat of this level."""
    return Seated(HOUSE, f"{level.name}{_MARK}")


def level_of(one: Seated) -> Level | None:
    """How a house seat plays; None for a person. A level that is no more plays on as Sly."""
    if one.user != HOUSE:
        return None
    name = one.name.removesuffix(_MARK)
    return next((level for level in LEVELS if level.name == name), SLY)
