"""What Sage's play with carried ties can be exploited for, worked out by exact best response.

It is exact but for the rounding of the tables that come along. Before there was one of the 13-card game, it played the
points mix there for three rounds, until 10 cards were left.
"""

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np

from bot.solver.basis import AT_ONCE
from bot.solver.build import Plan
from bot.solver.induction import Workers, every_core
from bot.solver.matrix import Floats
from bot.solver.position import Position
from bot.solver.reply import Valuation, guaranteed
from bot.solver.response import Known, Strategy, exploitability, of_source
from bot.solver.sage import by_points, library
from bot.solver.shelf import SHIPPED, name_of
from bot.solver.solve import Solved, Source, frame, solve, whole_game
from bot.solver.tables import ValueTable, open_table
from tests.bench.solver import packed_anew, whole

SMALLER = ((6, 1), (6, 2), (6, 3), (6, 4), (7, 1), (7, 2), (7, 3))
"""cards, and rounds by the points mix"""
LARGER = (8, 9)
"""cards, for up to so many rounds, compiled"""
MOST_ROUNDS = 4


def run() -> None:
    print("carried ties, what the best answer wins from Sage, in points")
    start = whole_game(11, "carry")
    exact = solve(start, Workers(every_core()))
    table = open_table(SHIPPED / name_of(11, "carry"))
    _tell(11, "exact throughout, by the shipped table", start, of_source(table), _known(exact, 9))
    for cards, rounds in SMALLER:
        start = whole_game(cards, "carry")
        exact = solve(start, Workers(every_core()))
        library().learn(whole_game(cards))
        how = f"points mix for {rounds} rounds, then exact"
        _tell(cards, how, start, lambda at: by_points(at, library()).mix, _known(exact, cards - rounds))
    for cards in LARGER:
        _larger(cards)


def _larger(cards: int) -> None:
    """The same compiled."""
    carried, points = (solve(whole_game(cards, ties), Workers(every_core())) for ties in ("carry", "discard"))
    for rounds in range(1, MOST_ROUNDS + 1):
        begin, exact = time.perf_counter(), carried.layers[cards - rounds - 1].values
        lost = -guaranteed(carried.shape, cards - rounds, exact, partial(_rough, points), Workers(every_core()))
        _show(cards, f"points mix for {rounds} rounds, then exact", lost, begin)


def _rough(points: Solved, cards: int) -> Valuation:
    return Valuation(points.layers[cards - 1].values.reshape(-1), by_points=True)


def run_long() -> None:
    """The 13-card game, which takes its complete tables: an hour, 6 GB. They stay in FOLDER, if that is set."""
    kept = os.environ.get("FOLDER")
    with nullcontext(kept) if kept else tempfile.TemporaryDirectory() as folder:
        carried, points = (Plan(13, ties, AT_ONCE, Path(folder)) for ties in ("carry", "discard"))
        for plan in (carried, points):
            whole(13, plan.ties, "points", plan)
        packed_anew(carried, Path(folder))
        print("carried ties, what the best answer wins from Sage, in points")
        for path, how in ((carried.path, "complete"), (SHIPPED / name_of(13, "carry"), "shipped")):
            table = open_table(path)
            _tell_whole(carried, f"by the {how} table, then exact", partial(_decoded, table))
        _tell_whole(carried, "by its values before they were rounded", lambda cards: Valuation(_layer(carried, cards)))
        shipped = open_table(SHIPPED / name_of(13, "discard"))
        known = {section.cards: shipped.decoded(section.cards).reshape(-1) for section in shipped.head.layers}
        _tell_whole(
            carried,
            "points mix for 3 rounds, then exact",
            lambda cards: Valuation(known[cards] if cards in known else _layer(points, cards), by_points=True),
        )


def _decoded(table: ValueTable, cards: int) -> Valuation:
    return Valuation(table.decoded(cards))


def _layer(plan: Plan, cards: int) -> Floats:
    """The values of a layer before they were rounded."""
    return np.fromfile(plan.workshop / f"layer-{cards:02}.values")


def _tell_whole(plan: Plan, how: str, guide: Callable[[int], Valuation]) -> None:
    begin = time.perf_counter()
    shape = frame(whole_game(plan.cards, plan.ties), AT_ONCE)
    lost = -guaranteed(shape, AT_ONCE, _layer(plan, AT_ONCE), guide, Workers(every_core()))
    _show(plan.cards, how, lost, begin)


def _known(exact: Source, cards: int) -> Known:
    """From so many cards down play is exact, and guarantees the value itself."""

    def known(position: Position) -> float | None:
        return exact.value(position) if len(position.mine) <= cards else None

    return known


def _tell(cards: int, how: str, start: Position, play: Strategy, known: Known) -> None:
    begin = time.perf_counter()
    lost = exploitability(start, play, 0.0, known)  # both seats are alike, so the game is worth nothing
    _show(cards, how, lost, begin)


def _show(cards: int, how: str, lost: float, begin: float) -> None:
    total = cards * (cards + 1) // 2
    print(f"  {cards:>2} cards, {how:<40} {lost:.2e} of {total} ({time.perf_counter() - begin:.0f} s)")


if __name__ == "__main__":
    run()
