"""The end of a deal of Bid or Psych, solved: everything that can still come, for points or for the chance to win.

What matters of the prizes is which have been turned, not when; so all that may be turned is gone through from most to
fewest, and for each the prize that is up is played for with every pair of hands that may be left.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bot.solver.exact.endgame import Late
from bot.solver.kernels import integer_games
from bot.solver.kernels.compiled import kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Floats, Spots, solve
from bot.solver.kernels.matrix_game import Solution, play
from bot.solver.kernels.words import Ints

Turned = tuple[int, ...]
"""What was turned after the prize that is up, ascending."""
Wins = NDArray[np.int8]


class LateSolved:
    """What every pair of hands that may be left is worth, when a prize is up and before one is turned."""

    def __init__(self, start: Late) -> None:
        self._start = start
        count = len(start.mine)
        dearest = sorted(start.stock, reverse=True)
        self._rest: Ints = np.array([sum(dearest[:cards]) for cards in range(count + 1)], dtype=np.int64)
        self._leads = 2 * (start.up + int(self._rest[count])) + 1 if start.win else 1
        pairs = [(one, other) for one in range(1, 1 << count) for other in range(1, 1 << count)]
        pairs = sorted(
            (pair for pair in pairs if pair[0].bit_count() == pair[1].bit_count()), key=lambda pair: pair[0].bit_count()
        )
        self._pairs: Ints = np.array(pairs, dtype=np.int64)
        self._upto = [sum(one.bit_count() <= cards for one, _ in pairs) for cards in range(count + 1)]
        self._place: Ints = np.zeros((1 << count, 1 << count), dtype=np.int64)
        self._place[self._pairs[:, 0], self._pairs[:, 1]] = np.arange(len(pairs))
        self._wins: Wins = np.array([[start.beats(a, b) for b in start.theirs] for a in start.mine], dtype=np.int8)
        self._shift = 2.0 if start.win else 1.0 + start.up + float(self._rest[count])
        self._later = self._all()[()]
        self._now = self._played(start.up, self._later, count)

    def _all(self) -> dict[Turned, Floats]:
        """Before a prize is turned, when these have been: of every pair that may be left then, with every lead."""
        count, stock = len(self._start.mine), Counter(self._start.stock)
        turned: list[list[Turned]] = [[()]]
        for _ in range(count - 1):
            more = {
                tuple(sorted((*some, prize)))
                for some in turned[-1]
                for prize in stock
                if some.count(prize) < stock[prize]
            }
            turned.append(sorted(more))
        found: dict[Turned, Floats] = {some: self._ground(0) for some in turned[count - 1]}
        for size in range(count - 1, 0, -1):
            for some in turned[size]:
                left = sum(stock.values()) - size + 1
                for prize in dict.fromkeys(some):
                    at = some.index(prize)
                    before = (*some[:at], *some[at + 1 :])
                    if before not in found:
                        found[before] = self._ground(count - size)
                    chance = (stock[prize] - before.count(prize)) / left
                    found[before] += chance * self._played(prize, found[some], count - size)
        return found

    def _ground(self, cards: int) -> Floats:
        return np.zeros((self._upto[cards], self._leads))

    def _played(self, prize: int, later: Floats, cards: int) -> Floats:
        """What every pair of at most so many cards each is worth with this prize up."""
        values, doubts = self._ground(cards), dict[tuple[int, int], float]()
        while True:
            at: Spots = np.array([*doubts, (-1, -1)], dtype=np.int64)
            known: Floats = np.array([*doubts.values(), 0.0])
            game: Floats = np.zeros((WIDTH, WIDTH))
            size: Spots = np.zeros(3, np.int64)
            place = prize_up(
                prize,
                self._pairs,
                self._upto[cards],
                self._place,
                self._wins,
                self._rest,
                later,
                self._start.win,
                self._shift,
                values,
                at,
                known,
                game,
                size,
            )
            if place < 0:
                return values
            doubts[place, int(size[2])] = integer_games.value(game[: size[0], : size[1]].tolist())

    def answer(self, lead: int) -> Solution:
        """The value and the mixes of the position that was solved, with this lead."""
        start, count = self._start, len(self._start.mine)
        full = (1 << count) - 1
        rows: list[list[float]] = []
        for i in range(count):
            row: list[float] = []
            for j in range(count):
                won = int(self._wins[i, j])
                hands = full & ~(1 << i), full & ~(1 << j)
                ahead = lead + won * start.up if start.win else 0
                row.append(self._worth(self._later if won else self._now, hands, ahead))
                row[-1] += 0 if start.win else won * start.up
            rows.append(row)
        return play(rows)

    def _worth(self, values: Floats, hands: tuple[int, int], lead: int) -> float:
        if not hands[0]:
            return float((lead > 0) - (lead < 0)) if self._start.win else 0.0
        if not self._start.win:
            return float(values[self._place[hands], 0])
        zero = self._leads // 2
        if abs(lead) > zero:
            return 1.0 if lead > 0 else -1.0
        return float(values[self._place[hands], zero + lead])


@kernel
def held(hand: int, places: Ints) -> int:
    """How many cards a hand has; where they are."""
    cards = 0
    for bit in range(places.shape[0]):
        if hand >> bit & 1:
            places[cards] = bit
            cards += 1
    return cards


@kernel
def prize_up(
    prize: int,
    pairs: Ints,
    count: int,
    place: Ints,
    wins: Wins,
    rest: Ints,
    later: Floats,
    win: bool,
    shift: float,
    values: Floats,
    doubt_at: Spots,
    doubt_known: Floats,
    game: Floats,
    size: Spots,
) -> int:
    """Fill in values[pair, lead] of the first `count` pairs, fewest cards first. The place of the first game without a
    certificate that is not known, with the game; or -1."""
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    used = np.empty((2, WIDTH), np.int64)
    rows = np.empty(WIDTH, np.int64)
    columns = np.empty(WIDTH, np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    bounds = np.empty(2)
    guess = np.zeros(1, np.int64)  # a number that begins with 0 would have `solve` compiled for that 0 as well
    zero = values.shape[1] // 2
    for pair in range(count):
        one = pairs[pair, 0]
        other = pairs[pair, 1]
        m = held(one, rows)
        n = held(other, columns)
        guess[0] = 0
        for number in range(values.shape[1]):
            lead = number - zero
            if win and abs(lead) > rest[m - 1] + prize:
                values[pair, number] = 1.0 if lead > 0 else -1.0
                continue
            for i in range(m):
                for j in range(n):
                    won = wins[rows[i], columns[j]]
                    ahead = lead + won * prize if win else 0
                    gain = 0.0 if win else float(won * prize)
                    if m == 1:
                        if win:
                            gain = float((ahead > 0) - (ahead < 0))
                    elif win and abs(ahead) > zero:
                        gain = 1.0 if ahead > 0 else -1.0
                    else:
                        below = place[one & ~(1 << rows[i]), other & ~(1 << columns[j])]
                        gain += values[below, zero + ahead] if won == 0 else later[below, zero + ahead]
                    game[i, j] = gain
            if m == 1:
                values[pair, number] = game[0, 0]
                continue
            guess[0] = solve(game, m, n, shift, used, guess[0], table, basis, x, y, bounds)
            if bounds[1] - bounds[0] <= TOLERANCE:
                values[pair, number] = 0.5 * (bounds[0] + bounds[1])
                continue
            found = False
            for doubt in range(doubt_at.shape[0]):
                if doubt_at[doubt, 0] == pair and doubt_at[doubt, 1] == number:
                    values[pair, number] = doubt_known[doubt]
                    found = True
            if not found:
                size[0] = m
                size[1] = n
                size[2] = number
                return pair
    return -1


@lru_cache(maxsize=16)
def solve_late(start: Late) -> LateSolved:
    """Everything that can arise from a position; `start.lead` does not matter."""
    return LateSolved(start)


def answer(here: Late) -> Solution:
    """The value and the mixes of a position."""
    return solve_late(replace(here, lead=0)).answer(here.lead)
