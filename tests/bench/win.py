"""Only winning counts: what the best answer wins from Sage in P(win) - P(loss), before it played to win and now.

Up to 8 cards this is exact: the best answer to every position of the game. For 13 cards it is a lower bound, by games
of somebody who knows Sage's mix and looks ahead (`exploiter`).
"""

import math
import os
import random
import sys
import time

from bot.solver.basis import NEAR, POINTS
from bot.solver.solve import solve, whole_game
from tests.bench import answers
from tests.bench.exploiter import Exploiter

EXACT = (4, 5, 6, 7, 8)
ROUNDS = (1, 2, 3, 4)
GAMES = int(os.environ.get("GAMES", "40"))


def run() -> None:
    print("what the best answer wins of P(win) - P(loss), exactly")
    for cards in EXACT:
        _exactly(cards)


def _exactly(cards: int) -> None:
    points, win = solve(whole_game(cards)), solve(whole_game(cards, objective="win"))
    before = answers.exploited(points, win, [answers.POINTS] * cards)
    now = answers.exploited(points, win, [answers.WIN] * cards)
    print(f"  {cards:>2} cards, for points as before {before:.4f}; to win as now {now:.1e}", flush=True)
    for rounds in ROUNDS if cards > 6 else ():
        lost = [
            answers.exploited(points, win, [answers.WIN] * (cards - rounds) + [how] * rounds)
            for how in (answers.POINTS, answers.NEAR)
        ]
        print(f"     the first {rounds} for points {lost[0]:.4f}, by the normal law {lost[1]:.4f}", flush=True)


def run_long() -> None:
    """9 cards, and games of an exploiter: 8 cards, where one can see how much it finds, and 13.

    A game of 13 cards takes two thirds of a minute of one core; GAMES says how many.
    """
    _exactly(9)
    for cards, games, every in ((8, 10 * GAMES, GAMES), (13, GAMES, 1)):
        for how, told in ((POINTS, "for points as before"), (NEAR, "4 rounds by the normal law, then to win")):
            _exploited(cards, how, games, every, told)


def _exploited(cards: int, how: str, games: int, every: int, told: str) -> None:
    begin, won = time.perf_counter(), list[float]()
    for game in range(games):
        won.append(Exploiter(random.Random(f"{how} {game}"), how, cards).game())
        if (game + 1) % every == 0:
            mean = sum(won) / len(won)
            spread = math.sqrt(sum((each - mean) ** 2 for each in won) / max(1, len(won) - 1) / len(won))
            line = f"{cards} cards, {told}: an exploiter finds {mean:.4f} ± {1.96 * spread:.4f}"
            print(f"  {line} ({game + 1} games, {time.perf_counter() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    run_long() if "long" in sys.argv else run()
