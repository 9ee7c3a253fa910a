"""What was agreed, in words: for a challenge, and for the small print."""

from __future__ import annotations

from functools import lru_cache

from bot.engine.options import CardList
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.text.wording import describe_option, rules_in_force
from bot.referee.model.model import Setup
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_span

ALWAYS_TOLD = ("cards", "ties")
"""options that are told even where they are as usual"""


def short_name(game: Game) -> str:
    """The game's name as small print has it."""
    return game.name.removesuffix(" GOPS")


def describe_terms(setup: Setup, rules: Rules, series: Series, *, enough: bool = False) -> str:
    """13 cards, ties discarded, 2 minutes a bid, rated; `enough` of the same people counted today."""
    words = [*option_words(rules)]
    if _is_unusual(series, rules.game):
        words.append(series_words(series, rules))
    words.append(clock_words(setup.clock))
    words.append(rated_words(setup, enough=enough))
    if setup.place == "table" and has_board_keys(rules):
        words.append(say("term-table"))
    return ", ".join(words)


@lru_cache(maxsize=1024)
def has_board_keys(rules: Rules) -> bool:
    """Return True if a match by these rules can be bid by keys on its board: one set of keys serves every hand."""
    return bool(rules.shared_keys(rules.start(rules.deal(rules.pack()))))


def rated_words(setup: Setup, *, enough: bool) -> str:
    """Whether it counts; where it was meant to and cannot, why."""
    return say("unrated-enough" if enough else "rated" if setup.rated else "unrated")


def option_words(rules: Rules) -> list[str]:
    """Cards and ties, and every option that is not as usual."""
    changed = dict(rules_in_force(rules))
    declared = {option.key: option for option in rules.game.options}
    for key in ALWAYS_TOLD:
        if key in declared and rules.options.get(key) is not None:
            changed.setdefault(key, describe_option(declared[key], rules.options[key]))
    return [
        changed[key] for key in sorted(changed, key=lambda key: (key not in ALWAYS_TOLD, list(declared).index(key)))
    ]


@lru_cache(maxsize=1024)
def describe_rules_in_force(rules: Rules, series: Series) -> tuple[str, ...]:
    """The rules of a match for the small print of its board: every option that is not as usual, and the series. Told
    again at every edit of it."""
    ties = tie_words(rules)
    listed = {option.key for option in rules.game.options if isinstance(option, CardList)}
    words = [ties] if ties else []
    for key, words_of_it in rules_in_force(rules):
        if key in listed:
            words.append(say("term-listed"))  # the cards themselves stand under what is still to come
        elif key != "ties" or not ties:
            words.append(words_of_it)
    if _is_unusual(series, rules.game):
        words.append(series_words(series, rules))
    return (*words,)


def _is_unusual(series: Series, game: Game) -> bool:
    """Whether a series has to be told: several deals, or one where the game has several."""
    return series.mode != "single" or series != game.series


def clock_words(seconds: int) -> str:
    return say("term-clock", span=format_span(seconds)) if seconds else say("term-clock-none")


def series_words(series: Series, rules: Rules) -> str:
    """How many deals, and what adds up where it is not points."""
    if series.mode == "deals" and rules.by_wins:
        return say("series-deals-won", n=series.number)
    level = "-points" if series.level == "points" else ""
    return say(f"term-series-{series.mode}{level}", n=series.number)


def tie_words(rules: Rules) -> str:
    """The tie rule in force; nothing where bids cannot tie or nothing is auctioned."""
    sale = rules.sale
    if sale is None or not sale.hand:
        return ""
    return say(f"rule-cancel-{sale.ties}" if sale.cancel else f"rule-{sale.ties}")
