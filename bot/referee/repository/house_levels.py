"""The level of a house seat, read from the name of the seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

from bot.engine.rules import Rules
from bot.engine.view import observe
from bot.referee.model.model import HOUSE, Seated, StoredMatch
from bot.solver.exact.goal import TO_WIN
from bot.solver.players import basis
from bot.solver.players.levels import LEVELS, SLY, Level, find_level
from bot.solver.players.reader import can_read

_MARK = " (house)"

_RANDOM, _MATCHER, _READER = (level for level in LEVELS if level.key in ("random", "matcher", "reader"))
_THINKING = ("reader", "hawk", "sage")
"""levels that answer what the others are expected to bid"""


def seated(level: Level) -> Seated:
    """Return a seat of this level."""
    return Seated(HOUSE, f"{level.name}{_MARK}")


def find_levels(keys: Sequence[str]) -> list[Level]:
    """Return the levels with these keys. A removed level plays on as Sly."""
    return [find_level(key) or SLY for key in keys]


def list_house(stored: StoredMatch) -> tuple[str, ...]:
    """Return the keys of the levels of a match's house seats, in seat order."""
    return tuple(level.key for one in stored.seats if (level := level_of(one)) is not None)


def table_levels(level: Level, rules: Rules, seats: int) -> list[Level]:
    """Return the levels of so many house seats at one table, `level` first.

    Seats that play alike cancel each other: they tie, and a simple habit wins what they tie for. So other levels sit
    beside it: first a steady one beside a thinking level, a Reader beside a steady one. A level that plays this game as
    another one counts as that one. Random fills the rest.
    """
    if seats < 2:
        return [level][:seats]
    beside = (SLY, _READER, _MATCHER) if level.key in _THINKING else (_READER, SLY, _MATCHER)
    first = find_play(level, rules)
    others = [one for one in beside if one.key == find_play(one, rules) != first]
    if len(others) < min(seats - 1, 2):
        others.append(_RANDOM)
    return list(islice(cycle([level, *others]), seats))


def find_play(level: Level, rules: Rules) -> str:
    """Return the key of the level whose play this one uses in this game."""
    seen = observe(rules.start(rules.deal(rules.pack())), 0)
    if level.basis is not None:
        how = level.basis(rules, seen, TO_WIN)
        return how if how in (basis.READER, basis.SLY) else level.key
    return basis.SLY if level is _READER and not can_read(rules, seen) else level.key


def level_of(one: Seated) -> Level | None:
    """Return the level of a house seat; None for a person. A removed level plays on as Sly."""
    if one.user != HOUSE:
        return None
    name = one.name.removesuffix(_MARK)
    return next((level for level in LEVELS if level.name == name), SLY)
