"""What Hawk takes from people with habits, beside Sage, in games of six cards.

Whoever answers it best takes no more than it states (`tests/solver/test_hawk.py`).

What a bid of the other side gives away against the mix that is played, summed over a game, is what the game brings in
the mean; that leaves out the luck of the lots.
"""

import math
import random
from collections.abc import Callable

import numpy as np

from bot.engine.choices import Bid
from bot.engine.presets import find_offer
from bot.engine.view import observe
from bot.solver import hawk
from bot.solver.goal import FOR_POINTS, TO_WIN, Goal
from bot.solver.habits import Habits
from bot.solver.sage import answered, drawn, library
from bot.solver.solve import whole_game

CARDS, GAMES = 6, 300
Habit = Callable[[random.Random, int], int]

HABITS: dict[str, Habit] = {
    "the prize (Matcher)": lambda dice, up: up,
    "one above the prize, an Ace for the highest (Sly)": lambda dice, up: up % CARDS + 1,
    "the prize or one off": lambda dice, up: up + dice.randint(-1, 1),
    "the prize or up to two off": lambda dice, up: up + dice.randint(-2, 2),
    "any card": lambda dice, up: dice.randint(1, CARDS),
}
"""The card nearest to this is bid."""


def run() -> None:
    for goal, unit, allowed in (
        (FOR_POINTS, "points", (0.0, 0.5, 1.0)),
        (TO_WIN, "of P(win) - P(loss)", (0.0, 0.05, 0.1)),
    ):
        library().learn(whole_game(CARDS, objective=goal.objective))
        print(f"{GAMES} games of {CARDS} cards, {unit}; in brackets what Hawk may give up unasked")
        for name, habit in HABITS.items():
            told = [f"Sage {_brought(habit, goal, None)}"]
            told += [f"Hawk ({each}) {_brought(habit, goal, each)}" for each in allowed]
            print(f"  against {name}: {', '.join(told)}", flush=True)


def _brought(habit: Habit, goal: Goal, allowed: float | None) -> str:
    usual, games = dict(hawk.ALLOWED), list[float]()
    if allowed is not None:
        hawk.ALLOWED[goal.objective] = allowed
    try:
        for seed in range(GAMES):
            games.append(_game(random.Random(seed), habit, goal, leans=allowed is not None))
    finally:
        hawk.ALLOWED.update(usual)
    mean = sum(games) / GAMES
    spread = math.sqrt(sum((each - mean) ** 2 for each in games) / (GAMES - 1) / GAMES)
    return f"{mean:+.2f} ± {1.96 * spread:.2f}"


def _game(dice: random.Random, habit: Habit, goal: Goal, *, leans: bool) -> float:
    rules = find_offer("classic")[0].rules(2, {"cards": CARDS})
    state = rules.start(rules.deal(tuple(dice.sample(range(1, CARDS + 1), CARDS))))
    brought = 0.0
    while not state.over:
        rounds = tuple(hawk.rounds_of(rules, observe(state, 0), goal))
        here = rounds[-1].here
        assert here is not None
        assert here.up is not None
        found = answered(here, "win" if goal.win else "points")
        mix = hawk.mix_of(rules, rounds, Habits(range(1, CARDS + 1))) if leans else found.mix
        assert mix is not None
        wanted = habit(dice, here.up)
        theirs = min(here.theirs, key=lambda card: (abs(card - wanted), -card))
        column = np.array(found.matrix)[:, here.theirs.index(theirs)]
        brought += float(np.array(mix) @ column) - found.value
        mine = drawn(list(here.mine), mix, dice.random())
        state, _ = rules.resolve(state, {0: Bid((mine,)), 1: Bid((theirs,))})
    return brought
