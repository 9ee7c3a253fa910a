"""Exact values of the end of a deal of Bid or Psych, for points or for the chance to win.

The order of the prizes turned so far does not matter, only their set. All sets of turned prizes are solved, the largest
first. For each set and each prize that is up, every possible pair of hands is solved.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bot.solver.exact.endgame import Endgame
from bot.solver.kernels import integer_games
from bot.solver.kernels.jit import Floats, Ints, Signs, kernel
from bot.solver.kernels.matrix import TOLERANCE, WIDTH, Workspace, new_workspace, solve_game
from bot.solver.kernels.matrix_game import Solution, solve_matrix

Turned = tuple[int, ...]
"""The prizes turned after the prize that is up at the start, ascending."""


class HandPairs(NamedTuple):
    """All possible pairs of hands of the same size, fewest cards first; a hand is a bit set."""

    hands: Ints  # [pair, side]
    place: Ints  # [hand, hand]: the pair
    wins: Signs  # [card, card]: who takes the prize
    rest: Ints  # [cards]: the highest sum of later prizes


class Doubt(NamedTuple):
    """A game without a certificate, and the exact values of the earlier games without one."""

    at: Ints  # [doubt, pair or lead]
    known: Floats  # [doubt]
    game: Floats
    size: Ints  # rows, columns and lead of the game


class EndgameValues:
    """The values of all possible pairs of hands, with a prize up and before a prize is turned."""

    def __init__(self, start: Endgame) -> None:
        self._start = start
        count = len(start.mine)
        descending = sorted(start.stock, reverse=True)
        rest: Ints = np.array([sum(descending[:cards]) for cards in range(count + 1)], dtype=np.int64)
        self._leads = 2 * (start.up + int(rest[count])) + 1 if start.is_to_win else 1
        pairs = [(own, other) for own in range(1, 1 << count) for other in range(1, 1 << count)]
        pairs = sorted(
            (pair for pair in pairs if pair[0].bit_count() == pair[1].bit_count()), key=lambda pair: pair[0].bit_count()
        )
        self._upto = [sum(own.bit_count() <= cards for own, _ in pairs) for cards in range(count + 1)]
        hands: Ints = np.array(pairs, dtype=np.int64)
        place: Ints = np.zeros((1 << count, 1 << count), dtype=np.int64)
        place[hands[:, 0], hands[:, 1]] = np.arange(len(pairs))
        wins: Signs = np.array([[start.beats(a, b) for b in start.theirs] for a in start.mine], dtype=np.int8)
        self._pairs = HandPairs(hands, place, wins, rest)
        self._shift = 2.0 if start.is_to_win else 1.0 + start.up + float(rest[count])
        self._space = new_workspace()
        self._later = self._solve_turns()[()]
        self._now = self._solve_prize(start.up, self._later, count)

    def _solve_turns(self) -> dict[Turned, Floats]:
        """Return the values before a prize is turned, for each set of prizes turned so far: [pair, lead]."""
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
        values: dict[Turned, Floats] = {some: self._allocate(0) for some in turned[count - 1]}
        for size in range(count - 1, 0, -1):
            for some in turned[size]:
                left = sum(stock.values()) - size + 1
                for prize in dict.fromkeys(some):
                    at = some.index(prize)
                    before = (*some[:at], *some[at + 1 :])
                    if before not in values:
                        values[before] = self._allocate(count - size)
                    chance = (stock[prize] - before.count(prize)) / left
                    values[before] += chance * self._solve_prize(prize, values[some], count - size)
        return values

    def _allocate(self, cards: int) -> Floats:
        return np.zeros((self._upto[cards], self._leads))

    def _solve_prize(self, prize: int, later: Floats, cards: int) -> Floats:
        """Return the values of all pairs of hands with at most `cards` cards, with this prize up.

        The kernel stops at a game without a certificate. Exact arithmetic solves it, then the kernel runs again.
        """
        values, doubts = self._allocate(cards), dict[tuple[int, int], float]()
        while True:
            doubt = Doubt(
                np.array([*doubts, (-1, -1)], dtype=np.int64),
                np.array([*doubts.values(), 0.0]),
                np.zeros((WIDTH, WIDTH)),
                np.zeros(3, np.int64),
            )
            win, shift = self._start.is_to_win, self._shift
            place = solve_pairs(prize, self._pairs, self._upto[cards], later, win, shift, values, doubt, self._space)
            if place < 0:
                return values
            rows, columns, number = doubt.size.tolist()
            doubts[place, number] = integer_games.solve_value(doubt.game[:rows, :columns].tolist())

    def answer(self, lead: int) -> Solution:
        """Return the value and the mixes of the start position with this lead."""
        start, count = self._start, len(self._start.mine)
        full = (1 << count) - 1
        rows: list[list[float]] = []
        for i in range(count):
            row: list[float] = []
            for j in range(count):
                won = int(self._pairs.wins[i, j])
                hands = full & ~(1 << i), full & ~(1 << j)
                ahead = lead + won * start.up if start.is_to_win else 0
                row.append(self._find_value(self._later if won else self._now, hands, ahead))
                row[-1] += 0 if start.is_to_win else won * start.up
            rows.append(row)
        return solve_matrix(rows)

    def _find_value(self, values: Floats, hands: tuple[int, int], lead: int) -> float:
        if not hands[0]:
            return float((lead > 0) - (lead < 0)) if self._start.is_to_win else 0.0
        if not self._start.is_to_win:
            return float(values[self._pairs.place[hands], 0])
        zero = self._leads // 2
        if abs(lead) > zero:
            return 1.0 if lead > 0 else -1.0
        return float(values[self._pairs.place[hands], zero + lead])


@kernel
def list_cards(hand: int, places: Ints) -> int:
    """Store the places of a hand's cards; return how many cards it has."""
    cards = 0
    for bit in range(places.shape[0]):
        if hand >> bit & 1:
            places[cards] = bit
            cards += 1
    return cards


