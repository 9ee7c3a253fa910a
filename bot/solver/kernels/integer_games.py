"""Matrix games in exact integer arithmetic: no rounding, and a deterministic choice among several optimal mixes.

The simplex method runs on an integer tableau. Every division is exact, because the last pivot is the common denominator
of the tableau. Bland's rule (choose the first variable that qualifies) prevents cycling.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Matrix = Sequence[Sequence[float]]


def solve_value(game: Matrix) -> float:
    """Return the value of a game; the entries are not rounded."""
    return float(-_solve_for_rows(game, None).value())


def find_lowest_mix(game: Matrix, grain: float) -> list[float]:
    """Return the row player's lexicographically largest optimal mix: most on the lowest bid, then on the next.

    Entries are rounded to `grain` first, so that entries that differ only by rounding are equal.
    """
    tableau = _solve_for_rows(game, grain)
    tableau.prefer_low()
    return [float(share) for share in tableau.mix()]


def find_least_shares(game: Matrix, grain: float) -> list[float]:
    """Return for each bid of the row player its least share in any optimal mix, entries rounded to `grain` first."""
    return [float(share) for share in _solve_for_rows(game, grain).least_shares()]


def find_largest_losses(game: Matrix, grain: float) -> list[float]:
    """Return the largest loss of each bid of the row player against any optimal mix of the column player.

    The loss is 0 exactly for the bids in the support of some optimal mix. Entries are rounded to `grain` first.
    """
    return [float(loss) for loss in _Tableau(_scale_to_integers(game, grain)).largest_losses()]


def _solve_for_rows(game: Matrix, grain: float | None) -> _Tableau:
    """Solve the negated transpose of the game: a tableau gives the column player's mix."""
    return _Tableau(_scale_to_integers([[-entry for entry in column] for column in zip(*game, strict=True)], grain))


def _scale_to_integers(game: Matrix, grain: float | None) -> tuple[list[list[int]], Fraction, int]:
    """Return the game as positive integers, the value of the unit, and the number added to each entry."""
    denominators = [Fraction(entry).denominator for row in game for entry in row]
    unit = Fraction(grain) if grain else Fraction(1, max(denominators))
    whole = [[round(Fraction(entry) / unit) for entry in row] for row in game]
    shift = 1 - min(min(row) for row in whole)
    return [[entry + shift for entry in row] for row in whole], unit, shift


class _Tableau:
    """Tableau of the linear programme for the column player's mix y: maximise sum(y) with game @ y <= 1.

    Rows hold the basic variables. Variables below zero are slack variables.
    """

    def __init__(self, scaled: tuple[list[list[int]], Fraction, int]) -> None:
        game, self._unit, self._shift = scaled
        self._rows = [[*row, 1] for row in game]
        self._goal = [1] * len(game[0]) + [0]
        self._basic = [-1 - at for at in range(len(game))]
        self._free = list(range(len(game[0])))
        self._pivot = 1
        self._open = [True] * len(game[0])
        self._climb()

    def _climb(self) -> None:
        """Pivot until the objective is at its maximum."""
        while True:
            columns = [at for at, gain in enumerate(self._goal[:-1]) if gain > 0 and self._open[at]]
            if not columns:
                return
            column = min(columns, key=lambda at: self._order(self._free[at]))
            self._swap(self._find_leaving_row(column), column)

    def _find_leaving_row(self, column: int) -> int:
        """Return the row with the smallest ratio; among equal rows that with the first variable (Bland's rule)."""
        best, least, over, order = -1, 0, 1, 0
        for at, row in enumerate(self._rows):
            below = row[column]
            if below > 0:
                now = row[-1] * over - least * below  # compares the two ratios without a division
                if best < 0 or now < 0 or (not now and self._order(self._basic[at]) < order):
                    best, least, over, order = at, row[-1], below, self._order(self._basic[at])
        return best

    @staticmethod
    def _order(variable: int) -> int:
        return variable if variable >= 0 else 1000 - variable

    def _swap(self, row: int, column: int) -> None:
        """Swap two variables by an Edmonds-Bareiss step: cross-multiply, then divide by the last pivot."""
        lead = self._rows[row]
        pivot, last = lead[column], self._pivot
        for other in (*(each for each in self._rows if each is not lead), self._goal):
            factor = other[column]
            other[:] = [(entry * pivot - factor * led) // last for entry, led in zip(other, lead, strict=True)]
            other[column] = -factor
        lead[column] = last
        self._pivot = pivot
        self._basic[row], self._free[column] = self._free[column], self._basic[row]

    def value(self) -> Fraction:
        """Return the value of the game: the most that the row player gets against y."""
        return (Fraction(self._pivot, -self._goal[-1]) - self._shift) * self._unit

    def prefer_low(self) -> None:
        """Among the optimal mixes choose that with most on the first bid, then on the second, and so on."""
        self._close()
        for bid in range(sum(1 for each in (*self._basic, *self._free) if each >= 0)):
            self._push(bid, 1)
            self._close()

    def largest_losses(self) -> list[Fraction]:
        """Return the largest loss of each row over all optimal y: its slack, in units of the value."""
        worth = Fraction(self._pivot, -self._goal[-1]) * self._unit
        self._close()
        return [worth * self._push(-1 - row, 1) for row in range(len(self._rows))]

    def least_shares(self) -> list[Fraction]:
        """Return the least share of each bid over all optimal y."""
        total = Fraction(-self._goal[-1], self._pivot)
        self._close()
        return [self._push(bid, -1) / -total for bid in range(len(self._free))]

    def _push(self, variable: int, sign: int) -> Fraction:
        """Maximise (sign 1) or minimise (sign -1) a variable; return the variable times the sign."""
        if variable in self._basic:
            self._goal = [-sign * entry for entry in self._rows[self._basic.index(variable)]]
        else:
            self._goal = [0] * len(self._goal)
            self._goal[self._free.index(variable)] = sign * self._pivot
        self._climb()
        return Fraction(-self._goal[-1], self._pivot)

    def _close(self) -> None:
        """Fix at zero every free variable that would lower the objective."""
        for at, gain in enumerate(self._goal[:-1]):
            if gain < 0:
                self._open[at] = False

    def mix(self) -> list[Fraction]:
        """Return the column player's mix."""
        shares = {variable: row[-1] for variable, row in zip(self._basic, self._rows, strict=True) if variable >= 0}
        total = sum(shares.values())
        return [Fraction(shares.get(bid, 0), total) for bid in range(len(shares) + sum(v >= 0 for v in self._free))]
