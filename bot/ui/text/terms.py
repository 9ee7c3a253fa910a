"""Terms of a match in words, for challenges and for the small print of boards."""

from __future__ import annotations

from functools import lru_cache

from bot.engine.options import CardList
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.text.presets import find_preset
from bot.engine.text.wording import describe_option, rules_in_force
from bot.referee.model.model import Setup
from bot.ui.text.sentences import capitalize, say
from bot.ui.text.stamps import format_span

ALWAYS_SHOWN = ("cards", "ties")
"""options that are shown even if they have their usual value"""


def short_name(game: Game) -> str:
    """Return the name of a game for the small print."""
    return game.name.removesuffix(" GOPS")


@lru_cache(maxsize=1024)
def game_title(rules: Rules, *, is_short: bool = False, any_seats: bool = False) -> str:
    """Return the name of the game, with the name of the preset that has these rules: "Classic GOPS (Carried ties)".

    `any_seats`: the number of players is still open, so no preset for one number of them is named.
    """
    name, preset = short_name(rules.game) if is_short else rules.game.name, find_preset(rules)
    if preset is None or (any_seats and preset.seats):
        return name
    if set(preset.name.replace(",", "").split()) & set(rules.game.name.split()):
        return preset.name
    return say("with-note", text=name, tally=preset.name)


def describe_terms(
    setup: Setup, rules: Rules, series: Series, *, is_limit_reached: bool = False, has_house: bool = False
) -> str:
    """Return the terms of a match, for example "13 cards · ties: nobody gets the prize · rated".

    `is_limit_reached`: the match cannot count because too many matches of the same players counted today. `has_house`:
    a line of its own says why it is not rated.
    """
    words = [*option_words(rules), *unusual_series(series, rules), clock_words(setup.clock)]
    if not has_house:
        words.append(rated_words(setup, is_limit_reached=is_limit_reached))
    if setup.place == "board" and has_board_keys(rules):
        words.append(say("term-board"))
    return capitalize(" · ".join(words))


def rating_text(shown: int, *, provisional: bool) -> str:
    """Return a rating; a star marks one that a footnote (`provisional`) calls provisional."""
    return f"{shown}{say('star') if provisional else ''}"


@lru_cache(maxsize=1024)
def has_board_keys(rules: Rules) -> bool:
    """Return True if a match by these rules can be bid by keys on its board: one set of keys serves every hand."""
    return bool(rules.shared_keys(rules.start(rules.deal(rules.pack()))))


def rated_words(setup: Setup, *, is_limit_reached: bool) -> str:
    """Return whether the match counts, or why a rated match cannot count."""
    return say("unrated-enough" if is_limit_reached else "rated" if setup.rated else "unrated")


def option_words(rules: Rules) -> list[str]:
    """Return cards and ties, and every option with an unusual value, in words."""
    changed = dict(rules_in_force(rules))
    declared = {option.key: option for option in rules.game.options}
    for key in ALWAYS_SHOWN:
        if key in declared and rules.options.get(key) is not None:
            changed.setdefault(key, describe_option(declared[key], rules.options[key]))
    return [
        changed[key] for key in sorted(changed, key=lambda key: (key not in ALWAYS_SHOWN, list(declared).index(key)))
    ]


@lru_cache(maxsize=1024)
def describe_rules_in_force(rules: Rules, series: Series) -> tuple[str, ...]:
    """Return the rules for the small print of a board: every option with an unusual value, and the series.

    The result is cached, because every edit of the board shows it.
    """
    ties = tie_words(rules)
    card_lists = {declared.key for declared in rules.game.options if isinstance(declared, CardList)}
    words = [ties] if ties else []
    for key, option in rules_in_force(rules):
        if key in card_lists:
            words.append(say("term-listed"))  # the cards themselves stand under what is still to come
        elif key != "ties" or not ties:
            words.append(option)
    return (*words, *unusual_series(series, rules))


def unusual_series(series: Series, rules: Rules) -> list[str]:
    """Return the words of a series with several deals, or of one deal in a game that usually has several."""
    is_unusual = series.mode != "single" or series != rules.game.series
    return [series_words(series, rules)] if is_unusual else []


def clock_words(seconds: int) -> str:
    return say("term-clock", span=format_span(seconds)) if seconds else say("term-clock-none")


def series_words(series: Series, rules: Rules) -> str:
    """Return the number of deals and, if it is not the points, what adds up."""
    if series.mode == "deals" and rules.by_wins:
        return say("series-deals-won", n=series.number)
    level = "-points" if series.level == "points" else ""
    return say(f"term-series-{series.mode}{level}", n=series.number)


def tie_words(rules: Rules) -> str:
    """Return the tie rule in force; empty if bids cannot tie or the game auctions no prizes."""
    sale = rules.sale
    if sale is None or not sale.hand:
        return ""
    is_cancelling = sale.cancel and rules.seats > 2  # of two seats both tie, or none
    ties = say(f"rule-cancel-{sale.ties}" if is_cancelling else f"rule-{sale.ties}")
    return say("rule-swap", ties=ties) if sale.swap else ties
