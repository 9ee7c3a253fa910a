"""Custom ids of challenges, tables, rematches and the set-up card."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, USER, YES_NO, AnyId, IdKind, Parts

USUAL = "-"
"""the value of a choice that the game makes by itself"""

CHALLENGE = IdKind[str, str]("ch", MATCH, "[adws]")
"""a button of a challenge: a accept, d decline, w withdraw, s start, r rules"""
CHALLENGE_RULES = IdKind[str, str]("ch", MATCH, "r")
challenge, read_button = CHALLENGE.write, CHALLENGE.read

TABLE = IdKind[str, str]("tb", MATCH, "[jlsx]")
"""a button of a table: j join, l leave, s start, x close, r rules; `read_button` reads it, too"""
TABLE_RULES = IdKind[str, str]("tb", MATCH, "r")
table = TABLE.write

OFFER = IdKind[str, str]("ro", MATCH, MATCH)
"""the button in a DM that accepts the challenge of a rematch: the match that is over, and the challenge"""
offer, read_offer = OFFER.write, OFFER.read

# --- the set-up card -------------------------------------------------------------------------------------------

_PEOPLE = "(?:-[2-8]?|[1-9a-z][0-9a-z]{0,12}(?:[.][1-9a-z][0-9a-z]{0,12}){0,6})"
_WORDS = "[0-9A-Za-z, -]+"
_MENUS = f"{KEY}:(?:-|{KEY}):{NUMBER}:(?:-|{KEY})"
_TYPED = f"(?:-|[1-9][0-9]?):(?:-|{YES_NO}[ot]?|[ot]):(?:{_WORDS})"

SETUP = AnyId("su", f"(?:{_PEOPLE}:{_MENUS}:{_TYPED}|{USER}:{_MENUS}):(?:game|ties|clock|series|send|drop)")
"""the second variant is the first format: one user in digits, without typed options"""

_FIRST_FORMAT_CHOICES = 4
"""choices in an id of the first format"""


def setup(people: str, game: str, ties: str, clock: int, series: str, more: Sequence[str], what: str) -> str:
    """Return the id of a control of the set-up card, which carries all choices of the card.

    `people` comes from `write_people`. `more` are the choices without a menu: cards; rated and place; other rules.
    `what` is game, ties, clock, series, send or drop.
    """
    rest = (choice or USUAL for choice in (series, *more))
    return SETUP.write(people, game, ties or USUAL, clock, *rest, what)


def read_setup(parts: Parts) -> tuple[tuple[int, ...], int, list[str], str]:
    """Return the challenged users, the seats of a table, the choices (empty for the usual one), and the control."""
    people, *choices, what = parts
    if len(choices) == _FIRST_FORMAT_CHOICES:
        people, choices = write_people([int(people)], 0), [*choices, USUAL, USUAL, USUAL]
    return *read_people(people), ["" if choice == USUAL else choice for choice in choices], what


def write_people(users: Sequence[int], seats: int) -> str:
    """Return the challenged users in base 36, or the seats of a table (0 for the usual number)."""
    return ".".join(map(_write_short, users)) if users else f"-{seats or ''}"


def read_people(text: str) -> tuple[tuple[int, ...], int]:
    """Return the challenged users and the seats of a table from the text of `write_people`."""
    if text.startswith("-"):
        return (), int(text[1:] or 0)
    return tuple(int(user, 36) for user in text.split(".")), 0


def _write_short(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
