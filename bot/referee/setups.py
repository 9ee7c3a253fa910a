"""What people ask for, as an agreed setup: game or preset, common options, series, clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine.match import new_match
from bot.engine.presets import find_offer
from bot.engine.record import options_data
from bot.engine.refusals import Refusal
from bot.engine.series import read_series
from bot.errors import Refused
from bot.referee.clocks import LONGEST, SHORTEST
from bot.referee.model import GuildSettings, Setup


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for; None means the server's or the game's own."""

    game: str | None = None
    cards: int | None = None
    ties: str | None = None
    clock: int | None = None
    series: Mapping[str, Any] | None = None
    rated: bool | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def fewest_seats(wish: Wish, guild: GuildSettings) -> int:
    """How many seats the game, or the preset, is meant for at least."""
    try:
        game, offer = find_offer(wish.game or guild.game)
    except Refusal as refusal:
        raise Refused(refusal.id, **refusal.data) from refusal
    return offer.seats or game.seats[0]


def make_setup(wish: Wish, seats: int, guild: GuildSettings) -> Setup:
    """The setup for so many seats; what does not fit together is refused in the engine's words."""
    try:
        game, offer = find_offer(wish.game or guild.game)
        asked = {key: value for key, value in (("cards", wish.cards), ("ties", wish.ties)) if value is not None}
        options = {**offer.options, **wish.options, **asked}
        series = read_series(wish.series) if wish.series is not None else None
        match = new_match(game, seats, options, series)
    except Refusal as refusal:
        raise Refused(refusal.id, **refusal.data) from refusal
    clock = guild.clock if wish.clock is None else wish.clock
    if clock and not SHORTEST <= clock <= LONGEST:
        raise Refused("bad-value", option="clock", range="15 seconds to 7 days")
    return Setup(
        game=game.key,
        options=options_data(match.rules),
        seats=seats,
        series=match.series.data(),
        clock=clock,
        rated=guild.rated if wish.rated is None else wish.rated,
    )
