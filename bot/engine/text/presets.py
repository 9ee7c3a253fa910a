"""Names for games with options, which pickers offer first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine.refusals import BadSetup
from bot.engine.rules import Game, Rules
from bot.engine.variants import GAMES, find_game, unknown_game


@dataclass(frozen=True, slots=True)
class Preset:
    """A game with some of its options set, under a name of its own."""

    key: str
    name: str
    title: str
    game: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seats: int | None = None
    """the number of seats, if the preset needs one"""


PRESETS: tuple[Preset, ...] = (
    Preset("carry", "Carried ties", "Classic; a tied prize stays in the pot", "classic", {"ties": "carry"}),
    Preset("split", "Split ties", "Classic; a tied prize is split", "classic", {"ties": "split"}),
    Preset("three-handed", "Three-handed", "Classic for three; equal cards don't count", "classic", seats=3),
    Preset("four-handed", "Four-handed", "Classic for four; equal cards don't count", "classic", seats=4),
    Preset("quick", "Quick GOPS", "Classic with 7 cards", "classic", {"cards": 7}),
    Preset("fixed-order", "Fixed order", "Prizes come as A, 2, 3 ... K", "classic", {"order": "ascending"}),
    Preset(
        "known-order",
        "Known order",
        "The shuffled prizes are shown before round 1",
        "classic",
        {"order": "random-public"},
    ),
    Preset("blind", "Blind bids", "Bid first, then the prize is turned up", "classic", {"blind": True}),
    Preset("two-cards", "Two cards a bid", "Two cards make a bid; their sum counts", "classic", {"bid_cards": 2}),
    Preset(
        "open-draft",
        "Open prizes",
        "One open prize for each player; the higher bid picks first",
        "classic",
        {"open": "draft"},
    ),
    Preset("open-row", "Prize market", "Three prizes on view; the winner picks one", "classic", {"open": "row"}),
    Preset("win-only", "Hidden bids", "Bids stay hidden until the deal ends", "classic", {"info": "win-only"}),
    Preset("misere", "Misère", "Fewest points wins", "classic", {"aim": "least"}),
    Preset("pico1", "Pico, first edition", "Pico with the cards 2 to 10, 13 and 16", "pico", {"pack": "pico1"}),
    Preset("attrition", "Welsh attrition", "Winning cards go out of play", "welsh", {"attrition": True}),
)


def find_preset(rules: Rules) -> Preset | None:
    """Return the preset of exactly these rules; None if no preset has them."""
    return next((preset for preset in PRESETS if _has_rules(preset, rules)), None)


def _has_rules(preset: Preset, rules: Rules) -> bool:
    if preset.game != rules.game.key or preset.seats not in (None, rules.seats):
        return False
    try:
        return rules.game.rules(rules.seats, preset.options).options == rules.options
    except BadSetup:  # it does not go with this number of seats
        return False


def list_offers() -> list[Preset]:
    """Return all names that can be chosen: each game, followed by its presets."""
    listed: list[Preset] = []
    for game in GAMES:
        listed.append(Preset(game.key, game.name, game.title, game.key))
        listed += [preset for preset in PRESETS if preset.game == game.key]
    return listed


def find_offer(key: str) -> tuple[Game, Preset]:
    """Return the game and options of a name. A refusal suggests a similar name."""
    known = list_offers()
    for preset in known:
        if preset.key == key:
            return find_game(preset.game), preset
    raise unknown_game(key, {typed: offer.name for offer in known for typed in (offer.key, offer.name.lower())})
