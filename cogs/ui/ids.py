"""Custom ids: `g1:verb:match[:prompt[:choice]]`, written and read in one place.

The only state that a message carries; everything in it is checked again against the store.
"""

import re
from collections.abc import Sequence
from typing import TypeGuard

from bot.engine.cards import Card, letter

PREFIX = "g1"
LONGEST = 100
MOST = 2**63 - 1
"""no number of ours is larger, nor one that the store could keep"""

# --- what the parts look like; together they are the shape of a verb's ids -------------------------------------

MATCH = "[2-9A-HJ-NP-Z]{4,13}"
NUMBER = "(?:0|[1-9][0-9]{0,8})"
USER = "[1-9][0-9]{0,18}"
CARD = "[0-9A-Za-z+-]{1,4}"
MASK = "[0-9a-f]{1,14}"
KEY = "[a-z][a-z0-9-]{0,30}"
YES_NO = "[yn]"
PEOPLE = "(?:-[2-8]?|[1-9a-z][0-9a-z]{0,12}(?:[.][1-9a-z][0-9a-z]{0,12}){0,6})"
WORDS = "[0-9A-Za-z, -]+"

_WRITTEN = re.compile(rf"{PREFIX}:(?P<verb>[a-z]{{2}}):(?P<rest>.+)")


def read(text: object) -> tuple[str, str] | None:
    """The verb of an id and what follows; None for anything that was not written here."""
    found = _WRITTEN.fullmatch(text) if is_plain(text) else None
    if found is None or any(part.isdecimal() and int(part) > MOST for part in found["rest"].split(":")):
        return None
    return found["verb"], found["rest"]


def is_plain(text: object) -> TypeGuard[str]:
    """Whether a text could be an id, or the value of an option, of ours."""
    return isinstance(text, str) and len(text) <= LONGEST and text.isascii() and text.isprintable()


def read_user(text: str) -> int | None:
    """A person as an option of a menu carries them."""
    return int(text) if re.fullmatch(USER, text) and int(text) <= MOST else None


def custom_id(verb: str, *parts: object) -> str:
    return ":".join([PREFIX, verb, *map(str, parts)])


# --- cards in ids --------------------------------------------------------------------------------------------


def token(card: Card) -> str:
    """A card as an id carries it: A 10 K 25 -5 A+ A- QS Jk."""
    return letter(card) if isinstance(card, int) else card


def read_token(text: str) -> Card:
    """What the record writes for a token; whether it is a card of the game is for the rules to say."""
    return int(text) if re.fullmatch(r"-?\d{1,3}", text) else text


def mask_of(chosen: Sequence[Card], keys: Sequence[Card]) -> int:
    """Which keys are chosen, as bits in the order of the keys."""
    return sum(1 << place for place, card in enumerate(keys) if card in chosen)


def chosen_of(mask: int, keys: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(keys) if mask >> place & 1)


# --- a match -------------------------------------------------------------------------------------------------


def board(match: str, what: str) -> str:
    """bid, cards, sheet, rules, more; and once it is over rematch, replay, review, verify."""
    return custom_id("bd", match, what)


def card(match: str, prompt: int, choice: Card) -> str:
    """A key: the press seals this card, or changes the bid to it."""
    return f"{PREFIX}:co:{match}:{prompt}:{token(choice)}"


def toggle(match: str, prompt: int, mask: int, choice: Card) -> str:
    """A key where several cards make a bid: `mask` is what is chosen before the press."""
    return custom_id("cm", match, prompt, f"{mask:x}", token(choice))


def seal(match: str, prompt: int, mask: int) -> str:
    return custom_id("cs", match, prompt, f"{mask:x}")


def clear(match: str, prompt: int) -> str:
    return custom_id("cc", match, prompt)


def pick(match: str, prompt: int, prize: Card) -> str:
    return custom_id("pk", match, prompt, token(prize))


def draw(match: str, prompt: int, yes: bool) -> str:
    """An answer to an offer, which stands for one round."""
    return custom_id("dr", match, prompt, "y" if yes else "n")


def open_console(match: str) -> str:
    return custom_id("oc", match)


def more(match: str, what: str) -> str:
    """draw, resign, dm, move, mute, stop."""
    return custom_id("mo", match, what)


def confirm(what: str, about: str, yes: bool) -> str:
    """An answer to a question; `about` is a match, or a person where no match is meant."""
    return custom_id("cf", what, about, "y" if yes else "n")


def sheet(match: str, deal: int, page: int, form: str, what: str = "") -> str:
    """`form` is s (sentences) or g (grid); `what` tells two buttons with the same target apart, e is for everyone."""
    return custom_id("sh", match, deal, page, form, *([what] if what else []))


# --- challenges and tables -----------------------------------------------------------------------------------


def challenge(lobby: str, what: str) -> str:
    """a accept, d decline, w withdraw, s start, r rules."""
    return custom_id("ch", lobby, what)


def offer(match: str, lobby: str) -> str:
    """The answer to a rematch that was offered by DM: it accepts this challenge, and nothing else."""
    return custom_id("ro", match, lobby)


def table(lobby: str, what: str) -> str:
    """j join, l leave, s start, x close, r rules."""
    return custom_id("tb", lobby, what)


# --- look-ups and preferences --------------------------------------------------------------------------------


def leaderboard(pool: str, page: int, what: str) -> str:
    """back, next, mine, all."""
    return custom_id("lb", pool, page, what)


def history(user: int, game: str, page: int, what: str) -> str:
    return custom_id("hi", user, game or "-", page, what)


def profile(user: int, what: str) -> str:
    """history, all."""
    return custom_id("pr", user, what)


def rules(game: str, what: str) -> str:
    """practise, all."""
    return custom_id("ru", game, what)


def review(match: str, page: int, what: str) -> str:
    """back, next, dearest, all."""
    return custom_id("rv", match, page, what)


def games(page: int, what: str) -> str:
    """back, next."""
    return custom_id("gl", page, what)


def menu(what: str, *parts: object) -> str:
    """A select: pool, game, open; what was chosen comes with the press."""
    return custom_id("se", what, *parts)


def notify(what: str) -> str:
    """console, bids, warnings, results, cards, unblock, two-step, challenges."""
    return custom_id("nt", what)


def settings(what: str) -> str:
    return custom_id("st", what)


def setup(people: str, game: str, ties: str, clock: int, series: str, more: Sequence[str], what: str) -> str:
    """The set-up card: its choices live here. `people` are those challenged, or a table's seats; `more` is what only
    typed options can ask for: cards, rated, other rules. `what` is game, ties, clock, series, send or drop."""
    return custom_id("su", people, game, ties or "-", clock, series or "-", *(one or "-" for one in more), what)


def people_of(users: Sequence[int], seats: int) -> str:
    """Those challenged, as short as may be; or how many seats a table has, 0 as many as usual."""
    return ".".join(map(_short, users)) if users else f"-{seats or ''}"


def read_people(text: str) -> tuple[tuple[int, ...], int]:
    """The same read."""
    if text.startswith("-"):
        return (), int(text[1:] or 0)
    return tuple(int(one, 36) for one in text.split(".")), 0


def _short(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
