"""Options in words: as a board shows the rules in force, and as people type them ("blind bids, win-only").

Everything comes from what a game declares, so that the rules of a new game can be typed without a line elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.engine.cards import ACE_HIGH, ACE_LOW, JOKER, PACK, Card, face, rank_letter, read_plain, suit
from bot.engine.counted import Counted, forms
from bot.engine.options import CardList, Number, OneOf, Option
from bot.engine.refusals import BadSetup
from bot.engine.rules import Game, Rules
from bot.engine.series import Series, read_series
from bot.engine.text.presets import PRESETS
from bot.engine.variants import GAMES

YES, NO = ("yes", "on", "true"), ("no", "off", "false")
COURT = 13
"""if there is a card above this, all cards are plain numbers (RULING N1)"""


_SPELLED: Mapping[str, Card] = {
    **{str(card).upper(): card for card in (JOKER, ACE_HIGH, ACE_LOW)},
    face(JOKER).upper(): JOKER,
    **{
        spelled: card
        for card in PACK
        for symbol, *digits in (face(card),)
        for of in (symbol, suit(card))
        for spelled in (f"{of}{''.join(digits)}", f"{''.join(digits)}{of}")
    },
}
"""Every spelling of a suited card, the Joker or a declared Ace, such as 10D, D10, ♦10, 10♦."""


# --- from options to words --------------------------------------------------------------------------------


def describe_option(option: Option, value: Any) -> str:
    """Describe one option as a board names it: 2 cards a bid."""
    if isinstance(option, OneOf):
        return option.words.get(value) or _title_words(option.values[value])
    if isinstance(option, Number | CardList):
        words = option.words or f"{option_name(option.key)} {{n}}"
        return words.format(n=format_cards(value) if isinstance(option, CardList) else value)
    words = option.words or _title_words(option.title)
    return words if value else f"no {words}"


def abbreviate_option(option: Option, value: Any) -> str:
    """Describe one option in its shortest typed form: bid cards 2."""
    if isinstance(option, CardList):
        return f"{option_name(option.implies[0] if option.implies else option.key)} {format_cards(value)}"
    if isinstance(option, OneOf | Number):
        return f"{option_name(option.key)} {value}"
    return option_name(option.key) if value else f"no {option_name(option.key)}"


def option_name(key: str) -> str:
    """Return the key of an option in words: row size."""
    return key.replace("_", " ")


def format_cards(cards: tuple[Card, ...] | list[Card]) -> str:
    """Format a list of cards as people type it: A 5 3."""
    numbers = [card for card in cards if isinstance(card, int)]
    return " ".join(map(str if any(card > COURT for card in numbers) else rank_letter, numbers))


def rules_in_force(rules: Rules) -> list[tuple[str, str]]:
    """Return the key and words of every changed option; the words can be typed again."""
    return describe_options(rules.game, rules.options)


def describe_options(game: Game, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what `rules_in_force` returns, for options that may be incomplete."""
    declared = {option.key: option for option in game.options}
    values = {key: options.get(key, option.default) for key, option in declared.items()}
    changed = {key for key, value in values.items() if value != declared[key].default and value is not None}
    for key in sorted(changed):
        implied = _implied_option(declared[key])
        if implied is None:
            continue
        if values[implied[0]] == implied[1]:
            if isinstance(declared[key], CardList):
                changed.discard(implied[0])  # the list implies it
        else:
            changed.add(implied[0])
    return [(key, describe_option(option, values[key])) for key, option in declared.items() if key in changed]


_SERIES = (
    (re.compile(r"(?:one|1|a|single) (?:deal|game|match)|single|one"), "single", ""),
    (re.compile(r"(?:(?:one|1|a|single) (?:deal|game|match) )?(?:a draw is|draws are) replayed"), "first-to", "1"),
    (re.compile(r"first to win a (?:deal|game)"), "first-to", "1"),
    (
        re.compile(r"best of (\d{1,9})(?: (?:games?|deals?))?(?: (?:level by|then) (?:one |an )?extra game)?"),
        "best-of",
        "games",
    ),
    (re.compile(r"best of (\d{1,9})(?: (?:games?|deals?))? (?:level |then )?by points"), "best-of", "points"),
    (re.compile(r"(\d{1,9}) deals?(?: (?:points added up|most won))?"), "deals", "deals"),
    (re.compile(r"(?:up )?to (\d{1,9})(?: points?)?|(\d{1,9}) points?"), "target", "points"),
    (re.compile(r"first to (?:win )?(\d{1,9})(?: (?:deals?|wins?|games?))?"), "first-to", "wins"),
)
"""the typed forms of each series, its mode, and the name of its number"""


