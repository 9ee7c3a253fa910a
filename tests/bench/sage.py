"""What Sage's play with carried ties can be exploited for, worked out by exact best response.

With up to 11 cards it is exact. In the 13-card game without the complete table it plays the points mix for four rounds,
until 9 cards are left; what so many rounds cost can only be worked out in smaller games.
"""

import time

from bot.solver.induction import Workers, every_core
from bot.solver.position import Position
from bot.solver.response import Known, Strategy, exploitability, of_source
from bot.solver.sage import by_points, library
from bot.solver.shelf import SHIPPED, name_of
from bot.solver.solve import Source, solve, whole_game
from bot.solver.tables import open_table

SMALLER = ((6, 1), (6, 2), (6, 3), (6, 4), (7, 1), (7, 2), (7, 3))
"""cards, and rounds by the points mix"""


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
        _tell(cards, how, start, lambda at: by_points(at).mix, _known(exact, cards - rounds))


def _known(exact: Source, cards: int) -> Known:
    """From so many cards down play is exact, and guarantees the value itself."""

    def known(position: Position) -> float | None:
        return exact.value(position) if len(position.mine) <= cards else None

    return known


def _tell(cards: int, how: str, start: Position, play: Strategy, known: Known) -> None:
    begin = time.perf_counter()
    lost = exploitability(start, play, 0.0, known)  # both seats are alike, so the game is worth nothing
    print(f"  {cards:>2} cards, {how:<40} {lost:.2e} of {sum(start.prizes)} ({time.perf_counter() - begin:.0f} s)")


if __name__ == "__main__":
    run()
