"""Clocks, series and tie rules that pickers offer, in the words of the slash commands."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.options import OneOf
from bot.engine.refusals import RuleError
from bot.engine.rules import Game
from bot.engine.series import Series, read_series
from bot.engine.variants import GAMES
from bot.ui.text.stamps import format_span
from bot.ui.text.terms import short_name

CLOCKS: Mapping[int, str] = {
    seconds: format_span(seconds) for seconds in (30, 60, 120, 300, 900, 3600, 28800, 86400, 259200)
}
"""seconds for each bid"""

SERIES: Mapping[str, tuple[str, Series]] = {
    "one": ("One deal", Series()),
    "first-1": ("One deal, a draw is replayed", Series("first-to", 1)),
    "best-3": ("Best of 3", Series("best-of", 3)),
    "best-5": ("Best of 5", Series("best-of", 5)),
    "deals-3": ("3 deals, points added up", Series("deals", 3)),
    "target-100": ("To 100 points", Series("target", 100)),
    "first-2": ("First to win 2 deals", Series("first-to", 2)),
}
"""words and series by key"""


def tie_rules(game: Game) -> Mapping[str, str]:
    """Return the tie rules that a game offers; empty if its tie rule is fixed."""
    none: Mapping[str, str] = {}
    return next((o.values for o in game.options if isinstance(o, OneOf) and o.key == "ties"), none)


_MODES = {
    "best": ("best-of", "games"),
    "deals": ("deals", "deals"),
    "target": ("target", "points"),
    "first": ("first-to", "wins"),
}


def series_key(series: Series) -> str:
    """Return the key of a series for custom ids: one, best-7, best-7-points, deals-5."""
    if series.mode == "single":
        return "one"
    name = next(name for name, (mode, _) in _MODES.items() if mode == series.mode)
    return f"{name}-{series.number}" + ("-points" if series.level == "points" else "")


def read_series_key(key: str) -> Series | None:
    """Return the series of a key, or None if the key is invalid."""
    if key == "one":
        return Series()
    name, _, rest = key.partition("-")
    number, _, level = rest.partition("-")
    if name not in _MODES or not number.isdecimal() or level not in ("", "points"):
        return None
    mode, number_field = _MODES[name]
    try:
        return read_series({"mode": mode, number_field: int(number), **({"level": level} if level else {})})
    except RuleError:
        return None


def series_name(series: Series) -> str:
    """Return the name of a series for a menu."""
    name = next((words for words, offered in SERIES.values() if offered == series), str(series))
    return name[:1].upper() + name[1:]


def pool_name(pool: str) -> str:
    """Return the name of a rating pool, which is that of its game."""
    return next((short_name(game) for game in GAMES if game.key == pool), pool)
