"""Autocomplete of more rules: one more rule in words, in combinations that the game allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.engine.options import CardList, Number, OneOf, Option
from bot.engine.refusals import RuleError
from bot.engine.rules import Game
from bot.engine.text.presets import PRESETS, find_offer
from bot.engine.text.wording import abbreviate_option, describe_option, normalize_text, read_card_list, read_words
from bot.errors import RefereeError
from bot.interactions.commands import MAX_ROW, MAX_ROWS
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.guild_settings import GuildSettings

OWN_OPTIONS = ("cards", "ties")
"""rules with a slash option of their own, which come last"""
SAMPLES = 2
"""numbers of a rule that are offered for an empty text"""


def list_rule_rows(wish: Wish, seats: int | None, guild: GuildSettings, typed: str) -> list[str]:
    """Return the rows for a typed text. Each begins with the rules before the last comma; an exact match is first."""
    game, offer = find_offer(wish.game or guild.game)
    usual = usual_seats(wish, guild)
    fewest, most = game.seats
    count = seats if seats is not None and fewest <= seats <= most and not offer.seats else usual
    before, _, fragment = (part.strip() for part in typed.rpartition(","))
    chosen = read_words(game, before)
    rows: list[str] = []
    asked = {key: value for key, value in (("cards", wish.cards), ("ties", wish.ties)) if value is not None}
    for option, value in _list_candidates(game, {**offer.options, **chosen, **asked}, fragment, count):
        line = _row_text(game, before, chosen, option, value)
        if option.key in (*chosen, *asked) or len(line) > MAX_ROW or line in rows:
            continue
        try:
            make_setup(replace(wish, words=line), count, guild)
        except RefereeError:
            continue
        rows.append(line)
        if len(rows) == MAX_ROWS:
            break
    return sorted(rows, key=lambda line: normalize_text(line) != normalize_text(typed))


def _row_text(game: Game, before: str, chosen: Mapping[str, Any], option: Option, value: Any) -> str:
    """Return the typed rules and the new one, in short forms if the row is too long otherwise."""
    line = ", ".join(filter(None, (before, describe_option(option, value))))
    if len(line) <= MAX_ROW:
        return line
    declared = {declared_option.key: declared_option for declared_option in game.options}
    return ", ".join(
        [*(abbreviate_option(declared[key], chosen[key]) for key in chosen), abbreviate_option(option, value)]
    )


def _list_candidates(game: Game, now: Mapping[str, Any], fragment: str, seats: int) -> Iterator[tuple[Option, Any]]:
    """Yield every rule that matches the typed text and changes the game, rules of `OWN_OPTIONS` last."""
    words = normalize_text(fragment).split()
    for option in sorted(game.options, key=lambda option: option.key in OWN_OPTIONS):
        if isinstance(option, CardList):
            yield from ((option, value) for value in _complete_order(game, option, now, fragment, seats))
            continue
        present = now.get(option.key, option.default)
        values = [value for value in _list_values(option, words) if value != present]
        for value in values:
            if _has_words(words, _search_text(game, option, value)):
                yield option, value


def _has_words(words: list[str], text: str) -> bool:
    """Return True if each typed word begins a word of the text."""
    return all(f" {word}" in f" {text}" for word in words)


def _list_values(option: Option, words: list[str]) -> list[Any]:
    """Return the values to offer.

    For a number option these are the ones that match a typed number, samples if nothing is typed, or else all.
    """
    if isinstance(option, OneOf):
        return list(option.values)
    if not isinstance(option, Number):
        return [True, False]
    every = range(option.low, option.high + 1)
    typed = [str(int(word)) for word in words if word.isdecimal()]
    if typed:
        return [number for number in every if str(number).startswith((*typed,))]
    if words or len(every) <= SAMPLES + 1:
        return list(every)
    step = len(every) // 8  # players mostly choose low numbers
    return [number for number in every[step::step] if number != option.default][:SAMPLES]


def _search_text(game: Game, option: Option, value: Any) -> str:
    """Return the text to search for a rule: its words, its title, and the presets that only change this rule."""
    presets = [preset for preset in PRESETS if preset.game == game.key and dict(preset.options) == {option.key: value}]
    title = option.values[value] if isinstance(option, OneOf) else ""
    names = [name for preset in presets for name in (preset.key, preset.name, preset.title)]
    return normalize_text(
        " ".join((describe_option(option, value), abbreviate_option(option, value), option.title, title, *names))
    )


def _complete_order(
    game: Game, option: CardList, now: Mapping[str, Any], fragment: str, seats: int
) -> Iterator[list[Any]]:
    """Yield the typed list of cards, completed with the cards that it lacks."""
    typed = read_card_list(option, fragment)
    text = normalize_text(f"{describe_option(option, ())} {option.title} {abbreviate_option(option, ())}")
    if typed is None and not _has_words(normalize_text(fragment).split(), text):
        return
    unlisted = {key: value for key, value in now.items() if option.implies is None or key != option.implies[0]}
    try:
        rest = list(game.rules(seats, unlisted).pack())
    except RuleError:
        return
    for card in typed or ():
        if card not in rest:
            return
        rest.remove(card)
    yield [*(typed or ()), *rest]