def read_series_text(typed: str) -> Series | None:
    """Return a series as people type it: 5 deals; to 150 points; best of 7, level by points.

    None if the text is not a series. Refuse a series out of range.
    """
    text = normalize_text(typed.replace(",", " "))
    for pattern, mode, counted in _SERIES:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        if mode == "single":
            return read_series({"mode": mode})
        if counted == "1":
            return read_series({"mode": mode, "wins": 1})
        number = int(next(group for group in found.groups() if group))
        if mode == "best-of":
            level = {"level": "points"} if counted == "points" else {}
            return read_series({"mode": mode, "games": number, **level})
        return read_series({"mode": mode, counted: number})
    return None


def abbreviate_series(series: Series) -> str:
    """Describe a series in its shortest typed form."""
    return str(series).removesuffix(", points added up")


def describe_series(series: Series, rules: Rules) -> str:
    """Return how many deals make the match and what decides it, in the words of the rules; "" for a single deal."""
    n, best = series.number, "fewest" if rules.least_wins else "most"
    if series.mode == "single":
        return "" if rules.game.series == series else "One deal is played."
    if series.mode == "first-to":
        once = "One deal is played. A drawn deal is played again, at most twice."
        return Counted(once, "The first player to win {n} deals wins the match.").format(n=n)
    if series.mode == "target":
        return f"Deals are played until a player has {n} points. Then the {best} points in total win."
    if series.mode == "best-of":
        level = "the points of all deals decide" if series.level == "points" else "one extra deal decides"
        return f"The match is the best of {n} deals. If it is level, {level}."
    if rules.by_wins:
        return f"The player who wins most of {n} deals wins the match."
    return Counted("One deal is played.", "The points of {n} deals are added up.").format(n=n)


def _implied_option(option: Option) -> tuple[str, object] | None:
    return option.implies if isinstance(option, Number | CardList) else None


# --- from words to options --------------------------------------------------------------------------------


def read_words(game: Game, typed: str) -> dict[str, Any]:
    """Read words such as "blind bids, win-only" as options. The game checks whether their values fit."""
    named: dict[str, Any] = {}
    implied: dict[str, Any] = {}
    for fragment in typed.split(","):
        if not fragment.strip():
            continue
        found = _read_fragment(game, fragment)
        if found is None:
            x, words = fragment.strip()[:40], normalize_text(fragment).split()
            if refused := [id for word, id in game.refused_words if word in words]:
                raise BadSetup(refused[0], game=game.name)
            if not game.options:
                raise BadSetup("option-elsewhere", game=game.name, x=x)
            raise BadSetup("unknown-option", game=game.name, x=x, list=list_rules(game))
        named |= found
        for option in game.options:
            also = _implied_option(option)
            if also is not None and option.key in found:
                implied[also[0]] = also[1]
    return {**implied, **named}


def refuse_elsewhere(game: Game, options: Mapping[str, Any]) -> None:
    """Refuse a rule that only other games have, unless this game gives its own reason in `excludes`."""
    own = {option.key for option in game.options}
    for key, value in options.items():
        others = [other.name for other in GAMES if any(option.key == key for option in other.options)]
        if key not in own and others and not any(no[:2] == (key, value) for no in game.excludes):
            raise BadSetup("option-of-others", game=game.name, x=option_name(key), list=", ".join(others))


EXAMPLES = {"cards": 7, "bid_cards": 2, "row_size": 4, "tricks": 100}
"""values of number options that are shown as examples"""


def sample_order(game: Game) -> tuple[Card, ...]:
    """Return an order of the prizes as an example of a listed one."""
    sale = game.rules(game.seats[0]).sale
    return sale.prizes[::-1] if sale is not None else ()


