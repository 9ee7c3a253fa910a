"""Solve whole games and single positions: one solve has the values of all positions reachable from its start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erf, sqrt
from typing import Protocol

import numpy as np

from bot.solver.exact.induction import Layer, LayerWork, Workers, solve_layer
from bot.solver.exact.position import Objective, Position
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.layer_kernel import LayerRules
from bot.solver.kernels.matrix_game import Solution, solve_matrix
from bot.solver.kernels.pot_layout import GROUND, LayoutStart, PotLayout, WordClass, lay_out_values
from bot.solver.kernels.prizes import Turns, list_ordered_turns, list_shuffled_turns
from bot.solver.kernels.words import Ladder, build_ladder, encode_hands, find_canonical


class ValueSource(Protocol):
    """A source of values: a solve or a table."""

    @property
    def is_exact(self) -> bool:
        """Whether its values are exact, not rounded."""
        ...

    def value(self, position: Position) -> float | None:
        """Return the value before the next prize is turned, for the seat with `mine`; None if it is unknown."""
        ...


@dataclass(frozen=True)
class Frame:
    """The states of a solve and the layout of their values; it holds no values."""

    aim: Objective
    prizes: tuple[int, ...]
    ordered: bool
    ladder: Ladder
    turns: tuple[Turns, ...]
    places: tuple[PotLayout, ...]

    @property
    def shift(self) -> float:
        """A number that makes every entry of every game positive when added to it."""
        if self.aim.win:
            return 2.0
        return sum(map(abs, self.prizes)) + 1.0 + (int(abs(self.places[-1].pots).max(initial=0)) if self.places else 0)

    def work(self, below: Floats, cards: int) -> LayerWork:
        """Return the inputs of the layer with this number of cards; `below` are the values of the layer below."""
        layouts = self.layout(cards), self.layout(cards - 1)
        return LayerWork(self.ladder.at(cards), self.turns[cards - 1], self.rules(cards), below, *layouts)

    def rules(self, cards: int) -> LayerRules:
        """Return the rules for the kernels of the layer with this number of cards."""
        return LayerRules(self.aim.carry, self.aim.swap, self.aim.win, cards == 1, self.shift)

    @property
    def lowest(self) -> int:
        """The fewest cards of a layer."""
        return len(self.turns) - len(self.ladder.layers) + 1

    def layout(self, cards: int) -> PotLayout:
        """Return the layout of a layer."""
        return self.places[cards - self.lowest] if cards else GROUND

    def size(self, cards: int) -> tuple[int, int]:
        """Return the number of words of a layer, and the number of values."""
        return len(self.ladder.at(cards).words), self.layout(cards).size

    @property
    def ground(self) -> Floats:
        """The values of the layer without cards."""
        return np.zeros(GROUND.size)

    def find_place(self, position: Position) -> tuple[int, int, int] | float | None:
        """Find the value of a position: (cards of the layer, index in its flat values, sign).

        Return the value itself if the position is decided, None if this frame does not have the position.
        """
        cards = len(position.mine)
        if position.aim != self.aim or position.ordered != self.ordered or cards > len(self.turns):
            return None
        decided = find_decided_value(position)
        if decided is not None:
            return decided
        if cards < self.lowest:
            return None
        word, facing = find_canonical(encode_hands(position.mine, position.theirs))
        words = self.ladder.at(cards).words
        at = int(words.searchsorted(word))
        left = self._find_set(position.prizes)
        if at == len(words) or words[at] != word or left is None:
            return None
        facing = facing or 1
        index = self.layout(cards).find_index(at, left, position.pot, facing * position.lead)
        return None if index is None else (cards, index, 0 if position.is_even else facing)

    def _find_set(self, prizes: Sequence[int]) -> int | None:
        """Return the index of a set of prizes in its layer; None if the layer does not have it."""
        if self.ordered and tuple(prizes) != self.prizes[-len(prizes) :]:
            return None
        bits = 0
        for prize in prizes:
            if prize not in self.prizes:
                return None
            bits |= 1 << self.prizes.index(prize)
        sets = self.turns[len(prizes) - 1].sets
        at = int(sets.searchsorted(bits))
        return at if at < len(sets) and sets[at] == bits else None


def find_decided_value(position: Position) -> float | None:
    """Return the value of a position that is decided; None if bids still matter."""
    if position.aim.win:
        rest = sum(map(abs, position.prizes)) + (abs(position.pot) if position.mine else 0)
        if abs(position.lead) > rest or not position.mine:
            return float((position.lead > 0) - (position.lead < 0))
        return None
    return 0.0 if not position.mine else None


def build_frame(position: Position, lowest: int = 1) -> Frame:
    """Build the frame of all positions reachable from a position, down to `lowest` cards.

    If no prize is up, the position itself is the highest layer; else the highest layer are the positions after the bid.
    """
    aim = position.aim
    if position.up is None:
        roots: list[tuple[Position, WordClass]] = [(position, (-1, True) if aim.carry else (0, False))]
        start = LayoutStart(aim.carry, aim.win, position.pot, (position.lead,), position.ordered)
    else:
        stake = position.up + position.pot
        nexts = [(position.after(a, b), a == b) for a in position.mine for b in position.theirs]
        roots = [(each, (-1, True) if tied and aim.carry else (0, False)) for each, tied in nexts]
        leads = (position.lead, position.lead + stake, position.lead - stake)
        start = LayoutStart(aim.carry, aim.win, stake if aim.carry else 0, leads, position.ordered)
    prizes = roots[0][0].prizes
    if not prizes:
        return Frame(aim, (), position.ordered, Ladder(()), (), ())
    ladder = build_ladder([encode_hands(each.mine, each.theirs) for each, _ in roots], len(prizes), lowest)
    prizes = prizes if position.ordered else tuple(sorted(prizes))
    worth = prizes if aim.carry else tuple(map(abs, prizes))
    turns = list_ordered_turns(worth) if position.ordered else list_shuffled_turns(worth)
    classes = dict[int, WordClass]()
    for each, (run, chain) in roots:
        word = find_canonical(encode_hands(each.mine, each.theirs))[0]
        known = classes.get(word, (-1, False))
        classes[word] = (max(run, known[0]), chain or known[1])
    places = lay_out_values(ladder, turns, prizes, start, [classes[int(word)] for word in ladder.top.words])
    return Frame(aim, prizes, position.ordered, ladder, turns, places)


@dataclass(frozen=True)
class SolvedGame:
    """A frame with all its values."""

    shape: Frame
    layers: tuple[Layer, ...]
    is_exact: bool = True

    def value(self, position: Position) -> float | None:
        place = self.shape.find_place(position)
        if not isinstance(place, tuple):
            return place
        cards, at, facing = place
        return float(facing * self.layers[cards - 1].values[at])

    @property
    def games(self) -> int:
        return sum(each.games for each in self.layers)

    @property
    def gap(self) -> float:
        return max((each.gap for each in self.layers), default=0.0)

    @property
    def bytes(self) -> int:
        """The approximate size in memory: the values and the moves."""
        values = sum(each.values.nbytes for each in self.layers)
        return values + sum(moves.child.nbytes + 2 * moves.sign.nbytes for moves in self.shape.ladder.layers)


def solve_position(position: Position, workers: Workers | None = None) -> SolvedGame:
    """Solve all positions reachable from a position."""
    shape = build_frame(position)
    below = shape.ground
    layers: list[Layer] = []
    for cards in range(1, len(shape.turns) + 1):
        layers.append(solve_layer(shape.work(below, cards), workers or Workers()))
        below = layers[-1].values
    return SolvedGame(shape, tuple(layers))


def start_whole_game(
    cards: int, ties: str = "discard", objective: str = "points", order: Sequence[int] = ()
) -> Position:
    """Return the position at the start of a deal."""
    hand = tuple(range(1, cards + 1))
    return Position(hand, hand, tuple(order) or hand, ties=ties, objective=objective, ordered=bool(order))


def build_matrix(source: Callable[[Position], float | None], position: Position) -> list[list[float]] | None:
    """Return the matrix game of a position with its prize up, both hands ascending; None if a value is unknown."""
    assert position.up is not None
    stake = position.up + position.pot
    rows: list[list[float]] = []
    for mine in sorted(position.mine):
        row: list[float] = []
        for theirs in sorted(position.theirs):
            after = position.after(mine, theirs)
            value = 0.0 if after.is_even else source(after)
            if value is None:
                return None
            row.append(value if position.aim.win else value + abs(stake) * ((mine > theirs) - (mine < theirs)))
        rows.append(row)
    return rows


def answer_position(source: ValueSource, position: Position) -> Solution | None:
    """Return the value and the mixes of a position with its prize up; None if the source lacks a value."""
    game = build_matrix(source.value, position)
    return None if game is None else solve_matrix(game)


SPREAD = 0.45
"""The standard deviation of the final lead, divided by the root of the sum of squares of the prizes to come.

