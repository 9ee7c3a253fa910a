"""Tables of three: what part of the games Sage wins against every pair of quick levels, and Reader in its seat.

`GAMES` says how many, `PAIRS` which pairs: `PAIRS=reader+sly,sly+sly`.
"""

import itertools
import os
import random
from collections.abc import Sequence

from bot.engine.presets import find_offer
from bot.engine.series import SINGLE
from bot.engine.view import observe
from bot.solver.chance import Chance
from bot.solver.levels import LEVELS, Level, Question, find_level
from tests.bench.house import Tally

GAMES = int(os.environ.get("GAMES", "60"))
ASKED = os.environ.get("PAIRS", "")
SEATS = 3


def shares(levels: Sequence[Level], seed: str) -> list[float]:
    """One deal of 13 cards: what part of it each of them won."""
    rules = find_offer("classic")[0].rules(SEATS, {"cards": 13})
    dice = random.Random(seed)
    pack = list(rules.pack())
    dice.shuffle(pack)
    state = rules.start(rules.deal(tuple(pack)))
    while not state.over:
        lots = {seat: Chance(f"{seed} {state.number} {seat}".encode()) for seat in state.awaited}
        asked = {seat: Question(rules, SINGLE, observe(state, seat), (), lots[seat]) for seat in state.awaited}
        state, _ = rules.resolve(state, {seat: levels[seat].mind(asked[seat]) for seat in state.awaited})
    scores = rules.score(state)
    winners = [score == max(scores) for score in scores]
    return [won / sum(winners) for won in winners]


def told(who: Level, others: Sequence[Level]) -> str:
    """One line: games won alone, shared, lost; and the interval of the part of the decided ones that was won."""
    found: list[float] = []
    for game in range(GAMES):
        seat = game % SEATS
        table = [*others[:seat], who, *others[seat:]]
        found.append(shares(table, f"g{game}")[seat])
    alone, lost = found.count(1.0), found.count(0.0)
    tally = Tally(alone, GAMES - alone - lost, lost)
    low, high = tally.interval()
    names = " and ".join(other.name for other in others)
    part = f"{sum(found) / GAMES:.1%} of {GAMES} games"
    return f"  {who.name:<7} against {names}: {part}; of those not shared {tally.share:.1%} ({low:.1%} to {high:.1%})"


def run() -> None:
    quick = [level.key for level in LEVELS if not level.slow]
    pairs = list(itertools.combinations_with_replacement(quick, SEATS - 1))
    if ASKED:
        pairs = [(one, other) for one, _, other in (pair.partition("+") for pair in ASKED.split(","))]
    for pair in pairs:
        others = [level for key in pair if (level := find_level(key)) is not None]
        for key in ("sage", "reader"):
            who = find_level(key)
            assert who is not None
            print(told(who, others), flush=True)


if __name__ == "__main__":
    run()
