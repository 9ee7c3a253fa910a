"""The best margin that a daily deal allows against its house, found in a worker by looking through how it can go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine.cards import Card
from bot.engine.choices import Choice
from bot.engine.rules import Rules
from bot.engine.state import State
from bot.engine.variants import DEFAULT
from bot.engine.view import observe
from bot.referee.proof import version2 as v2
from bot.referee.repository.house_levels import SLY, Level, find_level
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question

YOU, HOUSE = 0, 1


@dataclass(frozen=True, slots=True)
class DailyGame:
    """A day's cards, and all that the house plays by."""

    options: Mapping[str, Any]
    pack: tuple[Card, ...] = field(repr=False)
    level: str
    nonce: bytes = field(repr=False)
    agreed: str


def best_margin(game: DailyGame) -> int:
    """Return the largest margin that a player with full knowledge could win by.

    The house answers to earlier bids, so every line of play differs. Lines are cut that cannot improve the margin.
    """
    rules = DEFAULT.rules(2, dict(game.options))
    search = _Search(game, rules, find_level(game.level) or SLY)
    search.search(rules.start(rules.deal(game.pack)))
    return search.most


class _Search:
    """Every way to play it, the most promising first."""

    def __init__(self, game: DailyGame, rules: Rules, level: Level) -> None:
        self._game, self._rules, self._level = game, rules, level
        self.most = -sum(rules.value(card) for card in game.pack)

    def search(self, state: State) -> None:
        margin = self._margin(state)
        if state.over:
            self.most = max(self.most, margin)
            return
        if margin + sum(map(self._rules.value, (*state.stock, *state.exposed))) <= self.most:
            return
        prompts = {prompt.seat: prompt for prompt in self._rules.prompts(state)}
        if all(prompt.is_forced for prompt in prompts.values()):
            self.search(self._rules.resolve(state, {seat: prompt.lowest() for seat, prompt in prompts.items()})[0])
            return
        answer = self._choose_answer(state)
        ways = [
            self._rules.resolve(state, {YOU: self._rules.bid(card), HOUSE: answer})[0] for card in prompts[YOU].options
        ]
        for after in sorted(ways, key=self._margin, reverse=True):  # of equals the lowest card first
            self.search(after)

    def _choose_answer(self, state: State) -> Choice:
        place = (0, len(state.rounds), len(state.again))
        chance = Chance(v2.house_key(self._game.nonce, self._game.agreed, place, HOUSE))
        return self._level.mind(Question(self._rules, DEFAULT.series, observe(state, HOUSE), (), chance))

    def _margin(self, state: State) -> int:
        mine, theirs = self._rules.score(state)
        return int(mine - theirs)