It was fitted to exact values of positions with 7 of 13 cards."""


def estimate_chance(expected: float, later: Sequence[int]) -> float:
    """Return P(win) - P(loss) for an expected final lead. The final lead is modelled as normally distributed."""
    if not later:
        return float((expected > 0) - (expected < 0))
    total = sum(map(abs, later))
    if abs(expected) >= total:
        return 1.0 if expected > 0 else -1.0
    return erf(expected / (sqrt(2) * find_spread(later)))


def find_spread(later: Sequence[int]) -> float:
    """Return the standard deviation of the final lead while these prizes are still to come."""
    return SPREAD * sqrt(sum(prize * prize for prize in later))


def estimate_win(position: Position, points: Solution) -> Solution:
    """Return the game for the chance to win, with entries estimated from the same game for points."""
    later = [prize for prize in position.prizes if prize != position.up]
    return solve_matrix([[estimate_chance(position.lead + entry, later) for entry in row] for row in points.matrix])


GAME_SECONDS = {(False, False): 0.9e-6, (False, True): 0.45e-6, (True, False): 0.45e-6, (True, True): 0.25e-6}
"""Seconds for one matrix game on one core of the machine in docs/measurements.md.

Keys: whether ties are carried (then equal games are merged), whether values are chances to win."""


def count_games(position: Position) -> int:
    """Count the matrix games in the solve of a position and of all positions that can follow."""
    shape = build_frame(position)
    turns = [1 if position.ordered else cards for cards in range(1, len(shape.turns) + 1)]  # prizes that may be next
    return sum(turn * shape.size(cards)[1] for cards, turn in enumerate(turns, 1))


def estimate_seconds(position: Position) -> float:
    """Return the estimated seconds of this solve on one core."""
    return count_games(position) * GAME_SECONDS[position.aim.carry, position.aim.win]
