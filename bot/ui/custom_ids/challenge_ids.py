"""Custom ids of challenges, tables, rematches and the set-up card."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, USER, YES_NO, IdKind, Parts

USUAL = "-"
"""the value of a choice that the game makes by itself"""

# --- challenges and tables -------------------------------------------------------------------------------------

CHALLENGE = IdKind("ch", f"{MATCH}:[adws]")
CHALLENGE_RULES = IdKind("ch", f"{MATCH}:r")
TABLE = IdKind("tb", f"{MATCH}:[jlsx]")
TABLE_RULES = IdKind("tb", f"{MATCH}:r")
OFFER = IdKind("ro", f"{MATCH}:{MATCH}")


def challenge(lobby: str, what: str) -> str:
    """Return the id of a button of a challenge: a accept, d decline, w withdraw, s start, r rules."""
    return CHALLENGE.write(lobby, what)


def table(lobby: str, what: str) -> str:
    """Return the id of a button of a table: j join, l leave, s start, x close, r rules."""
    return TABLE.write(lobby, what)


def read_button(parts: Parts) -> tuple[str, str]:
    """Return the lobby and the action of a button of a challenge or table."""
    lobby, what = parts
    return lobby, what


def offer(match: str, lobby: str) -> str:
    """Return the id of the button in a DM that accepts the challenge of this rematch."""
    return OFFER.write(match, lobby)


def read_offer(parts: Parts) -> tuple[str, str]:
    match, lobby = parts
    return match, lobby


# --- the set-up card -------------------------------------------------------------------------------------------

_PEOPLE = "(?:-[2-8]?|[1-9a-z][0-9a-z]{0,12}(?:[.][1-9a-z][0-9a-z]{0,12}){0,6})"
_WORDS = "[0-9A-Za-z, -]+"
_MENUS = f"{KEY}:(?:-|{KEY}):{NUMBER}:(?:-|{KEY})"
_TYPED = f"(?:-|[1-9][0-9]?):(?:-|{YES_NO}[ot]?|[ot]):(?:{_WORDS})"

SETUP = IdKind("su", f"(?:{_PEOPLE}:{_MENUS}:{_TYPED}|{USER}:{_MENUS}):(?:game|ties|clock|series|send|drop)")
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
