"""Compile the kernels before a house player needs them. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.series import SINGLE, Series
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.endgame_values import answer_endgame
from bot.solver.kernels.cache_folder import is_compiled, mark_compiled
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question, find_level

GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    ("classic", {}),
    *(("classic", {"cards": 4, "ties": ties}) for ties in ("discard", "carry", "split")),
    ("known-order", {"cards": 4}),
    ("sops", {"cards": 4}),
    ("pico", {}),
)
SERIES = (SINGLE, Series("target", 1000))
"""A series played to win a deal, and a series played for points."""


def compile_kernels() -> None:
    """Compile all kernels that Sage and Hawk call, unless the cache folder holds them already."""
    if is_compiled():
        return
    answer_endgame(Endgame((1, 2), (1, 3), 2, (1, 2)))
    for question in _list_questions():
        for key in ("sage", "hawk"):
            level = find_level(key)
            assert level is not None
            level.mind(question)
    mark_compiled()


def _list_questions() -> Iterator[Question]:
    """Yield a first bid of each kind of game: a game in the tables, and small games that are solved at once."""
    for key, options in GAMES:
        game, offer = find_offer(key)
        declared = {option.key for option in game.options}
        chosen = {name: value for name, value in {**offer.options, **options}.items() if name in declared}
        rules = game.rules(2, chosen)
        state = rules.start(rules.deal(tuple(rules.pack())))
        for series in SERIES:
            yield Question(rules, series, observe(state, 0), (), Chance(b"warm-up"))
