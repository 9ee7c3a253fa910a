"""What pickers offer: clocks, series and tie rules, in the words of the slash commands."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.options import OneOf
from bot.engine.rules import Game
from bot.engine.series import Series
from bot.engine.variants import GAMES
from cogs.ui.words.sentences import say
from cogs.ui.words.stamps import span
from cogs.ui.words.terms import short_name

CLOCKS: Mapping[int, str] = {seconds: span(seconds) for seconds in (30, 60, 120, 300, 900, 3600, 28800, 86400, 259200)}
"""seconds for each bid"""

SERIES: Mapping[str, tuple[str, Series]] = {
    "one": ("One deal", Series()),
    "best-3": ("Best of 3", Series("best-of", 3)),
    "best-5": ("Best of 5", Series("best-of", 5)),
    "deals-3": ("3 deals, points added up", Series("deals", 3)),
    "target-100": ("To 100 points", Series("target", 100)),
    "first-2": ("First to win 2 deals", Series("first-to", 2)),
}
"""key: its words, and the series"""


def ties_of(game: Game) -> Mapping[str, str]:
    """The tie rules that a game can be played with; none where it has its own."""
    none: Mapping[str, str] = {}
    return next((o.values for o in game.options if isinstance(o, OneOf) and o.key == "ties"), none)


def series_key(series: Series) -> str:
    """Which of the offered series this is; nothing for another one."""
    return next((key for key, (_, offered) in SERIES.items() if offered == series), "")


def pool_name(pool: str) -> str:
    """A rating pool in words: a game, or the family that shares one."""
    for game in GAMES:
        if game.pool == pool:
            return say("pool-family", game=short_name(game))
        if game.key == pool:
            return game.name
    return pool
