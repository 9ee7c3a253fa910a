"""Common options of challenges, tables and practice: their choices and autocomplete, and the wish that they express."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from discord import app_commands

from bot.engine.options import CardList, Number, OneOf, Option
from bot.engine.refusals import RuleError
from bot.engine.rules import Game
from bot.engine.series import Series
from bot.engine.text.presets import PRESETS, Preset, find_offer, list_offers
from bot.engine.text.wording import (
    abbreviate_option,
    abbreviate_series,
    describe_option,
    normalize_text,
    read_card_list,
    read_series_text,
    read_words,
)
from bot.engine.variants import DEFAULT
from bot.errors import RefereeError
from bot.interactions.commands import MAX_ROW, MAX_ROWS, Rows, autocomplete, command_option, filter_rows
from bot.interactions.context import InteractionContext
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.guild_settings import GuildSettings
from bot.solver.players.levels import LEVELS, Level
from bot.ui.text.names import join_words, quote
from bot.ui.text.offers import CLOCKS, SERIES, read_series_key, tie_rules
from bot.ui.text.sentences import capitalize, say

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


MAX_TYPED = 1000
"""characters of typed rules; a listed order of eight hands fits"""

MAX_PEOPLE = 8
"""players at one table"""


def find_game(typed: str) -> str:
    """Return the key of the game or preset that has this key, name or row."""
    wanted = typed.strip().lower()
    for offer in list_offers():
        if wanted in (offer.key, offer.name.lower(), game_row(offer).lower()):
            return offer.key
    try:
        find_offer(wanted)
    except RuleError as refusal:
        raise RefereeError(refusal.id, **refusal.data) from refusal
    return wanted


def find_series(typed: str) -> Mapping[str, Any]:
    """Return the data of a series from its key or its words, or refuse."""
    try:
        series = read_series_key(typed) or read_series_text(typed)
    except RuleError as refusal:
        raise RefereeError(refusal.id, **refusal.data) from refusal
    if series is None:
        raise RefereeError("series-unread", x=typed[:40])
    return series.data()


def find_series_or_none(typed: object) -> Mapping[str, Any] | None:
    """Return the data of a series, or None if it cannot be read."""
    try:
        return find_series(typed) if isinstance(typed, str) and typed else None
    except RefereeError:
        return None


@autocomplete
async def complete_series(context: InteractionContext, current: str) -> Rows:
    """Offer the series that match this text."""
    return [(capitalize(row), row) for row in list_series_rows(current)]


def list_series_rows(typed: str) -> list[str]:
    """Return the series that match this text: common ones and, with a number, all that this number can count."""
    words = normalize_text(typed.replace(",", " ")).split()
    numbers = [word for word in words if word.isdecimal()]
    usual = [abbreviate_series(series) for _, series in SERIES.values()]
    rows = [
        text
        for number in numbers[:1]
        for text in (
            f"{number} deals",
            f"best of {number}",
            f"best of {number}, level by points",
            f"to {number} points",
            f"first to win {number} deals",
        )
        if number != "1" or not text.startswith("best of")  # which is the same as 1 deal
    ]
    offered = [abbreviate_series(series) for text in (*rows, *usual) if (series := _read_series(text)) is not None]
    fitting = [
        text for text in dict.fromkeys(offered) if all(f" {word}" in f" {normalize_text(text)}" for word in words)
    ]
    exact = _read_series(typed)
    matches = [*([abbreviate_series(exact)] if exact is not None else list[str]()), *fitting]
    return list(dict.fromkeys(matches))[:MAX_ROWS]


def _read_series(text: str) -> Series | None:
    try:
        return read_series_text(text)
    except RuleError:
        return None


def game_row(offer: Preset) -> str:
    """Return the row of a game or preset in the picker of games."""
    game, _ = find_offer(offer.key)
    seats = f"{offer.seats}" if offer.seats else game.seat_range
    row = f"{offer.name} · {seats} players · {offer.title}"
    return row if len(row) <= MAX_ROW else f"{row[: MAX_ROW - 1]}…"


@autocomplete
async def complete_game(context: InteractionContext, current: str) -> Rows:
    """Offer the games and presets that match this text and fit the other typed options."""
    matches = find_games(current)
    try:
        guild = await context.referee.deciding.load_settings(context.origin.guild)
        fitting = [offer for offer in matches if _is_compatible(offer, context.typed_options, guild)]
    except Exception:  # a failed check must not leave the picker empty
        fitting = matches
    return [(game_row(offer), offer.key) for offer in fitting]


def find_games(typed: str) -> list[Preset]:
    """Return the games and presets that match this text: one of this name first, then names that begin with it."""
    words = typed.lower().split()
    found = [
        offer for offer in list_offers() if all(word in f"{offer.key} {game_row(offer)}".lower() for word in words)
    ]
    return sorted(found, key=lambda offer: _rank_name(offer, " ".join(words)))


def _rank_name(offer: Preset, typed: str) -> int:
    names = (offer.key, offer.name.lower())
    return 0 if typed in names else 1 if any(name.startswith(typed) for name in names) else 2


def _is_compatible(offer: Preset, typed: Mapping[str, Any], guild: GuildSettings) -> bool:
    """Return True if a game fits the other options. The set-up card can add players to a challenge."""
    wish = replace(_read_typed_wish(typed), game=offer.key, words=typed.get("options") or "")
    seats = _count_typed_seats(typed)
    if wish == Wish(game=offer.key) and seats is None:
        return True
    if "opponent" in typed:
        return any(_is_playable(wish, count, guild) for count in range(2, MAX_PEOPLE + 1))
    return _is_playable(wish, seats or usual_seats(wish, guild), guild)


def _is_playable(wish: Wish, seats: int, guild: GuildSettings) -> bool:
    try:
        make_setup(wish, seats, guild)
    except RefereeError:
        return False
    return True


@autocomplete
async def complete_options(context: InteractionContext, current: str) -> Rows:
    """Offer one more rule for the typed ones, in combinations that the game allows."""
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    wish = replace(
        _read_typed_wish(context.typed_options),
        game=find_game(context.typed_options["game"]) if context.typed_options.get("game") else None,
    )
    lines = list_rule_rows(wish, _count_typed_seats(context.typed_options), guild, current)
    return [(line, line) for line in lines]


def _read_typed_wish(typed: Mapping[str, Any]) -> Wish:
    """Return the wish of the typed options other than the game and the rules in words."""
    return Wish(cards=typed.get("cards"), ties=typed.get("ties"), series=find_series_or_none(typed.get("series")))


def _count_typed_seats(typed: Mapping[str, Any]) -> int | None:
    """Return the number of seats: two of a challenge and the house's, or the typed seats of a table."""
    if "opponent" in typed:
        return 2 + (typed.get("house") or 0)
    return typed.get("seats")


