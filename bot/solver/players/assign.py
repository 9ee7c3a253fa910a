"""Which of one's cards goes to which prize: the assignment that gains most."""

from collections.abc import Sequence


def best_assignment(gains: Sequence[Sequence[float]]) -> list[int]:
    """For every row its column, each column taken once at most, so that the gains add up to the most.

    There are at least as many columns as rows. Kuhn's method with prices: rows come in one by one, and each finds the
    cheapest chain of changes that makes room for it.
    """
    rows, columns = len(gains), len(gains[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    holder = [0] * (columns + 1)  # which row has a column, from 1; 0 is nobody
    for row in range(1, rows + 1):
        holder[0] = row
        cheapest, before = [float("inf")] * (columns + 1), [0] * (columns + 1)
        done = [False] * (columns + 1)
        at = 0
        while holder[at]:
            done[at] = True
            here, step, following = holder[at], float("inf"), 0
            for column in range(1, columns + 1):
                if done[column]:
                    continue
                price = -gains[here - 1][column - 1] - row_price[here] - column_price[column]
                if price < cheapest[column]:
                    cheapest[column], before[column] = price, at
                if cheapest[column] < step:
                    step, following = cheapest[column], column
            for column in range(columns + 1):
                if done[column]:
                    row_price[holder[column]] += step
                    column_price[column] -= step
                else:
                    cheapest[column] -= step
            at = following
        while at:
            holder[at], at = holder[before[at]], before[at]
    found = [0] * rows
    for column in range(1, columns + 1):
        if holder[column]:
            found[holder[column] - 1] = column - 1
    return found
