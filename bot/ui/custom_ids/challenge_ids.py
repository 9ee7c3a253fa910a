"""The ids of challenges, tables, rematches and the set-up card."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, USER, YES_NO, IdKind, Parts

USUAL = "-"
"""as the game has it"""

# --- challenges and tables -------------------------------------------------------------------------------------

CHALLENGE = IdKind("ch", f"{MATCH}:[adws]")
CHALLENGE_RULES = IdKind("ch", f"{MATCH}:r")
TABLE = IdKind("tb", f"{MATCH}:[jlsx]")
TABLE_RULES = IdKind("tb", f"{MATCH}:r")
OFFER = IdKind("ro", f"{MATCH}:{MATCH}")


def challenge(lobby: str, what: str) -> str:
    """a accept, d decline, w withdraw, s start, r rules."""
    return CHALLENGE.write(lobby, what)


def table(lobby: str, what: str) -> str:
    """j join, l leave, s start, x close, r rules."""
    return TABLE.write(lobby, what)


def read_button(parts: Parts) -> tuple[str, str]:
    """Of a challenge or a table: its id, and what is wanted."""
    lobby, what = parts
    return lobby, what


def offer(match: str, lobby: str) -> str:
    """The answer to a rematch that was offered by DM: it accepts this challenge, and nothing else."""
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
"""at first they named one person in digits, and had nothing that was typed"""

_FIRST = 4
"""choices in an id of those first cards"""


def setup(people: str, game: str, ties: str, clock: int, series: str, more: Sequence[str], what: str) -> str:
    """The set-up card: its choices live here. `people` are those challenged, or a table's seats; `more` is what only
    typed options can ask for: cards, rated and where people bid, other rules. `what` is game, ties, clock, series, send
    or drop."""
    rest = (one or USUAL for one in (series, *more))
    return SETUP.write(people, game, ties or USUAL, clock, *rest, what)


def read_setup(parts: Parts) -> tuple[tuple[int, ...], int, list[str], str]:
    """Those challenged, the seats of a table, the choices that follow (empty as the game has it), what was pressed."""
    people, *choices, what = parts
    if len(choices) == _FIRST:
        people, choices = write_people([int(people)], 0), [*choices, USUAL, USUAL, USUAL]
    return *read_people(people), ["" if one == USUAL else one for one in choices], what


def write_people(users: Sequence[int], seats: int) -> str:
    """Those challenged, as short as may be; or how many seats a table has, 0 as many as usual."""
    return ".".join(map(_write_short, users)) if users else f"-{seats or ''}"


def read_people(text: str) -> tuple[tuple[int, ...], int]:
    """The same read."""
    if text.startswith("-"):
        return (), int(text[1:] or 0)
    return tuple(int(one, 36) for one in text.split(".")), 0


def _write_short(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
