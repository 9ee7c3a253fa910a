"""Common options of challenges, tables and practice: their choices and autocomplete, and the wish that they express."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from discord import app_commands

from bot.engine.refusals import RuleError
from bot.engine.series import Series
from bot.engine.text.presets import Preset, find_offer, list_offers
from bot.engine.text.wording import abbreviate_series, normalize_text, read_series_text
from bot.engine.variants import DEFAULT
from bot.errors import RefereeError
from bot.interactions.commands import MAX_ROW, MAX_ROWS, Rows, autocomplete, option
from bot.interactions.context import InteractionContext
from bot.interactions.shared.rule_completion import list_rule_rows
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.guild_settings import SETTINGS, GuildSettings
from bot.ui.text.offers import CLOCKS, SERIES, read_series_key, tie_rules
from bot.ui.text.sentences import capitalize, say

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
    row = f"{offer.name} · {seats} seats · {offer.title}"
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
    """Return the games and presets that match this text."""
    words = typed.lower().split()
    return [offer for offer in list_offers() if all(word in f"{offer.key} {game_row(offer)}".lower() for word in words)]


def _is_compatible(offer: Preset, typed: Mapping[str, Any], guild: GuildSettings) -> bool:
    """Return True if a game fits the other options. A challenge may still get more opponents."""
    wish = replace(_read_typed_wish(typed), game=offer.key, words=typed.get("options") or "")
    seats = _count_typed_seats(typed)
    if wish == Wish(game=offer.key) and seats is None:
        return True
    if "opponent" in typed:
        return any(_is_playable(wish, count, guild) for count in range(seats or 2, MAX_PEOPLE + 1))
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
    series = typed.get("series")
    return Wish(
        cards=typed.get("cards"),
        ties=typed.get("ties"),
        series=find_series_or_none(series),
    )


def _count_typed_seats(typed: Mapping[str, Any]) -> int | None:
    """Return the number of players: the challenger and the opponents, or the typed seats of a table."""
    if "opponent" in typed:
        return 1 + sum(typed.get(name) is not None for name in ("opponent", *(f"player{n}" for n in range(2, 8))))
    return typed.get("seats")


def find_offer_game(typed: str) -> str:
    """Return the key of the game for a name of a game or preset."""
    game, _ = find_offer(find_game(typed))
    return game.key


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Options of every command that begins a match, as the user typed them."""

    game: str | None = option("Which game; type to search", complete=complete_game)
    cards: app_commands.Range[int, 2, 25] | None = option("How many cards each hand has")
    ties: str | None = option("What happens to a prize when the highest bids are equal", tie_rules(DEFAULT))


@dataclass(frozen=True, slots=True)
class ChallengeOptions(GameOptions):
    """Options of challenges and tables."""

    clock: int | None = option("Time for each bid", CLOCKS)
    series: app_commands.Range[str, 1, 60] | None = option(
        "One deal or several: 5 deals, to 150 points, best of 7; type your own", complete=complete_series
    )
    rated: bool | None = option("Count it for the leaderboard")
    options: app_commands.Range[str, 1, MAX_TYPED] | None = option(
        "More rules: blind, order, two cards, open prizes, win-only; type to search", complete=complete_options
    )
    place: str | None = option(
        "Where people bid: each where they like it, or all on the board",
        {key: say(f"place-{key}") for key in SETTINGS["place"].values},
    )

    def read_wish(self) -> Wish:
        """Return the wish that the options express, or refuse a game or series that cannot be read."""
        series = find_series(self.series) if self.series else None
        return replace(self.read_nearest_wish(), game=find_game(self.game) if self.game else None, series=series)

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
            place=self.place,
        )
