"""Custom ids of challenges, tables, rematches and the set-up card."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, YES_NO, AnyId, IdKind, Parts, read_last_part

USUAL = "-"
"""the value of a choice that the game makes by itself"""

CHALLENGE = IdKind[str, str]("ch", MATCH, "[adwshu]")
"""a button of a challenge: a accept, d decline, w withdraw, s start, h and u add and remove the house, r rules"""
CHALLENGE_RULES = IdKind[str, str]("ch", MATCH, "r")
challenge, read_button = CHALLENGE.write, CHALLENGE.read

TABLE = IdKind[str, str]("tb", MATCH, "[jlsxhuf]")
"""a button of a table: j join, l leave, s start, x close, h and u add and remove the house, f fill with it, r rules;
`read_button` reads it, too"""
TABLE_RULES = IdKind[str, str]("tb", MATCH, "r")
table = TABLE.write

OFFER = IdKind[str, str]("ro", MATCH, MATCH)
"""the button in a DM that accepts the challenge of a rematch: the match that is over, and the challenge"""
offer, read_offer = OFFER.write, OFFER.read

SEARCH = IdKind[str]("fd", "(?:more|stop|house)")
"""a button of the search for an opponent: more begins one, stop ends it, house plays the house"""
search, read_search = SEARCH.write, read_last_part

# --- the set-up card -------------------------------------------------------------------------------------------

_PEOPLE = "(?:-[2-8]?|[1-9a-z][0-9a-z]{0,12})(?:[+][1-7][a-z]{0,20})?"
_WORDS = "[0-9A-Za-z, -]+"
_MENUS = f"{KEY}:(?:-|{KEY}):{NUMBER}:(?:-|{KEY})"
_TYPED = f"(?:-|[1-9][0-9]?):{YES_NO}[ob]?:(?:{_WORDS})"

SETUP = AnyId("su", f"{_PEOPLE}:{_MENUS}:{_TYPED}:(?:game|cards|clock|ties|series|rated|add|send|drop)")


def setup(people: str, game: str, ties: str, clock: int, series: str, more: Sequence[str], what: str) -> str:
    """Return the id of a control of the set-up card, which carries all choices of the card but the added players.

    `people` comes from `write_people`. `more` are cards; rated and place; other rules. `what` is the name of a menu,
    add, send or drop.
    """
    rest = (choice or USUAL for choice in (series, *more))
    return SETUP.write(people, game, ties or USUAL, clock, *rest, what)


def read_setup(parts: Parts) -> tuple[int, int, list[str], str]:
    """Return the challenged user and the seats of a table, the choices (empty for the usual one), and the control."""
    people, *choices, what = parts
    return *read_people(people), ["" if choice == USUAL else choice for choice in choices], what


def write_people(user: int, seats: int, house: int = 0, level: str = "") -> str:
    """Return the challenged user in base 36, or without one the seats of a table (0 for the usual number).

    House seats and the level of the first one follow."""
    people = _write_short(user) if user else f"-{seats or ''}"
    return f"{people}+{house}{level}" if house else people


def read_house(parts: Parts) -> tuple[int, str]:
    """Return the number of house seats and the level of the first one, empty for the usual one."""
    house = parts[0].partition("+")[2]
    return int(house[:1] or 0), house[1:]


def read_people(text: str) -> tuple[int, int]:
    """Return the challenged user, 0 for none, and the seats of a table from the text of `write_people`."""
    text = text.partition("+")[0]
    return (0, int(text[1:] or 0)) if text.startswith("-") else (int(text, 36), 0)


def _write_short(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
