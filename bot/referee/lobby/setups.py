"""From a request to an agreed setup: game or preset, common options, series, clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine.match import Match, new_match
from bot.engine.record.record import options_data
from bot.engine.refusals import BadSetup, RuleError
from bot.engine.rules import Game
from bot.engine.series import read_series
from bot.engine.text.presets import Preset, find_offer
from bot.engine.text.wording import read_words, refuse_elsewhere, rules_in_force
from bot.engine.variants import find_game
from bot.errors import RefereeError
from bot.referee.model.guild_settings import LONGEST, SHORTEST, GuildSettings
from bot.referee.model.model import Setup
from bot.referee.repository.house_levels import table_levels
from bot.solver.players.levels import SLY, find_level


@dataclass(frozen=True, slots=True)
class Wish:
    """A request; None means the default of the server or the game."""

    game: str | None = None
    cards: int | None = None
    ties: str | None = None
    clock: int | None = None
    series: Mapping[str, Any] | None = None
    rated: bool | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    place: str | None = None
    """where people bid: own or table"""
    words: str = ""
    """more options as they were typed: blind bids, win-only"""
    house: int = 0
    """house seats"""
    level: str = ""
    """key of the level of the first house seat"""


def make_setup(wish: Wish, seats: int, guild: GuildSettings) -> Setup:
    """Return the setup for this many seats. Refuse options that do not fit together."""
    try:
        game, offer = find_offer(wish.game or guild.game)
        match = _build_match(game, offer, wish, seats, "" if wish.game else guild.options)
    except RuleError as refusal:
        raise RefereeError(refusal.id, **in_words(refusal.data)) from refusal
    clock = guild.clock if wish.clock is None else wish.clock
    if clock and not SHORTEST <= clock <= LONGEST:
        raise RefereeError("bad-value", option="clock", range="15 seconds to 7 days")
    return Setup(
        game=game.key,
        options=options_data(match.rules),
        seats=seats,
        series=match.series.data(),
        clock=clock,
        rated=guild.rated if wish.rated is None else wish.rated,
        place=wish.place or ("board" if guild.place == "board" else "own"),
    )


def wish_of(setup: Setup, guild: GuildSettings) -> Wish:
    """Return the wish that gives this setup again. What is the default of the game or of the server is left out."""
    game = find_game(setup.game)
    changed = dict(rules_in_force(game.rules(setup.seats, setup.options)))
    own: dict[str, Any] = {key: setup.options[key] for key in ("cards", "ties") if key in changed}
    is_usual_place = (setup.place == "board") is (guild.place == "board")
    return Wish(
        game=setup.game,
        **own,
        clock=setup.clock,
        series=None if setup.series == game.series.data() else setup.series,
        rated=setup.rated,
        place=None if is_usual_place else setup.place,
        words=", ".join(words for key, words in changed.items() if key not in own),
    )


def in_words(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a refusal with values in the words of the forms."""
    return {**data, "range": data["named"]} if "named" in data else dict(data)


def _build_match(game: Game, offer: Preset, wish: Wish, seats: int, usual: str) -> Match:
    """Return a match that could be dealt; `usual` are the rules of the server, in words."""
    if offer.seats and offer.seats != seats:
        raise BadSetup("fixed-seats", game=offer.name, n=offer.seats)
    asked = {key: value for key, value in (("cards", wish.cards), ("ties", wish.ties)) if value is not None}
    _check_asked_once(game, asked, wish.words)
    words = {**read_words(game, usual), **read_words(game, wish.words)}
    options = {**offer.options, **words, **wish.options, **asked}
    refuse_elsewhere(game, options)
    if options.get("remainder") == "short-last" and options.get("bid_cards", 1) == 1:
        raise BadSetup("short-last-single")  # an older record may contain it
    series = read_series(wish.series) if wish.series is not None else None
    match = new_match(game, seats, options, series)
    match.rules.deal(match.rules.pack())  # where chance has no part, everything must be agreed now
    return match


def _check_asked_once(game: Game, asked: Mapping[str, Any], words: str) -> None:
    """Refuse a rule in words that contradicts an option of the command."""
    for fragment in filter(str.strip, words.split(",")):
        for key, value in read_words(game, fragment).items():
            if asked.get(key, value) != value:
                raise BadSetup("asked-twice", x=f"{key}:{asked[key]}", y=fragment.strip())


def choose_levels(setup: Setup, seats: int, level: str = "") -> tuple[str, ...]:
    """Return the levels of so many house seats, in their order."""
    rules = find_game(setup.game).rules(setup.seats, setup.options)
    return tuple(one.key for one in table_levels(find_level(level) or SLY, rules, seats))


def usual_seats(wish: Wish, guild: GuildSettings, people: int = 1) -> int:
    """Return the default number of seats: of the preset, or the fewest of the game for these people and the house."""
    try:
        game, offer = find_offer(wish.game or guild.game)
    except RuleError as refusal:
        raise RefereeError(refusal.id, **refusal.data) from refusal
    return offer.seats or max(game.seats[0], min(wish.house + people, game.seats[1]))
