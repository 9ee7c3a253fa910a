"""Exact values of Pico: all pairs of hands reachable from two hands, for points or for the chance to win.

A deal has few positions, so the whole deal is solved before its first bid. For the chance to win it is solved for every
possible lead. If the deal with hands exchanged follows, that deal is solved first; its values end the first deal.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bot.solver.exact.pico import Duel, beats
from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats, Ints
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, new_workspace, solve_game
from bot.solver.kernels.matrix_game import Solution, solve_matrix


class PicoValues:
    """The values of all pairs of subsets of two hands."""

    def __init__(self, start: Duel, ends: Floats | None) -> None:
        self.mine, self.theirs = start.mine, start.theirs
        self._win = ends is not None
        self._zero = len(ends) // 2 if ends is not None else 0
        last: Floats = ends if ends is not None else np.zeros(1)
        self._values: Floats = np.zeros((1 << len(self.mine), 1 << len(self.theirs), len(last)))
        self._values[:, :] = last
        self._wins = [[beats(a, b) for b in self.theirs] for a in self.mine]
        points = start.points
        self._steps = [
            [points[a] if won else -points[b] for b, won in zip(self.theirs, row, strict=True)]
            for a, row in zip(self.mine, self._wins, strict=True)
        ]
        self._shift = 2.0 if self._win else 1.0 + sum(points[card] for card in (*self.mine, *self.theirs))
        pairs = [(own, other) for own in range(1 << len(self.mine)) for other in range(1 << len(self.theirs))]
        for own, other in sorted(pairs, key=lambda pair: pair[0].bit_count() + pair[1].bit_count()):
            if min(own.bit_count(), other.bit_count()) > 1:
                self._values[own, other] = self._solve_games(self._list_games(own, other))

    def _list_games(self, own: int, other: int) -> Floats:
        """Return the games of two hands, given as bits, for every lead: [lead, row, column]."""
        most = self._values.shape[2]
        leads: Ints = np.arange(most, dtype=np.int64)
        rows = [at for at in range(len(self.mine)) if own >> at & 1]
        columns = [at for at in range(len(self.theirs)) if other >> at & 1]
        games: Floats = np.zeros((most, len(rows), len(columns)))
        for row, i in enumerate(rows):
            for column, j in enumerate(columns):
                step = self._steps[i][j]
                after = (own & ~(1 << i), other) if self._wins[i][j] else (own, other & ~(1 << j))
                if self._win:
                    games[:, row, column] = self._values[after][np.clip(leads + step, 0, most - 1)]
                else:
                    games[:, row, column] = self._values[after] + step
        return games

    def _solve_games(self, games: Floats) -> Floats:
        """Return the value of each game; a game with equal entries needs no solving."""
        rows, columns = games.shape[1:]
        space = new_workspace()
        work: Floats = np.zeros((WIDTH, WIDTH))
        low, values = games.min(axis=(1, 2)), games.max(axis=(1, 2))
        size = 0
        for at in np.flatnonzero(low < values):
            work[:rows, :columns] = games[at]
            size = solve_game(work, rows, columns, self._shift, size, space)
            is_certified = size > 0 and space.bounds[1] - space.bounds[0] <= TOLERANCE
            values[at] = space.bounds.mean() if is_certified else integer_games.solve_value(games[at].tolist())
        return values

    def value(self, position: Duel, lead: int) -> float:
        """Return the value of a position's hands, which are subsets of the solved hands, with this lead."""
        return float(self._values[self._find_place(position, lead)])

    def answer(self, position: Duel) -> Solution:
        """Return the value and the mixes of a position."""
        own, other, at = self._find_place(position, position.lead)
        return solve_matrix(self._list_games(own, other)[at].tolist())

    def _find_place(self, position: Duel, lead: int) -> tuple[int, int, int]:
        own = sum(1 << self.mine.index(card) for card in position.mine)
        other = sum(1 << self.theirs.index(card) for card in position.theirs)
        return own, other, min(max(lead + self._zero, 0), self._values.shape[2] - 1) if self._win else 0


@lru_cache(maxsize=32)
def solve_duel(start: Duel) -> PicoValues:
    """Solve all positions reachable from these hands; `start.lead` does not matter."""
    if not start.is_to_win:
        return PicoValues(start, None)
    points = start.points
    reach = 2 * sum(points[card] for card in (*start.mine, *start.theirs, *start.dealt[0], *start.dealt[1])) + 1
    leads = range(-reach, reach + 1)
    ends: Floats = np.array([float((lead > 0) - (lead < 0)) for lead in leads])
    if start.dealt[0]:
        back = Duel(start.dealt[1], start.dealt[0], start.printed, "win")
        second = solve_duel(back)
        ends = np.array([second.value(back, lead) for lead in leads])
    return PicoValues(start, ends)


def answer_duel(position: Duel) -> Solution:
    """Return the value and the mixes of a position, for points still to come or for the chance to win."""
    hands = position.dealt if position.dealt[0] else (position.mine, position.theirs)
    start = Duel(*hands, position.printed, position.objective, 0, position.dealt)
    return solve_duel(start).answer(position)
