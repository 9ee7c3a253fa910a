"""Only winning counts: what the best answer wins from Sage in P(win) - P(loss), before it played to win and now.

Up to 8 cards this is exact: the best answer to every position of the game. For 13 cards it is a lower bound: somebody
who knows Sage's mix answers it as well as points and a normal law tell, for the four rounds that are not exact; from
9 cards down nothing is to be won, and the value is solved.
"""

import math
import os
import random
import sys
import time
from dataclasses import replace

from bot.solver.basis import NEAR, WON_AT_ONCE
from bot.solver.games import play
from bot.solver.near import chance
from bot.solver.position import Position
from bot.solver.sage import answered, library
from bot.solver.solve import solve, whole_game
from tests.bench import answers

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
    """9 cards, and 13: half an hour of one core for 40 games; GAMES says how many."""
    _exactly(9)
    dice, begin, won = random.Random(13), time.perf_counter(), list[float]()
    for game in range(GAMES):
        won.append(_game(dice, NEAR))
        mean = sum(won) / len(won)
        spread = math.sqrt(sum((each - mean) ** 2 for each in won) / max(1, len(won) - 1) / len(won))
        told = f"13 cards, an exploiter that looks one bid ahead: {mean:+.4f} ± {1.96 * spread:.4f}"
        print(f"  {told} ({game + 1} games, {time.perf_counter() - begin:.0f} s)", flush=True)


def _game(dice: random.Random, how: str) -> float:
    """What one game brings the exploiter, less the luck of the turns and of Sage's lots, as far as it can be told."""
    here, luck = whole_game(13, objective="win"), 0.0
    while len(here.mine) > WON_AT_ONCE[False, False]:
        ups = {up: _looked(here.turned(up), how) for up in (here.prizes if _cheap(here) else ())}
        up = dice.choice(here.prizes)
        told = ups.get(up) or _looked(here.turned(up), how)
        if ups:
            luck += told[0] - sum(value for value, _, _ in ups.values()) / len(ups)
        _, mix, table = told
        theirs = min(
            range(len(here.theirs)), key=lambda at: sum(x * row[at] for x, row in zip(mix, table, strict=True))
        )
        row = dice.choices(range(len(here.mine)), mix)[0]
        luck += table[row][theirs] - sum(x * each[theirs] for x, each in zip(mix, table, strict=True))
        here = here.turned(up).after(here.mine[row], here.theirs[theirs])
    up = dice.choice(here.prizes)
    told = {each: _guessed(here.turned(each)) for each in here.prizes}
    luck += told[up] - sum(told.values()) / len(told)
    return -(library().judge(here.turned(up)).answer.value - luck)


def _cheap(here: Position) -> bool:
    """Whether the games of all prizes are known without another solve: by a table, or by the solve of 11 cards."""
    return len(here.mine) != 11


def _looked(here: Position, how: str) -> tuple[float, tuple[float, ...], list[list[float]]]:
    """The value as Sage sees it, its mix, and what every pair of bids leads to by the normal law."""
    found = answered(here, how)
    later = [prize for prize in here.prizes if prize != here.up]
    points = library().judge(replace(here, objective="points", lead=0)).answer.matrix
    table = [[chance(here.lead + entry, later) for entry in row] for row in points]
    return found.value, found.mix, table


def _guessed(here: Position) -> float:
    later = [prize for prize in here.prizes if prize != here.up]
    points = library().judge(replace(here, objective="points", lead=0)).answer.matrix
    return play([[chance(here.lead + entry, later) for entry in row] for row in points]).value


if __name__ == "__main__":
    run_long() if "long" in sys.argv else run()
