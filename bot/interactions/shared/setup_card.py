"""Set-up card of *Challenge to GOPS*, which also answers typed options that conflict with each other.

Custom ids hold the choices, and the menu of players holds who was added. Nothing is stored until the user sends the
challenge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from bot.ui.custom_ids import challenge_ids, learning_ids
from bot.ui.custom_ids.shapes import MAX_NUMBER as HIGHEST
from bot.ui.custom_ids.shapes import is_plain
from bot.ui.message import GREEN, Button, Menu, MenuOption, Message, Node, Text, join_lines, make_row
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
    rated: bool = True
    people: tuple[int, ...] = ()
    """challenged users, the first opponent first; empty for a table"""
    seats: int = 0
    """seats of a table"""

    def with_value(self, what: str, value: str) -> Selection:
        """Return the choices after a press on a menu. A new game resets ties and series."""
        chosen = None if value == challenge_ids.USUAL else value
        match what:
            case "game":
                return replace(self, game=value, ties=None, series=None)
            case "clock":
                return replace(self, clock=int(value))
            case "ties":
                return replace(self, ties=chosen, words=_leave_out(self, ["ties"]))
            case "cards":
                return replace(self, cards=int(chosen) if chosen else None, words=_leave_out(self, ["cards"]))
            case "rated":
                return replace(self, rated=value == "y")
            case _:
                return replace(self, series=_read_series(value))

    @property
    def chosen_series(self) -> str:
        """The key of the series, or an empty string if none was chosen."""
        return "" if self.series is None else series_key(read_series(self.series))

    @property
    def fits_ids(self) -> bool:
        """Return True if the ids of buttons have room for all choices."""
        return all(map(is_plain, (_setup_id(self, what) for what in ("series", "ties"))))


def read_selection(parts: Sequence[str], added: Sequence[int] = ()) -> tuple[Selection | None, str]:
    """Return the choices and the control of an id. The choices are None if the card does not offer them (any more).

    `added` are the players whom the menu of the card holds."""
    user, seats, choices, what = challenge_ids.read_setup(parts)
    house, level = challenge_ids.read_house(parts)
    game, ties, clock, series, cards, rated, words = choices
    offered = {offer.key for offer in list_offers()}
    if game not in offered or (series and read_series_key(series) is None) or int(clock) not in CLOCKS:
        return None, what
    if user > HIGHEST or int(cards or 0) > MAX_OPTIONS:
        return None, what
    choice = Selection(
        game=game,
        cards=int(cards) if cards else None,
        ties=ties or None,
        clock=int(clock),
        series=_read_series(series),
        rated=rated[0] == "y",
        place=_PLACE_CODES[rated[1:]],
        words=words,
        house=house,
        level=level,
        people=(user, *added) if user else (),
        seats=seats,
    )
    return choice if ties in ("", *tie_rules(find_offer(game)[0])) else None, what


_PLACE_CODES = {"": None, "o": "own", "b": "board"}


def _read_series(key: str) -> Mapping[str, Any] | None:
    """Return the series of a key, or None for the usual one of the game."""
    series = read_series_key(key)
    return series.data() if series is not None else None


def menu_values(choice: Selection, what: str) -> Sequence[str]:
    """Return the values that a menu offers.

    The card may show other defaults than those of the choices in its ids, which keep some for another game."""
    game, _ = find_offer(choice.game)
    offered = [option.value for option in _list_menus(choice, game).get(what, ())]
    usual = {"cards": str(_find_usual(choice, "cards")), "ties": _find_usual(choice, "ties")}
    more = [challenge_ids.USUAL, usual.get(what, series_key(game.series))]
    return [*offered, *more] if what in ("cards", "ties", "series") else offered


def is_for_two(key: str) -> bool:
    """Return True if two players can play a game or preset."""
    game, offer = find_offer(key)
    fewest, most = game.seats
    return offer.seats in (None, 2) and fewest <= 2 <= most


def is_table(choice: Selection) -> bool:
    """Return True if this is a table: no user is challenged, or the game needs more than two players."""
    return not choice.people or (len(choice.people) == 1 and not choice.house and not is_for_two(choice.game))


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
    house = say("setup-house") if table and not choice.house and not is_for_two(choice.game) else ""
    body = (
        Text(join_lines(title, more, house, say("banner", text=banner) if banner else "", typed, _kept_line(choice))),
        *_lay_out_menus(choice, carried, game),
        make_row(
            Button(say("setup-open" if table else "setup-send"), _setup_id(carried, "send"), GREEN),
            Button(say("which"), learning_ids.rules(offer.key, "choose")),
            Button(say("setup-drop"), _setup_id(carried, "drop")),
        ),
    )
    return Message(body=body, essence=title)


def _lay_out_menus(choice: Selection, carried: Selection, game: Game) -> Iterator[Node]:
    """Yield each menu below its name; a list with a single entry is left out."""
    for what, options in _list_menus(choice, game).items():
        if len(options) > 1:
            yield Text(say("setup-label", what=say(f"setup-{what}")))
            yield make_row(Menu(_setup_id(carried, what), say(f"setup-{what}"), options))
    if choice.house:
        yield Text(say("house-unrated"))
    if choice.people and (menu := _make_people_menu(choice, carried)) is not None:
        yield Text(say("setup-label", what=say("setup-players")))
        yield make_row(menu)


def _kept_line(choice: Selection) -> str:
    """Return the line of the choices that no menu shows."""
    kept = [
        *describe_rules(find_offer(choice.game)[0], _leave_out(choice, ["cards", "ties"])),
        say("seats", n=choice.seats) if choice.seats else "",
        say("kept-house", n=choice.house) if choice.house else "",
        say(f"place-{choice.place}") if choice.place else "",
    ]
    return say("setup-kept", list=", ".join(filter(None, kept))) if any(kept) else ""


def _leave_out(choice: Selection, keys: Sequence[str]) -> str:
    """Return the rules in words without those that set one of these options."""
    game = find_offer(choice.game)[0]
    return ", ".join(rule for rule in split_rules(choice.words) if not read_rule(game, rule).keys() & {*keys})


def read_rule(game: Game, rule: str) -> Mapping[str, Any]:
    """Return the options that one rule sets; empty if it cannot be read."""
    try:
        return read_words(game, rule)
    except RuleError:
        return {}


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
    """Return the options of each menu, with the chosen ones marked. The default is first, except among cards."""
    offers, clocks = _list_offers(choice.game), CLOCKS.items()
    cards = next((range(o.low, o.high + 1) for o in game.options if isinstance(o, Number) and o.key == "cards"), ())
    own = game.series if choice.series is None else read_series(choice.series)
    series = {key: words for key, (words, _) in SERIES.items()}
    series |= {series_key(one): series_name(one) for one in (game.series, own)}
    return {
        "game": tuple(MenuOption(row.name, row.key, row.title[:100], row.key == choice.game) for row in offers),
        "cards": _mark_usual(_find_usual(choice, "cards"), str(choice.cards or ""), {str(n): str(n) for n in cards}),
        "clock": tuple(MenuOption(words, str(seconds), "", seconds == choice.clock) for seconds, words in clocks),
        "ties": _put_first(_find_usual(choice, "ties"), choice.ties or "", tie_rules(game)),
        "series": _put_first(series_key(game.series), choice.chosen_series, series),
        "rated": () if choice.house else _list_rated(choice),
    }


def _list_rated(choice: Selection) -> tuple[MenuOption, ...]:
    values = {"y": True, "n": False}
    return tuple(MenuOption(say(f"rated-{key}"), key, "", choice.rated is on) for key, on in values.items())


def _put_first(usual: str, chosen: str, words: Mapping[str, str]) -> tuple[MenuOption, ...]:
    """Return the options with the default first."""
    first = {usual: words[usual]} if usual in words else {}
    return _mark_usual(usual, chosen, {**first, **words})


def _mark_usual(usual: str, chosen: str, words: Mapping[str, str]) -> tuple[MenuOption, ...]:
    """Return the options in their order. The default has the value of no choice; `chosen` is empty for it."""
    chosen = chosen or usual
    return tuple(
        MenuOption(text, challenge_ids.USUAL if key == usual else key, "", key == chosen) for key, text in words.items()
    )


def _find_usual(choice: Selection, what: str) -> str:
    """Return the value of an option if the card does not set it: that of the typed rules, or of the game."""
    game, offer = find_offer(choice.game)
    typed = [read_rule(game, rule) for rule in split_rules(choice.words)]
    given = {key: value for rule in ({"cards": None}, offer.options, *typed) for key, value in rule.items()}
    seats = offer.seats or max(game.seats[0], choice.seats or len(choice.people) + 1)
    try:
        options = game.rules(seats, {}).options
    except RuleError:
        options = game.rules(game.seats[0], {}).options
    value = given.get(what) or options.get(what)
    return "" if value is None else str(value)


def _make_people_menu(choice: Selection, carried: Selection) -> Menu | None:
    """Return the menu of added players, or None if the game takes no more. It keeps those who were added before."""
    game, offer = find_offer(choice.game)
    room = max(0, (offer.seats or game.seats[1]) - 2 - choice.house)
    added = carried.people[1:]
    if not room and not added:
        return None
    id, name = _setup_id(carried, "add"), say("setup-add", n=room) if room else say("setup-players")
    return Menu(id, name, kind="user", chosen=added, least=0, most=max(room, len(added)))


def _setup_id(choice: Selection, what: str) -> str:
    more = (str(choice.cards or ""), ("y" if choice.rated else "n") + (choice.place or "")[:1], choice.words)
    people = challenge_ids.write_people(next(iter(choice.people), 0), choice.seats, choice.house, choice.level)
    return challenge_ids.setup(people, choice.game, choice.ties or "", choice.clock, choice.chosen_series, more, what)
