"""The house against itself: every level meets every other in the 13-card game, with 95 % intervals."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from bot.engine.presets import find_offer
from bot.engine.rules import Rules
from bot.engine.series import SINGLE
from bot.engine.view import observe
from bot.solver.draws import Draws
from bot.solver.levels import LEVELS, Level, Question

GAMES = 1000
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
        """Wilson's 95 % interval of the share."""
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
        chances = {seat: Draws(f"{seed} {state.number} {seat}".encode()) for seat in state.awaited}
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


def table(games: int, levels: list[Level]) -> None:
    for place, one in enumerate(levels):
        for other in levels[: place + 1]:
            show(one, other, meet(one, other, games))


def show(one: Level, other: Level, tally: Tally) -> None:
    low, high = tally.interval()
    print(
        f"{one.name:<8} against {other.name:<8} won {tally.won:4}, drawn {tally.drawn:3}, lost {tally.lost:4};"
        f" of the decided {tally.share:6.1%} ({low:.1%} to {high:.1%})"
    )


def run() -> None:
    quick = [level for level in LEVELS if not level.slow]
    print(f"{GAMES} games of Classic with 13 cards for every pair")
    table(GAMES, quick)
    print(
        f"{GAMES} games of Classic with {FEW} cards: Sage, whose matches of 13 cards hold one thought of seconds each"
    )
    for slow in (level for level in LEVELS if level.slow):
        for other in (*quick, slow):
            show(slow, other, meet(slow, other, GAMES, FEW))
