"""Kerr's conjectures, tested: a fixed order of the prizes, and playing to win in place of playing for points."""

import random
from dataclasses import replace
from itertools import permutations

import numpy as np

from bot.solver.games import Solution
from bot.solver.position import Position
from bot.solver.solve import Source, answer, solve, whole_game

EVERY_ORDER = 5
"""Up to so many cards every order is looked at; beyond, 60 and the ascending and descending one."""


def run() -> None:
    print(
        "a public order: how much the payoffs of the first move differ from those of a shuffled stock, and what the mix"
    )
    print("for a shuffled stock can be exploited for where the order is known (points; largest, mean over orders)")
    for cards in (4, 5, 6, 7):
        _orders(cards)
    print("playing to win: what the first mix for points gives up of P(win) - P(loss), and the reverse in points")
    for cards in (3, 4, 5, 6, 7):
        _first_moves(cards)


def _solved(source: Source, position: Position) -> Solution:
    found = answer(source, position)
    assert found is not None
    return found


def _least(mix: tuple[float, ...], game: Solution) -> float:
    """What a mix gives up of a game's value."""
    return game.value - float((np.array(mix) @ np.array(game.matrix)).min())


def _orders(cards: int) -> None:
    start = whole_game(cards)
    hidden = solve(start)
    dice = random.Random(1)
    for up in start.prizes:
        rest = [prize for prize in start.prizes if prize != up]
        if cards <= EVERY_ORDER:
            orders = list(permutations(rest))
        else:
            orders = [tuple(rest), tuple(reversed(rest)), *(tuple(dice.sample(rest, len(rest))) for _ in range(60))]
        before = _solved(hidden, start.turned(up))
        moved: list[float] = []
        lost: list[float] = []
        for order in orders:
            known = replace(start, prizes=(up, *order), up=up, ordered=True)
            after = _solved(solve(known), known)
            moved.append(float(np.abs(np.array(after.matrix) - np.array(before.matrix)).max()))
            lost.append(_least(before.mix, after))
        print(
            f"  {cards} cards, prize {up}: payoffs by {max(moved):.3f}, {np.mean(moved):.3f};"
            f" exploited for {max(lost):.3f}, {np.mean(lost):.3f}"
        )


def _first_moves(cards: int) -> None:
    points, winning = whole_game(cards), whole_game(cards, objective="win")
    for_points, to_win = solve(points), solve(winning)
    for up in points.prizes:
        first, second = _solved(for_points, points.turned(up)), _solved(to_win, winning.turned(up))
        apart = sum(abs(a - b) for a, b in zip(first.mix, second.mix, strict=True)) / 2
        print(
            f"  {cards} cards, prize {up}: {100 * apart:5.1f} % of the mix moves;"
            f" gives up {_least(first.mix, second):.4f}; the reverse {_least(second.mix, first):.4f} points"
        )


if __name__ == "__main__":
    run()
