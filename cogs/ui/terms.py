"""What was agreed, in words: for a challenge, and for the small print."""

from __future__ import annotations

from bot.engine.auction import Auction
from bot.engine.options import Choices, Number
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.referee.model import Setup
from cogs.ui.sentences import knows, say
from cogs.ui.stamps import span

FIRST = ("cards", "ties")
"""options that are told even where they are as usual"""
QUIET = ("prizes",)
"""told by another option"""


def short_name(game: Game) -> str:
    """The game's name as small print has it."""
    return game.name.removesuffix(" GOPS")


def terms(setup: Setup, rules: Rules, series: Series) -> str:
    """13 cards, ties discarded, 2 minutes a bid, rated."""
    words = [*option_words(rules)]
    if series.mode != "single":
        words.append(series_words(series))
    words.append(clock_words(setup.clock))
    words.append(say("rated" if setup.rated else "unrated"))
    return ", ".join(words)


def option_words(rules: Rules) -> list[str]:
    """Cards and ties, and every option that is not as usual."""
    declared = sorted(rules.game.options, key=lambda option: option.key not in FIRST)
    words: list[str] = []
    for option in declared:
        value = rules.options.get(option.key)
        usual = value == option.default or value is None
        if option.key in QUIET or (usual and option.key not in FIRST):
            continue
        if value is None:
            continue
        words.append(_option(option.key, option.title, value, option))
    return words


def _option(key: str, title: str, value: object, option: object) -> str:
    if isinstance(option, Choices):
        id = f"term-{key}-{value}"
        return say(id) if knows(id) else option.values[str(value)]
    id = f"term-{key}"
    if knows(id):
        return say(id, n=value)
    return f"{title}: {value}" if isinstance(option, Number) else title


def clock_words(seconds: int) -> str:
    return say("term-clock", span=span(seconds)) if seconds else say("term-clock-none")


def series_words(series: Series) -> str:
    return say(f"term-series-{series.mode}", n=series.number)


def tie_words(rules: Rules) -> str:
    """The tie rule in force; nothing where bids cannot tie or nothing is auctioned."""
    if not isinstance(rules, Auction) or not rules.hand:
        return ""
    return say(f"rule-cancel-{rules.ties}" if rules.cancel else f"rule-{rules.ties}")
