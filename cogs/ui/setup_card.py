"""The set-up card behind *Challenge to GOPS*: its choices live in the ids, nothing is stored until it is sent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.engine.presets import Preset, find_offer, offers
from bot.engine.rules import Game
from bot.engine.variants import DEFAULT, GAMES
from cogs.ui import ids
from cogs.ui.message import GREEN, Button, Menu, Message, Option, Text, joined, row
from cogs.ui.names import shown
from cogs.ui.offers import CLOCKS, SERIES, series_key, ties_of
from cogs.ui.sentences import say

USUAL = "-"
"""as the game has it"""

MOST = 25
"""options of a menu"""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen so far; empty means as the game has it."""

    target: int
    game: str = DEFAULT.key
    ties: str = ""
    clock: int = 120
    series: str = ""

    def with_value(self, what: str, value: str) -> Choice:
        """After a press on one of the menus; a game without such ties forgets them."""
        value = "" if value == USUAL else value
        if what == "clock":
            return replace(self, clock=int(value))
        if what == "game":
            return replace(self, game=value, ties="", series="")
        return replace(self, **{what: value})


def read_choice(target: str, game: str, ties: str, clock: str, series: str) -> Choice:
    """From the parts of an id."""
    return Choice(int(target), game, "" if ties == USUAL else ties, int(clock), "" if series == USUAL else series)


def for_two(key: str) -> bool:
    """Whether a game or preset can be played by the challenger and the one person challenged."""
    game, offer = find_offer(key)
    fewest, most = game.seats
    return offer.seats in (None, 2) and fewest <= 2 <= most


def setup_card(choice: Choice, name: str, banner: str = "") -> Message:
    """`name` is the person challenged. A game that needs more people opens a table instead, and says so."""
    listed = _listed(choice.game)
    offer = next((one for one in listed if one.key == choice.game), listed[0])
    game, _ = find_offer(offer.key)
    two = for_two(offer.key)
    title = say("setup-title", name=shown(name))
    seats = f"{offer.seats}" if offer.seats else game.seat_range
    more = "" if two else say("setup-table", game=offer.name, range=seats, name=shown(name))
    body = (
        Text(joined(title, more, say("banner", text=banner) if banner else "")),
        row(_menu(choice, "game", tuple(Option(one.name, one.key, one.title[:100], one is offer) for one in listed))),
        row(_menu(choice, "ties", _ties(choice, game))),
        row(_menu(choice, "clock", tuple(Option(w, str(s), "", s == choice.clock) for s, w in CLOCKS.items()))),
        row(_menu(choice, "series", _series(choice, game))),
        row(
            Button(say("setup-send" if two else "setup-open"), _id(choice, "send"), GREEN),
            Button(say("setup-drop"), _id(choice, "drop")),
        ),
    )
    return Message(body=body, essence=title)


def _listed(chosen: str) -> list[Preset]:
    """Every game, and as many presets as a menu holds; what is chosen is always among them."""
    games = {game.key for game in GAMES}
    ranked = sorted(offers(), key=lambda one: (one.key != chosen, one.key not in games))[:MOST]
    return [one for one in offers() if one in ranked]


def _ties(choice: Choice, game: Game) -> tuple[Option, ...]:
    offered = ties_of(game)
    usual = Option(say("as-the-game"), USUAL, "", not choice.ties)
    return (usual, *(Option(words, key, "", key == choice.ties) for key, words in offered.items()))


def _series(choice: Choice, game: Game) -> tuple[Option, ...]:
    chosen = choice.series or series_key(game.series)
    listed = tuple(Option(words, key, "", key == chosen) for key, (words, _) in SERIES.items())
    if chosen:
        return listed
    return (Option(say("as-the-game"), USUAL, str(game.series), True), *listed)


def _menu(choice: Choice, what: str, options: tuple[Option, ...]) -> Menu:
    return Menu(_id(choice, what), say(f"setup-{what}"), options, enabled=len(options) > 1)


def _id(choice: Choice, what: str) -> str:
    return ids.setup(choice.target, choice.game, choice.ties, choice.clock, choice.series, what)
