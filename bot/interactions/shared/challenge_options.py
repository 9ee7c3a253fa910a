"""The common options of a challenge: their choices, autocomplete, and what was asked for."""

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
from bot.interactions.commands import Rows, autocomplete
from bot.interactions.context import InteractionContext
from bot.interactions.shared.rule_completion import MAX_ROW, list_rule_rows
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.guild_settings import SETTINGS, GuildSettings
from bot.ui.text.offers import CLOCKS, SERIES, read_series_key, tie_rules
from bot.ui.text.sentences import say

TIE_CHOICES = [app_commands.Choice(name=title, value=key) for key, title in tie_rules(DEFAULT).items()]
PLACE_CHOICES = [app_commands.Choice(name=say(f"place-{key}"), value=key) for key in SETTINGS["place"].values]
CLOCK_CHOICES = [app_commands.Choice(name=words, value=seconds) for seconds, words in CLOCKS.items()]

MAX_TYPED = 1000
"""characters of the rules that may be typed: a listed order of eight hands fits"""

MAX_PEOPLE = 8
"""who can be at one table"""

DESCRIPTIONS = {
    "game": "Which game; type to search",
    "cards": "How many cards each hand has",
    "ties": "What happens to a prize when the highest bids are equal",
    "clock": "Time for each bid",
    "series": "One deal or several: 5 deals, to 150 points, best of 7; type your own",
    "rated": "Count it for the leaderboard",
    "place": "Where people bid: each where they like it, or all on the board",
    "options": "More rules: blind, order, two cards, open prizes, win-only; type to search",
}


@dataclass(frozen=True, slots=True)
class ChallengeOptions:
    """The common options as they were typed."""

    game: str | None = None
    cards: int | None = None
    ties: str | None = None
    clock: int | None = None
    series: str | None = None
    rated: bool | None = None
    options: str | None = None
    place: str | None = None

    def read_wish(self) -> Wish:
        """What was typed, understood."""
        series = find_series(self.series) if self.series else None
        return replace(self.read_nearest_wish(), game=find_game(self.game) if self.game else None, series=series)

    def read_nearest_wish(self) -> Wish:
        """The same where nothing is refused: a game that there is not is the one that is alike, if any."""
        try:
            game = find_game(self.game) if self.game else None
        except RefereeError as refusal:
            near = refusal.data.get("y")
            game = find_game(near) if near else None
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


def find_game(typed: str) -> str:
    """The key of a game or preset, by key or by name."""
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
    """A series by its key or as it was typed."""
    known = read_series_key(typed)
    try:
        found = known or read_series_text(typed)
    except RuleError as refusal:
        raise RefereeError(refusal.id, **refusal.data) from refusal
    if found is None:
        raise RefereeError("series-unread", x=typed[:40])
    return found.data()


def find_series_or_none(typed: object) -> Mapping[str, Any] | None:
    """The same where nothing is refused."""
    try:
        return find_series(typed) if isinstance(typed, str) and typed else None
    except RefereeError:
        return None


@autocomplete
async def complete_series(context: InteractionContext, current: str) -> Rows:
    """Series that fit this text, and what its number can mean."""
    return [app_commands.Choice(name=row[:1].upper() + row[1:], value=row) for row in list_series_rows(current)]


def list_series_rows(typed: str) -> list[str]:
    """The usual ones; of a number that is typed everything that it can count."""
    words = normalize_text(typed.replace(",", " ")).split()
    numbers = [word for word in words if word.isdecimal()]
    usual = [abbreviate_series(one) for _, one in SERIES.values()]
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
    told = [abbreviate_series(one) for text in (*rows, *usual) if (one := _read_series(text)) is not None]
    fitting = [text for text in dict.fromkeys(told) if all(f" {word}" in f" {normalize_text(text)}" for word in words)]
    exact = _read_series(typed)
    found = [*([abbreviate_series(exact)] if exact is not None else list[str]()), *fitting]
    return list(dict.fromkeys(found))[:25]


def _read_series(text: str) -> Series | None:
    try:
        return read_series_text(text)
    except RuleError:
        return None


def game_row(offer: Preset) -> str:
    """One line of the game picker."""
    game, _ = find_offer(offer.key)
    seats = f"{offer.seats}" if offer.seats else game.seat_range
    row = f"{offer.name} · {seats} seats · {offer.title}"
    return row if len(row) <= MAX_ROW else f"{row[: MAX_ROW - 1]}…"


@autocomplete
async def complete_game(context: InteractionContext, current: str) -> Rows:
    """Games and presets that fit this text and whatever else is typed already."""
    named = find_games(current)
    try:
        guild = await context.referee.deciding.load_settings(context.origin.guild)
        fitting = [one for one in named if _is_compatible(one, context.typed_options, guild)]
    except Exception:  # trouble in a picker is no reason to offer nothing
        fitting = named
    return [app_commands.Choice(name=game_row(offer), value=offer.key) for offer in fitting[:25]]


def find_games(typed: str) -> list[Preset]:
    """Games and presets that fit this text."""
    wanted = typed.lower()
    return [
        one for one in list_offers() if all(word in f"{one.key} {game_row(one)}".lower() for word in wanted.split())
    ]


def _is_compatible(offer: Preset, typed: Mapping[str, Any], guild: GuildSettings) -> bool:
    """Whether a game can be played with the other options. More people may still be named in a challenge."""
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


# --- more rules, in words ---------------------------------------------------------------------------------


@autocomplete
async def complete_options(context: InteractionContext, current: str) -> Rows:
    """One more rule that may join those typed already; only combinations that are allowed."""
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    wish = replace(
        _read_typed_wish(context.typed_options),
        game=find_game(context.typed_options["game"]) if context.typed_options.get("game") else None,
    )
    lines = list_rule_rows(wish, _count_typed_seats(context.typed_options), guild, current)
    return [app_commands.Choice(name=line, value=line) for line in lines]


def _read_typed_wish(typed: Mapping[str, Any]) -> Wish:
    """What is typed beside the game and the rules in words."""
    series = typed.get("series")
    return Wish(
        cards=typed.get("cards"),
        ties=typed.get("ties"),
        series=find_series_or_none(series),
    )


def _count_typed_seats(typed: Mapping[str, Any]) -> int | None:
    """How many would play: those challenged and the challenger, or the seats of a table."""
    if "opponent" in typed:
        return 1 + sum(typed.get(name) is not None for name in ("opponent", *(f"player{n}" for n in range(2, 8))))
    return typed.get("seats")


def find_offer_game(typed: str) -> str:
    """The key of the game behind a name."""
    game, _ = find_offer(find_game(typed))
    return game.key
