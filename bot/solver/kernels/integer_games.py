"""Matrix games in whole numbers: no rounding, and the same choice among several optimal mixes every time.

The simplex method on an integer tableau: every division is exact, because the tableau keeps the last pivot as a common
denominator. Bland's rule (always the first bid that will do) cannot run in circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp

Matrix = Sequence[Sequence[float]]


def solve_value(game: Matrix) -> float:
    """The value of a game whose entries are taken as they are, to the last bit."""
    return float(-_row_player(game, None).value())


def find_lowest_mix(game: Matrix, grain: float) -> list[float]:
    """The row player's optimal mix that bids low: of all optimal mixes the one with most on the lowest bid, then on the
    next, and so on. Entries are rounded to `grain` first, so that what is equal but for rounding is equal.
    """
    solved = _row_player(game, grain)
    solved.prefer_low()
    return [float(share) for share in solved.mix()]


def find_least_shares(game: Matrix, grain: float) -> list[float]:
    """Return for each bid of the row player its least share in any optimal mix, entries rounded to `grain` first."""
    return [float(share) for share in _row_player(game, grain).least_shares()]


def find_largest_losses(game: Matrix, grain: float) -> list[float]:
    """Return for each bid of the row player the most it gives up, over all optimal mixes of the column player.

    It is 0 exactly for the bids that some optimal mix has. Entries are rounded to `grain` first.
    """
    return [float(given) for given in _Tableau(_whole(game, grain)).most_given_up()]


def _row_player(game: Matrix, grain: float | None) -> _Tableau:
    """Solve the game turned round, so that the mix is the row player's."""
    return _Tableau(_whole([[-entry for entry in column] for column in zip(*game, strict=True)], grain))


def _whole(game: Matrix, grain: float | None) -> tuple[list[list[int]], Fraction, int]:
    """The game as positive whole numbers, the unit they count, and what was added to each."""
    if grain and frexp(grain)[0] == 0.5:  # a power of two: floats are counted in it without any rounding of their own
        scale = 1 / grain
        unit, whole = Fraction(grain), [[round(float(entry) * scale) for entry in row] for row in game]
    else:
        unit = (
            Fraction(grain) if grain else Fraction(1, max(Fraction(entry).denominator for row in game for entry in row))
        )
        whole = [[round(Fraction(entry) / unit) for entry in row] for row in game]
    shift = 1 - min(min(row) for row in whole)
    return [[entry + shift for entry in row] for row in whole], unit, shift


class _Tableau:
    """The column player's mix y: most of its sum with game y at most 1.

    Rows hold the basic variables; negative ones are slack.
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
        """Pivot until the goal cannot grow."""
        while True:
            columns = [at for at, gain in enumerate(self._goal[:-1]) if gain > 0 and self._open[at]]
            if not columns:
                return
            column = min(columns, key=lambda at: self._order(self._free[at]))
            self._swap(self._tightest(column), column)

    def _tightest(self, column: int) -> int:
        """The row that stops a free variable first; of several that with the first variable."""
        best, least, over, order = -1, 0, 1, 0
        for at, row in enumerate(self._rows):
            below = row[column]
            if below > 0:
                now = row[-1] * over - least * below  # the quotients compared without a division
                if best < 0 or now < 0 or (not now and self._order(self._basic[at]) < order):
                    best, least, over, order = at, row[-1], below, self._order(self._basic[at])
        return best

    @staticmethod
    def _order(variable: int) -> int:
        return variable if variable >= 0 else 1000 - variable

    def _swap(self, row: int, column: int) -> None:
        """The step of Edmonds and Bareiss: cross-multiply, and divide by the last pivot."""
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
        """The value of the game: what y holds the row player to."""
        return (Fraction(self._pivot, -self._goal[-1]) - self._shift) * self._unit

    def prefer_low(self) -> None:
        """Stay optimal, and put most on the first bid, then on the second, and so on."""
        self._close()
        for bid in range(sum(1 for each in (*self._basic, *self._free) if each >= 0)):
            self._push(bid, 1)
            self._close()

    def most_given_up(self) -> list[Fraction]:
        """Stay optimal, and return the most that each row gives up: its slack, in units of the value."""
        worth = Fraction(self._pivot, -self._goal[-1]) * self._unit
        self._close()
        return [worth * self._push(-1 - row, 1) for row in range(len(self._rows))]

    def least_shares(self) -> list[Fraction]:
        """Stay optimal, and return the least share of each bid."""
        total = Fraction(-self._goal[-1], self._pivot)
        self._close()
        return [self._push(bid, -1) / -total for bid in range(len(self._free))]

    def _push(self, variable: int, sign: int) -> Fraction:
        """Pivot until a variable cannot grow (sign 1) or shrink (sign -1), and return it times the sign."""
        if variable in self._basic:
            self._goal = [-sign * entry for entry in self._rows[self._basic.index(variable)]]
        else:
            self._goal = [0] * len(self._goal)
            self._goal[self._free.index(variable)] = sign * self._pivot
        self._climb()
        return Fraction(-self._goal[-1], self._pivot)

    def _close(self) -> None:
        """What would lower the goal stays where it is from now on."""
        for at, gain in enumerate(self._goal[:-1]):
            if gain < 0:
                self._open[at] = False

    def mix(self) -> list[Fraction]:
        """The column player's mix."""
        shares = {variable: row[-1] for variable, row in zip(self._basic, self._rows, strict=True) if variable >= 0}
        total = sum(shares.values())
        return [Fraction(shares.get(bid, 0), total) for bid in range(len(shares) + sum(v >= 0 for v in self._free))]