@autocomplete
async def complete_level(_: InteractionContext, current: str) -> Rows:
    """Offer the levels of the house that match this text."""
    return filter_rows(list_level_rows(), current)


def list_level_rows() -> Rows:
    """Return the levels, each with its strength."""
    return [(f"{level.name} ({level.strength})", level.key) for level in LEVELS]


def read_level(typed: str | None) -> Level | None:
    """Return the level with this key, name or row; None if none was typed."""
    if not typed or not typed.strip():
        return None
    word = typed.split("(")[0].strip().lower()
    found = next((level for level in LEVELS if word in (level.key, level.name.lower())), None)
    if found is None:
        raise RefereeError("no-level", x=quote(typed, 20), list=join_words([level.name for level in LEVELS]))
    return found


def find_offer_game(typed: str) -> str:
    """Return the key of the game for a name of a game or preset."""
    game, _ = find_offer(find_game(typed))
    return game.key


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Options of every command that begins a match, as the user typed them."""

    game: str | None = command_option("Type to search (default: server setting)", complete=complete_game)
    cards: app_commands.Range[int, 2, 25] | None = command_option("Cards in each hand (default: game rules)")
    ties: str | None = command_option("What a tie does to the prize (default: game rules)", tie_rules(DEFAULT))


@dataclass(frozen=True, slots=True)
class ChallengeOptions(GameOptions):
    """Options of challenges and tables."""

    clock: int | None = command_option("Time for each bid (default: server setting)", CLOCKS)
    series: app_commands.Range[str, 1, 60] | None = command_option(
        "For example 5 deals or best of 7 (default: game rules)", complete=complete_series
    )
    rated: bool | None = command_option("Count it for the leaderboard (default: server setting)")
    options: app_commands.Range[str, 1, MAX_TYPED] | None = command_option(
        "More rules; type to search (default: none)",
        complete=complete_options,
    )
    where: str | None = command_option(
        "Where people bid (default: server setting)",
        {key: say(f"place-{key}") for key in ("own", "board")},
    )
    house: app_commands.Range[int, 0, 7] | None = command_option("House players (default: none)")
    level: str | None = command_option("Level (default: mixed)", complete=complete_level)

    def read_wish(self) -> Wish:
        """Return the wish that the options express, or refuse a game or series that cannot be read."""
        series, level = find_series(self.series) if self.series else None, read_level(self.level)
        return replace(
            self.read_nearest_wish(),
            game=find_game(self.game) if self.game else None,
            series=series,
            level=level.key if level is not None else "",
        )

    def read_nearest_wish(self) -> Wish:
        """Return the wish without refusals: an unknown game becomes a similar one, an unread series is dropped."""
        try:
            game = find_game(self.game) if self.game else None
        except RefereeError as refusal:
            similar = refusal.data.get("y")
            game = find_game(similar) if similar else None
        return Wish(
            game=game,
            cards=self.cards,
            ties=self.ties,
            clock=self.clock,
            series=find_series_or_none(self.series),
            rated=self.rated,
            words=self.options or "",
            place=self.where,
            house=self.house or 0,
        )