def list_rules(game: Game) -> str:
    """Return every rule of a game as it can be typed; numbers and lists are examples."""
    implied = [option.implies for option in game.options if isinstance(option, CardList)]
    words: list[str] = []
    for option in game.options:
        if isinstance(option, OneOf):
            usual = [(option.key, option.default), *implied]
            words += [describe_option(option, value) for value in option.values if (option.key, value) not in usual]
        elif isinstance(option, Number):
            words.append(describe_option(option, EXAMPLES.get(option.key, option.low)))
        elif isinstance(option, CardList):
            words.append(describe_option(option, sample_order(game)))
        else:
            words.append(describe_option(option, not option.default))
    return ", ".join(words)


def _read_fragment(game: Game, fragment: str) -> dict[str, Any] | None:
    """Return what one fragment means: a rule of this game, one of its presets, or a rule of another game."""
    text = normalize_text(fragment)
    for candidate in (game, *(other for other in GAMES if other is not game)):
        for option in candidate.options:
            for value, words in _option_spellings(option):
                if text in words:
                    return {option.key: value}
        for preset in PRESETS if candidate is game else ():
            names = normalize_text(preset.key), normalize_text(preset.name)
            if preset.game == game.key and text in names and preset.options:
                return dict(preset.options)
        for option in sorted(candidate.options, key=lambda option: not isinstance(option, CardList)):
            value = _read_value(option, text)
            if value is not None:
                return {option.key: value}
    return None


def normalize_text(text: str) -> str:
    """Return a text without case, hyphens and doubled spaces, and with plain apostrophes."""
    plain = text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(re.sub(r"(?<=\w)-|[_:=]", " ", plain).split())


def _option_spellings(option: Option) -> Iterator[tuple[Any, set[str]]]:
    """Return every way to name each value of an option with few values."""
    key = normalize_text(option.key)
    if isinstance(option, OneOf):
        for value, title in option.values.items():
            named = normalize_text(value)
            yield (
                value,
                {
                    named,
                    f"{key} {named}",
                    normalize_text(describe_option(option, value)),
                    normalize_text(_title_words(title)),
                },
            )
    elif not isinstance(option, Number | CardList):
        words, title = normalize_text(describe_option(option, value=True)), normalize_text(_title_words(option.title))
        yes, no = ({f"{name} {word}" for name in (key, words) for word in said} for said in (YES, NO))
        yield True, {key, words, title, *yes}
        yield False, {f"no {key}", f"no {words}", f"not {key}", *no}


def read_card_list(option: CardList, fragment: str) -> list[Any] | None:
    """Return the cards of a list as it is being typed; None if it is not about this option."""
    text = normalize_text(fragment)
    implied = {option.implies[0]} if option.implies else set[str]()
    for head in filter(None, {normalize_text(option.words.partition("{n}")[0]), normalize_text(option.key), *implied}):
        rest = text.removeprefix(f"{head} ").split()
        if text.startswith(f"{head} ") and read_card(rest[0]) is not None:
            return [one if card is None else card for one, card in ((one, read_card(one)) for one in rest)]
    return None


def _read_value(option: Option, text: str) -> Any:
    """Return the value named with an option: a number, a list of cards, or a value that the game will refuse."""
    key = normalize_text(option.key)
    if isinstance(option, CardList):
        return read_card_list(option, text)
    if isinstance(option, Number) and option.words:
        for words in forms(option.words):
            before, _, after = normalize_text(words).partition("{n}" if "{n}" in words else "1")
            found = re.fullmatch(rf"{re.escape(before)}([+-]?\d{{1,9}}){re.escape(after)}", text)
            if found:
                return int(found[1])
    if text == key or text.startswith(f"{key} "):
        rest = text[len(key) :].strip()
        return int(rest) if re.fullmatch(r"[+-]?\d{1,9}", rest) else rest
    return None


def read_card(text: str) -> Card | None:
    """Read a card as people type it or as it is shown: 7, k, −3, 7d, ♦7, A+, Joker."""
    text = text.upper().replace("−", "-").replace("\ufe0f", "")  # the mark of an emoji: ♦️7
    return int(text) if re.fullmatch(r"-?\d{1,3}", text) else _SPELLED.get(text) or read_plain(text)


def _title_words(title: str) -> str:
    """Return a title as words, without the commas that separate rules."""
    words = title.replace(",", "")
    return words if words[:2].isupper() else words[:1].lower() + words[1:]
