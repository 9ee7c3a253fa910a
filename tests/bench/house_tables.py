"""Tables of three: how often a person with a fixed habit wins against two house seats, for every mixture of levels.

The habits are those of `bot.solver.players.habits`. Where two house seats play alike they cancel each other, and a
habit wins more than its third. `GAMES` says how many games each habit plays against the mixtures that practice seats,
`FEW` against the others, `TABLES` which mixtures: `TABLES=sage+sly,reader+reader`.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.series import SINGLE
from bot.engine.text.presets import find_offer
from bot.engine.view import Observation, observe
from bot.referee.repository.house_levels import table_levels
from bot.solver.players.chance import Chance
from bot.solver.players.habits import Habits
from bot.solver.players.levels import LEVELS, Level, Question, find_level
from bot.solver.players.simple import choose_at_random, choose_matcher_bid, rank_stake

GAMES, FEW = int(os.environ.get("GAMES", "1000")), int(os.environ.get("FEW", "100"))
CORES = int(os.environ.get("CORES", "2"))
ASKED = os.environ.get("TABLES", "")
SEATS, CARDS = 3, 13

Habit = int | str
HABITS: list[Habit] = [habit for habit, _ in Habits(range(CARDS)).list_weights()[:8]]
"""The fixed ones: so many places above the prize, "any" card, and "turned": dear prizes with low cards."""


def bid_by_habit(habit: Habit, rules: Rules, seen: Observation, chance: Chance) -> Choice:
    """What somebody with this habit bids, without exception."""
    if habit == "any":
        return choose_at_random(rules, seen, chance)
    if isinstance(habit, int):
        return choose_matcher_bid(rules, seen, above=habit)
    assert seen.prompt is not None
    options, places = seen.prompt.options, len(seen.keys) - 1
    wanted = rules.strength(seen.keys[places - round(places * rank_stake(rules, seen))])
    return Bid((next((card for card in options if rules.strength(card) >= wanted), options[-1]),))


def win_share(habit: Habit, house: tuple[Level, ...], game: int) -> float:
    """Play one deal; give the habit's share of the win."""
    rules, mine = find_offer("classic")[0].rules(SEATS, {"cards": CARDS}), game % SEATS
    dice = random.Random(f"table {game}")
    pack = list(rules.pack())
    dice.shuffle(pack)
    state = rules.start(rules.deal(tuple(pack)))
    while not state.over:
        choices: dict[int, Choice] = {}
        for seat in state.awaited:
            seen, chance = observe(state, seat), Chance(f"table {game} {state.number} {seat}".encode())
            if seat == mine:
                choices[seat] = bid_by_habit(habit, rules, seen, chance)
            else:
                choices[seat] = house[seat - (seat > mine)].mind(Question(rules, SINGLE, seen, (), chance))
        state, _ = rules.resolve(state, choices)
    scores = rules.score(state)
    winners = [seat for seat in range(SEATS) if scores[seat] == max(scores)]
    return 1 / len(winners) if mine in winners else 0.0


def upper_bound(share: float, games: int) -> float:
    """Give the upper end of Wilson's 95% interval."""
    z = 1.96
    centre, half = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    return (centre + half) / (1 + z * z / games)


def _mean_share(task: tuple[Habit, tuple[str, ...], int]) -> float:
    habit, keys, games = task
    house = tuple(level for key in keys if (level := find_level(key)) is not None)
    return sum(win_share(habit, house, game) for game in range(games)) / games


def mixtures() -> Iterator[tuple[tuple[str, ...], int]]:
    """Every mixture of two levels, and how many games each habit plays against it."""
    rules = find_offer("classic")[0].rules(SEATS, {"cards": CARDS})
    seated = {tuple(sorted(one.key for one in table_levels(level, rules, rules.seats - 1))) for level in LEVELS}
    for pair in itertools.combinations_with_replacement(sorted(level.key for level in LEVELS), SEATS - 1):
        if not ASKED or "+".join(pair) in {"+".join(sorted(one.split("+"))) for one in ASKED.split(",")}:
            yield pair, GAMES if pair in seated else FEW


def run() -> None:
    print(f"Classic, {SEATS} seats, {CARDS} cards: share of wins of each habit, and the upper end of its 95% interval")
    print(f"{'house seats':<16}{'games':>6}" + "".join(f"{habit:>11}" for habit in HABITS))
    with ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn")) as pool:
        for pair, games in mixtures():
            shares = pool.map(_mean_share, [(habit, pair, games) for habit in HABITS])
            cells = [f"{share:>6.0%}<{upper_bound(share, games):<4.0%}" for share in shares]
            print(f"{'+'.join(pair):<16}{games:>6}" + "".join(cells), flush=True)


if __name__ == "__main__":
    run()
