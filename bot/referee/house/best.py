"""The best margin that a daily deal allows against its house: every way to play it, looked through in a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine.cards import Card
from bot.engine.rules import Rules
from bot.engine.state import State
from bot.engine.variants import DEFAULT
from bot.engine.view import observe
from bot.referee.house.levels import SLY, Level, find_level
from bot.referee.proof import version2 as v2
from bot.solver.draws import Draws
from bot.solver.levels import Question

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
    """By how much somebody could have won who knew everything: the house answers to what was played, so that each way
    is played out; with seven cards it is asked 3,620 times."""
    rules = DEFAULT.rules(2, dict(game.options))
    return _best(game, rules, find_level(game.level) or SLY, rules.start(rules.deal(game.pack)))


def _best(game: DailyGame, rules: Rules, level: Level, state: State) -> int:
    if state.over:
        mine, theirs = rules.score(state)
        return int(mine - theirs)
    prompts = {prompt.seat: prompt for prompt in rules.prompts(state)}
    if all(prompt.forced for prompt in prompts.values()):
        after, _ = rules.resolve(state, {seat: prompt.lowest() for seat, prompt in prompts.items()})
        return _best(game, rules, level, after)
    place = (0, len(state.rounds), len(state.again))
    draws = Draws(v2.house_key(game.nonce, game.agreed, place, HOUSE))
    answer = level.mind(Question(rules, DEFAULT.series, observe(state, HOUSE), (), draws))
    ways = (rules.resolve(state, {YOU: rules.bid(card), HOUSE: answer})[0] for card in prompts[YOU].options)
    return max(_best(game, rules, level, after) for after in ways)
