"""Game theory the slow and obvious way, sharing no code with the solver.

Plain recursion over hands in fractions, and the textbook simplex method with a full tableau.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

Cards = tuple[int, ...]
Matrix = list[list[Fraction]]


def game_value(matrix: Matrix) -> Fraction:
    """The value of a matrix game: maximise the sum of y where (matrix + shift) y <= 1; the value is 1 / sum - shift."""
    shift = 1 - min(min(row) for row in matrix)
    rows, columns = len(matrix), len(matrix[0])
    tableau = [
        [entry + shift for entry in row] + [Fraction(int(at == i)) for i in range(rows)] + [Fraction(1)]
        for at, row in enumerate(matrix)
    ]
    costs = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    while True:
        column = next((at for at in range(rows + columns) if costs[at] < 0), None)  # Bland's rule
        if column is None:
            return 1 / costs[-1] - shift
        ratios = [(row[-1] / row[column], at) for at, row in enumerate(tableau) if row[column] > 0]
        least = min(ratio for ratio, _ in ratios)
        row = min(
            (at for ratio, at in ratios if ratio == least),
            key=lambda at: next(
                c for c in range(rows + columns) if tableau[at][c] == 1 and sum(r[c] != 0 for r in tableau) == 1
            ),
        )
        lead = [entry / tableau[row][column] for entry in tableau[row]]
        tableau = [
            lead if at == row else [a - each[column] * b for a, b in zip(each, lead, strict=True)]
            for at, each in enumerate(tableau)
        ]
        costs = [a - costs[column] * b for a, b in zip(costs, lead, strict=True)]


def most_given_up(matrix: Matrix) -> list[Fraction]:
    """What each row gives up at most, over all corners of the column player's optimal mixes."""
    value = game_value(matrix)
    corners = list(_optimal_corners(matrix, value))
    return [max(value - _product(row, mix) for mix in corners) for row in matrix]


def least_shares(matrix: Matrix) -> list[Fraction]:
    """The least share of each column, over all corners of the column player's optimal mixes."""
    corners = _optimal_corners(matrix, game_value(matrix))
    return [min(shares) for shares in zip(*corners, strict=True)]


def _optimal_corners(matrix: Matrix, value: Fraction) -> Iterator[list[Fraction]]:
    """Every mix on which as many bounds are tight as there are columns, and none is broken."""
    columns = len(matrix[0])
    bounds = [([Fraction(int(at == each)) for each in range(columns)], Fraction(0)) for at in range(columns)]
    bounds += [(row, value) for row in matrix]
    for tight in combinations(bounds, columns - 1):
        mix = _solution([*tight, ([Fraction(1)] * columns, Fraction(1))])
        if mix and min(mix) >= 0 and all(_product(row, mix) <= value for row in matrix):
            yield mix


def _solution(equations: list[tuple[list[Fraction], Fraction]]) -> list[Fraction]:
    """As many equations as unknowns, by elimination; empty where there is not exactly one solution."""
    rows = [[*left, right] for left, right in equations]
    for at in range(len(rows)):
        lead = next((row for row in rows[at:] if row[at]), None)
        if lead is None:
            return []
        rows.remove(lead)
        lead = [entry / lead[at] for entry in lead]
        rows = [[a - row[at] * b for a, b in zip(row, lead, strict=True)] for row in rows]
        rows.insert(at, lead)
    return [row[-1] for row in rows]


def _product(row: list[Fraction], mix: list[Fraction]) -> Fraction:
    return sum((entry * share for entry, share in zip(row, mix, strict=True)), Fraction(0))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def without(cards: Cards, card: int) -> Cards:
    return tuple(each for each in cards if each != card)


@cache
def value(mine: Cards, theirs: Cards, prizes: Cards, ties: str, pot: int, win: bool, lead: int, swap: bool) -> Fraction:
    """Before the next prize is turned."""
    if not mine:
        return Fraction(sign(lead)) if win else Fraction(0)
    total = sum(
        (game_value(matrix(mine, theirs, prizes, up, ties, pot, win, lead, swap)) for up in prizes), Fraction(0)
    )
    return total / len(prizes)


def matrix(
    mine: Cards,
    theirs: Cards,
    prizes: Cards,
    up: int,
    ties: str = "discard",
    pot: int = 0,
    win: bool = False,
    lead: int = 0,
    swap: bool = False,
) -> Matrix:
    rows: Matrix = []
    for a in mine:
        row: list[Fraction] = []
        for b in theirs:
            gain = sign(a - b) * abs(up + pot)  # what is below zero goes to the lower card
            hands = without(mine, a), without(theirs, b)
            if swap and a == b:
                hands = hands[1], hands[0]
            carried = up + pot if ties == "carry" and a == b else 0
            later = value(*hands, without(prizes, up), ties, carried, win, lead + gain if win else 0, swap)
            row.append(later if win else later + gain)
        rows.append(row)
    return rows
