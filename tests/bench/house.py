"""The house against itself: every level meets every other, each playing a single deal to win, with 95% intervals."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from bot.engine.rules import Rules
from bot.engine.series import SINGLE
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.players.chance import Chance
from bot.solver.players.levels import LEVELS, Level, Question, find_level

GAMES = int(os.environ.get("GAMES", "1000"))
CORES = int(os.environ.get("CORES", "2"))
PAIRS = os.environ.get("PAIRS", "")
"""Only these: `sage+hawk,hawk+hawk`, the level on the left first."""
FEW = 8


@dataclass(frozen=True)
class Tally:
    """How one level fared against another."""

    won: int
    drawn: int
    lost: int

    @property
    def decided(self) -> int:
        return self.won + self.lost

    @property
    def share(self) -> float:
        """The part of the decided games that was won; a half if none was decided."""
        return self.won / self.decided if self.decided else 0.5

    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the share."""
        if not self.decided:
            return 0.0, 1.0
        n, p, z = self.decided, self.share, 1.96
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return centre - half, centre + half


def duel(rules: Rules, sides: tuple[Level, Level], seed: str) -> int:
    """One deal: above 0 if the first side won."""
    dice = random.Random(seed)
    pack = list(rules.pack())
    dice.shuffle(pack)
    state = rules.start(rules.deal(tuple(pack)))
    while not state.over:
        chances = {seat: Chance(f"{seed} {state.number} {seat}".encode()) for seat in state.awaited}
        asked = {seat: Question(rules, SINGLE, observe(state, seat), (), chances[seat]) for seat in state.awaited}
        state, _ = rules.resolve(state, {seat: sides[seat].mind(asked[seat]) for seat in state.awaited})
    mine, theirs = rules.score(state)
    return (mine > theirs) - (mine < theirs)


def meet(one: Level, other: Level, games: int, cards: int = 13, seed: str = "house") -> Tally:
    """So many games, each side in each seat as often."""
    rules = find_offer("classic")[0].rules(2, {"cards": cards})
    results = [
        duel(rules, (one, other), f"{seed} {game}") if game % 2 else -duel(rules, (other, one), f"{seed} {game}")
        for game in range(games)
    ]
    return Tally(results.count(1), results.count(0), results.count(-1))


def told(pairing: tuple[str, str, int, int]) -> str:
    """One line of the table; in a process of its own."""
    one, other, games, cards = pairing
    sides = find_level(one), find_level(other)
    assert sides[0] is not None
    assert sides[1] is not None
    tally = meet(sides[0], sides[1], games, cards)
    low, high = tally.interval()
    return (
        f"{sides[0].name:<8} against {sides[1].name:<8} won {tally.won:4}, drawn {tally.drawn:3}, lost {tally.lost:4};"
        f" of the decided {tally.share:6.1%} ({low:.1%} to {high:.1%})"
    )


def run() -> None:
    quick = [level.key for level in LEVELS if not level.slow]
    slow = [level.key for level in LEVELS if level.slow]
    only = {tuple(pair.split("+")) for pair in PAIRS.split(",") if pair}
    print(f"{GAMES} games of every pair: Classic with 13 cards; where Hawk or Sage plays, whose matches of 13 cards")
    print(f"hold one thought of seconds each, with {FEW}, which both play exactly to win")
    pairs = [(one, other, GAMES, 13) for place, one in enumerate(quick) for other in quick[: place + 1]]
    pairs += [(one, other, GAMES, FEW) for place, one in enumerate(slow) for other in (*quick, *slow[: place + 1])]
    pairs = [pair for pair in pairs if not only or pair[:2] in only]
    with ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn")) as pool:
        for line in pool.map(told, pairs):
            print(line, flush=True)