@kernel
def find_doubt(doubt: Doubt, pair: int, number: int) -> int:
    """Return the index of the game's exact value, or -1 if it is unknown."""
    for place in range(doubt.at.shape[0]):
        if doubt.at[place, 0] == pair and doubt.at[place, 1] == number:
            return place
    return -1


@kernel
def solve_pairs(
    prize: int,
    pairs: HandPairs,
    count: int,
    later: Floats,
    win: bool,
    shift: float,
    values: Floats,
    doubt: Doubt,
    space: Workspace,
) -> int:
    """Fill in values[pair, lead] of the first `count` pairs with this prize up, fewest cards first.

    Return -1 if all are solved. If a game has no certificate and no exact value, store it in `doubt`; return its pair.
    """
    game = doubt.game
    rows = np.empty(WIDTH, np.int64)
    columns = np.empty(WIDTH, np.int64)
    guess = np.zeros(1, np.int64)  # a literal would make numba compile `solve_game` once more for that literal
    zero = values.shape[1] // 2
    for pair in range(count):
        one = pairs.hands[pair, 0]
        other = pairs.hands[pair, 1]
        m = list_cards(one, rows)
        n = list_cards(other, columns)
        guess[0] = 0
        for number in range(values.shape[1]):
            lead = number - zero
            if win and abs(lead) > pairs.rest[m - 1] + prize:
                values[pair, number] = 1.0 if lead > 0 else -1.0
                continue
            for i in range(m):
                for j in range(n):
                    won = pairs.wins[rows[i], columns[j]]
                    ahead = lead + won * prize if win else 0
                    gain = 0.0 if win else float(won * prize)
                    if m == 1:
                        if win:
                            gain = float((ahead > 0) - (ahead < 0))
                    elif win and abs(ahead) > zero:
                        gain = 1.0 if ahead > 0 else -1.0
                    else:
                        below = pairs.place[one & ~(1 << rows[i]), other & ~(1 << columns[j])]
                        gain += values[below, zero + ahead] if won == 0 else later[below, zero + ahead]
                    game[i, j] = gain
            if m == 1:
                values[pair, number] = game[0, 0]
                continue
            guess[0] = solve_game(game, m, n, shift, guess[0], space)
            if space.bounds[1] - space.bounds[0] <= TOLERANCE:
                values[pair, number] = 0.5 * (space.bounds[0] + space.bounds[1])
                continue
            known = find_doubt(doubt, pair, number)
            if known < 0:
                doubt.size[0] = m
                doubt.size[1] = n
                doubt.size[2] = number
                return pair
            values[pair, number] = doubt.known[known]
    return -1


@lru_cache(maxsize=16)
def solve_endgame(start: Endgame) -> EndgameValues:
    """Solve all positions reachable from a position; `start.lead` does not matter."""
    return EndgameValues(start)


def answer_endgame(position: Endgame) -> Solution:
    """Return the value and the mixes of a position."""
    return solve_endgame(replace(position, lead=0)).answer(position.lead)
