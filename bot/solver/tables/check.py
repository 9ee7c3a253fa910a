"""Checking a table beyond its hashes: what it says of a position must follow from what it says of the layer below."""

import random
from dataclasses import dataclass

from bot.solver.exact.position import Position
from bot.solver.exact.solve import answer_position, solve_position
from bot.solver.tables.table import ValueTable

ON_DEMAND = 9
"""Positions of so many cards are solved in about a second."""


@dataclass(frozen=True)
class LayerCheck:
    """One layer: how many of its positions were worked out again, and how far off the worst was."""

    cards: int
    checked: int
    worst: float
    allowed: float

    @property
    def fine(self) -> bool:
        return self.worst <= self.allowed


def recheck_table(table: ValueTable, samples: int, seed: int = 1, deep: bool = False) -> list[LayerCheck]:
    """Work out positions of every layer again: from the layer below, the lowest from nothing if that is quick."""
    dice = random.Random(seed)
    errors = {section.cards: section.error for section in table.head.layers}
    found: list[LayerCheck] = []
    for cards, error in errors.items():
        below = errors.get(cards - 1)
        if below is None and cards > ON_DEMAND and not deep:
            found.append(LayerCheck(cards, 0, 0.0, 0.0))
            continue
        count = samples if below is not None else 2
        worst = max(
            _measure_error(table, _sample_position(table, cards, dice), below is not None) for _ in range(count)
        )
        found.append(LayerCheck(cards, count, worst, error + (below or 0.0) + 1e-9))
    return found


def _measure_error(table: ValueTable, position: Position, from_below: bool) -> float:
    """How far the table is off for one position."""
    stored = table.value(position)
    assert stored is not None
    if not from_below:
        again = solve_position(position).value(position)
        assert again is not None
        return abs(stored - again)
    total = 0.0
    for prize in position.prizes:
        solved = answer_position(table, position.turned(prize))
        assert solved is not None
        total += solved.value
    return abs(stored - total / len(position.prizes))


def _sample_position(table: ValueTable, cards: int, dice: random.Random) -> Position:
    """A position of one layer that can arise."""
    whole = range(1, table.head.cards + 1)
    while True:
        mine, theirs, prizes = (tuple(sorted(dice.sample(whole, cards))) for _ in range(3))
        gone = [prize for prize in whole if prize not in prizes]
        ties = dice.randint(0, len(gone)) if table.head.ties == "carry" else 0
        position = Position(mine, theirs, prizes, ties=table.head.ties, pot=sum(dice.sample(gone, ties)))
        if table.value(position) is not None:
            return position
