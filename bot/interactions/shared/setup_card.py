"""Set-up card of *Challenge to GOPS*, which also answers typed options that conflict with each other.

Custom ids hold the choices. Nothing is stored until the user sends the challenge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.engine.options import CardList, Number, OneOf
from bot.engine.refusals import RuleError
from bot.engine.rules import Game
from bot.engine.series import read_series
from bot.engine.text.presets import Preset, find_offer, list_offers
from bot.engine.text.wording import describe_option, read_words
from bot.engine.variants import DEFAULT, GAMES
from bot.referee.lobby.setups import Wish
from bot.ui.custom_ids import challenge_ids
from bot.ui.custom_ids.shapes import MAX_NUMBER as HIGHEST
from bot.ui.custom_ids.shapes import is_plain
from bot.ui.message import GREEN, Button, Menu, MenuOption, Message, Text, join_lines, make_row
from bot.ui.text.names import format_name, join_words
from bot.ui.text.offers import CLOCKS, SERIES, read_series_key, series_key, series_name, tie_rules
from bot.ui.text.sentences import say

MAX_OPTIONS = 25
"""options of a menu"""


@dataclass(frozen=True, slots=True)
class Selection(Wish):
    """A wish as the card carries it: game and clock are chosen, and None means as the game has it."""

    game: str = DEFAULT.key
    clock: int = 120
    people: tuple[int, ...] = ()
    """challenged users; empty for a table"""
    seats: int = 0
    """seats of a table"""

    def with_value(self, what: str, value: str) -> Selection:
        """Return the choices after a press on a menu. A new game resets ties and series."""
        if what == "game":
            return replace(self, game=value, ties=None, series=None)
        if what == "clock":
            return replace(self, clock=int(value))
        if what == "ties":
            return replace(self, ties=None if value == challenge_ids.USUAL else value)
        return replace(self, series=_read_series(value))

    @property
    def chosen_series(self) -> str:
        """The key of the series, or an empty string if none was chosen."""
        return "" if self.series is None else series_key(read_series(self.series))

    @property
    def fits_ids(self) -> bool:
        """Return True if the ids of buttons have room for all choices."""
        return all(map(is_plain, (_setup_id(self, what) for what in ("series", "ties"))))


def read_selection(parts: Sequence[str]) -> tuple[Selection | None, str]:
    """Return the choices and the control of an id. The choices are None if the card does not offer them (any more)."""
    people, seats, choices, what = challenge_ids.read_setup(parts)
    game, ties, clock, series, cards, rated, words = choices
    offered = {offer.key for offer in list_offers()}
    if game not in offered or (series and read_series_key(series) is None) or int(clock) not in CLOCKS:
        return None, what
    if max(people, default=0) > HIGHEST or int(cards or 0) > MAX_OPTIONS:
        return None, what
    counts, place = rated.strip("ot"), rated.strip("yn")
    choice = Selection(
        game=game,
        cards=int(cards) if cards else None,
        ties=ties or None,
        clock=int(clock),
        series=_read_series(series),
        rated=_RATED_CODES[counts],
        place=_PLACE_CODES[place],
        words=words,
        people=people,
        seats=seats,
    )
    return choice if ties in ("", *tie_rules(find_offer(game)[0])) else None, what


_RATED_CODES = {"": None, "y": True, "n": False}
_PLACE_CODES = {"": None, "o": "own", "t": "table"}


def _read_series(key: str) -> Mapping[str, Any] | None:
    """Return the series of a key, or None for the usual one of the game."""
    series = read_series_key(key)
    return series.data() if series is not None else None


def menu_values(choice: Selection, what: str) -> Sequence[str]:
    """Return the values that a menu offers."""
    game, _ = find_offer(choice.game)
    offered = [option.value for option in _list_menus(choice, game)[what]]
    # The card may have dropped a series that its ids keep for another game.
    return [*offered, challenge_ids.USUAL] if what == "series" else offered


def is_for_two(key: str) -> bool:
    """Return True if two players can play a game or preset."""
    game, offer = find_offer(key)
    fewest, most = game.seats
    return offer.seats in (None, 2) and fewest <= 2 <= most


def is_table(choice: Selection) -> bool:
    """Return True if this is a table: no user is challenged, or the game needs more than two players."""
    return not choice.people or (len(choice.people) == 1 and not is_for_two(choice.game))


def render_setup(
    choice: Selection,
    names: Sequence[str] = (),
    banner: str = "",
    typed: str = "",
    carried: Selection | None = None,
) -> Message:
    """Render the card for the challenged users in `names`. If the game needs more players, the card opens a table.

    `banner` is a sentence that gets a warning sign. `typed` is the typed command, on its own line. `carried` also has
    the choices that this game does not allow: the buttons keep them for another game.
    """
    carried = carried or choice
    game, offer = find_offer(choice.game)
    table = is_table(choice)
    people = join_words([format_name(name, number=number) for number, name in enumerate(names, 1)])
    title = say("setup-title", name=people) if choice.people else say("setup-title-table")
    seats = f"{offer.seats}" if offer.seats else game.seat_range
    more = say("setup-table", game=offer.name, range=seats, name=people) if table and choice.people else ""
    body = (
        Text(join_lines(title, more, say("banner", text=banner) if banner else "", typed, _kept_line(choice))),
        *(make_row(_make_menu(carried, what, options)) for what, options in _list_menus(choice, game).items()),
        make_row(
            Button(say("setup-open" if table else "setup-send"), _setup_id(carried, "send"), GREEN),
            Button(say("setup-drop"), _setup_id(carried, "drop")),
        ),
    )
    return Message(body=body, essence=title)


def _kept_line(choice: Selection) -> str:
    """Return the line of the choices that no menu shows."""
    kept = [
        say("kept-cards", n=choice.cards) if choice.cards else "",
        *describe_rules(find_offer(choice.game)[0], choice.words),
        say("seats", n=choice.seats) if choice.seats else "",
        "" if choice.rated is None else say("rated" if choice.rated else "kept-unrated"),
        say(f"place-{choice.place}") if choice.place else "",
    ]
    return say("setup-kept", list=", ".join(filter(None, kept))) if any(kept) else ""


def split_rules(words: str) -> list[str]:
    """Split a typed list of rules."""
    return [rule for rule in map(str.strip, words.split(",")) if rule]


def describe_rules(game: Game, words: str) -> list[str]:
    """Return rules in the words of a board, from a typed list or an id. A rule that cannot be read stays as typed."""
    names: list[str] = []
    for fragment in split_rules(words):
        try:
            values = read_words(game, fragment)
        except RuleError:
            names.append(fragment)
            continue
        declared = {option.key: option for other in (*reversed(GAMES), game) for option in other.options}
        implied = [option.implies for key in values if isinstance(option := declared.get(key), Number | CardList)]
        for key, value in values.items():
            option = declared.get(key)
            if (key, value) in implied:
                continue  # it was not typed
            if isinstance(option, OneOf) and value not in option.values:
                names.append(fragment)
            elif option is not None:
                names.append(describe_option(option, value))
    return names


def _list_offers(chosen: str) -> list[Preset]:
    """Return all games and as many presets as a menu holds. The chosen one is always included."""
    games = {game.key for game in GAMES}
    ranked = sorted(list_offers(), key=lambda offer: (offer.key != chosen, offer.key not in games))[:MAX_OPTIONS]
    return [offer for offer in list_offers() if offer in ranked]


def _list_menus(choice: Selection, game: Game) -> dict[str, tuple[MenuOption, ...]]:
    """Return the options of each menu, with the chosen ones marked."""
    offers, ties = _list_offers(choice.game), {challenge_ids.USUAL: say("as-the-game"), **tie_rules(game)}
    chosen_ties = choice.ties or challenge_ids.USUAL
    return {
        "game": tuple(MenuOption(row.name, row.key, row.title[:100], row.key == choice.game) for row in offers),
        "ties": tuple(MenuOption(words, key, "", key == chosen_ties) for key, words in ties.items()),
        "clock": tuple(MenuOption(w, str(s), "", s == choice.clock) for s, w in CLOCKS.items()),
        "series": _series_options(choice, game),
    }


def _series_options(choice: Selection, game: Game) -> tuple[MenuOption, ...]:
    chosen = choice.chosen_series or series_key(game.series)
    listing = tuple(MenuOption(words, key, "", key == chosen) for key, (words, _) in SERIES.items())
    if chosen in SERIES:
        return listing
    if choice.series is None:
        return (MenuOption(say("as-the-game"), challenge_ids.USUAL, str(game.series), True), *listing)
    return (MenuOption(series_name(read_series(choice.series)), chosen, "", True), *listing)


def _make_menu(choice: Selection, what: str, options: tuple[MenuOption, ...]) -> Menu:
    return Menu(_setup_id(choice, what), say(f"setup-{what}"), options, enabled=len(options) > 1)


def _setup_id(choice: Selection, what: str) -> str:
    rated = {None: "", True: "y", False: "n"}[choice.rated]
    more = (str(choice.cards or ""), rated + (choice.place or "")[:1], choice.words)
    people = challenge_ids.write_people(choice.people, choice.seats)
    return challenge_ids.setup(people, choice.game, choice.ties or "", choice.clock, choice.chosen_series, more, what)
