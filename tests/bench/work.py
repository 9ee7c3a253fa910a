"""How well the time of a solve is told beforehand: the estimate of `/gops odds` beside what the solve then took."""

import random
import time
from dataclasses import replace

from bot.solver.position import Position
from bot.solver.solve import solve, whole_game
from bot.solver.work import games, seconds

CASES = (
    (10, 13, Position((), (), ())),
    (9, 11, Position((), (), (), ties="carry")),
    (10, 12, Position((), (), (), ties="carry")),
    (9, 11, Position((), (), (), objective="win")),
    (8, 10, Position((), (), (), ties="carry", objective="win")),
)
"""cards, out of so many, under these rules"""


def run() -> None:
    dice = random.Random(18)
    for _, _, rules in CASES:  # compiled, or loaded, before the clock runs
        solve(whole_game(3, rules.ties, rules.objective))
    for cards, out_of, rules in CASES:
        mine, theirs, prizes = (tuple(sorted(dice.sample(range(1, out_of + 1), cards))) for _ in range(3))
        here = replace(rules, mine=mine, theirs=theirs, prizes=prizes, up=prizes[0])
        begin = time.process_time()
        expected, count = seconds(here), games(here)
        counted = time.process_time() - begin
        begin = time.process_time()
        solve(here)
        took = time.process_time() - begin
        what = f"{cards} cards of {out_of}, {rules.ties}, {rules.objective}"
        told = f"{count} games, {expected:.1f} s expected (counted in {counted / 2:.2f} s), {took:.1f} s"
        print(f"  {what}: {told}", flush=True)


if __name__ == "__main__":
    run()
