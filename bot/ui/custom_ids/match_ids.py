"""The ids of a match: its keys, the buttons of its board, what *More* offers, the questions before it is done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.engine.cards import Card, rank_letter
from bot.ui.custom_ids.shapes import MATCH, NUMBER, PREFIX, YES_NO, IdKind, Parts, read_id

_CARD = "[0-9A-Za-z+-]{1,4}"
_MASK = "[0-9a-f]{1,14}"

# --- keys: match, prompt, and what is chosen -------------------------------------------------------------------

CARD = IdKind("co", f"{MATCH}:{NUMBER}:{_CARD}")
PICK = IdKind("pk", f"{MATCH}:{NUMBER}:{_CARD}")
TOGGLE = IdKind("cm", f"{MATCH}:{NUMBER}:{_MASK}:{_CARD}")
SEAL = IdKind("cs", f"{MATCH}:{NUMBER}:{_MASK}")
TABLE_CARD = IdKind("tk", f"{MATCH}:{NUMBER}:{_CARD}")
TABLE_PICK = IdKind("tp", f"{MATCH}:{NUMBER}:{_CARD}")
"""keys of a board, which everybody shares"""
CLEAR = IdKind("cc", f"{MATCH}:{NUMBER}")
OPEN_CONSOLE = IdKind("oc", MATCH)


def card(match: str, prompt: int, choice: Card) -> str:
    """A key: the press seals this card, or changes the bid to it."""
    return f"{PREFIX}:{CARD.verb}:{match}:{prompt}:{write_token(choice)}"  # written more often than all others together


def cards(match: str, prompt: int, choices: Iterable[Card]) -> list[str]:
    """The same for every key of a keyboard."""
    start = f"{PREFIX}:{CARD.verb}:{match}:{prompt}:"
    return [start + (rank_letter(one) if isinstance(one, int) else one) for one in choices]


def pick(match: str, prompt: int, prize: Card) -> str:
    return PICK.write(match, prompt, write_token(prize))


def table_card(match: str, prompt: int, choice: Card) -> str:
    """A key of the board: whoever presses it seals this card."""
    return TABLE_CARD.write(match, prompt, write_token(choice))


def table_pick(match: str, prompt: int, prize: Card) -> str:
    return TABLE_PICK.write(match, prompt, write_token(prize))


def read_card(parts: Parts) -> tuple[str, int, Card]:
    """Of a key, or of a prize that can be picked."""
    match, prompt, choice = parts
    return match, int(prompt), read_token(choice)


def toggle(match: str, prompt: int, mask: int, choice: Card) -> str:
    """A key where several cards make a bid: `mask` is what is chosen before the press."""
    return TOGGLE.write(match, prompt, f"{mask:x}", write_token(choice))


def read_toggle(parts: Parts) -> tuple[str, int, int, str]:
    """The card is left as a token: which key is meant is seen by comparing."""
    match, prompt, mask, choice = parts
    return match, int(prompt), int(mask, 16), choice


def seal(match: str, prompt: int, mask: int) -> str:
    return SEAL.write(match, prompt, f"{mask:x}")


def read_seal(parts: Parts) -> tuple[str, int, int]:
    match, prompt, mask = parts
    return match, int(prompt), int(mask, 16)


def clear(match: str, prompt: int) -> str:
    return CLEAR.write(match, prompt)


def open_console(match: str) -> str:
    return OPEN_CONSOLE.write(match)


def read_prompt(parts: Parts) -> int | None:
    """The prompt of an id that has one behind its match."""
    return int(parts[1]) if len(parts) > 1 else None


def read_match(parts: Parts) -> str:
    """Of an id that begins with a match, whatever follows."""
    return parts[0]


# --- boards and what stands behind them ------------------------------------------------------------------------

BOARD = IdKind("bd", f"{MATCH}:[a-z]{{3,7}}(?::{NUMBER})?")
MORE = IdKind("mo", f"{MATCH}:[a-z]{{2,6}}")
DRAW = IdKind("dr", f"{MATCH}:{NUMBER}:{YES_NO}")
CONFIRM = IdKind("cf", f"[a-z]{{4,6}}:{MATCH}:{YES_NO}")
GAMES = IdKind("gl", f"{NUMBER}:(?:back|next|resign)")


RESULT_BUTTONS = ("replay", "review", "verify", "export", "rematch", "share")
"""what only the board of a match that is over offers"""

_PROMPTS = frozenset(one.verb for one in (CARD, PICK, TOGGLE, SEAL, TABLE_CARD, TABLE_PICK, CLEAR, DRAW))
"""verbs whose ids have a prompt behind their match"""


def board_button(what: str) -> IdKind:
    """One button of a board; *Bid* carries the prompt at which the board was drawn."""
    return IdKind(BOARD.verb, f"{MATCH}:{what}(?::{NUMBER})?")


def more_button(what: str) -> IdKind:
    return IdKind(MORE.verb, f"{MATCH}:{what}")


def board(match: str, what: str) -> str:
    """bid, mine, cards, sheet, rules, more; and once it is over rematch, replay, review, verify, export."""
    return BOARD.write(match, what)


def bid(match: str, prompt: int) -> str:
    """*Bid* of a board, which says how far the match had come when it was drawn."""
    return BOARD.write(match, "bid", prompt)


def more(match: str, what: str) -> str:
    """draw, resign, dm, move, mute, stop."""
    return MORE.write(match, what)


def read_button(parts: Parts) -> tuple[str, str]:
    """Of a board, or of what *More* offers: the match, and what is wanted."""
    match, what = parts[:2]
    return match, what


def read_board_prompt(parts: Parts) -> int | None:
    """The prompt at which a board was drawn, where its button carries one."""
    return int(parts[2]) if len(parts) > 2 else None


def is_later(custom_ids: Iterable[str], match: str, prompt: int) -> bool:
    """Return True if a message with these ids shows a later prompt of this match, or its end."""
    for one in custom_ids:
        found = read_id(one)
        if found is None:
            continue
        verb, parts = found[0], found[1].split(":")
        if parts[0] != match:
            continue
        if verb == BOARD.verb and parts[1] in RESULT_BUTTONS:
            return True
        shown = parts[1] if verb in _PROMPTS else parts[2] if verb == BOARD.verb and len(parts) > 2 else ""
        if shown.isdecimal() and int(shown) > prompt:
            return True
    return False


def draw(match: str, prompt: int, yes: bool) -> str:
    """An answer to an offer, which stands for one round."""
    return DRAW.write(match, prompt, "y" if yes else "n")


def read_draw(parts: Parts) -> tuple[str, int, bool]:
    match, prompt, yes = parts
    return match, int(prompt), yes == "y"


def confirm(what: str, about: str, yes: bool) -> str:
    """An answer to a question; `about` is a match, or a person where no match is meant."""
    return CONFIRM.write(what, about, "y" if yes else "n")


def read_confirm(parts: Parts) -> tuple[str, str, bool]:
    what, about, yes = parts
    return what, about, yes == "y"


def games(page: int, what: str) -> str:
    """back, next; resign: a menu of matches."""
    return GAMES.write(page, what)


def read_games(parts: Parts) -> tuple[int, str]:
    page, what = parts
    return int(page), what


# --- cards in ids ----------------------------------------------------------------------------------------------


def write_token(card: Card) -> str:
    """A card as an id carries it: A 10 K 25 -5 A+ A- QS Jk."""
    return rank_letter(card) if isinstance(card, int) else card


def read_token(text: str) -> Card:
    """What the record writes for a token; whether it is a card of the game is for the rules to say."""
    return int(text) if re.fullmatch(r"-?[1-9][0-9]{0,2}|0", text) else text


def make_mask(chosen: Sequence[Card], keys: Sequence[Card]) -> int:
    """Which keys are chosen, as bits in the order of the keys."""
    return sum(1 << place for place, card in enumerate(keys) if card in chosen)


def read_mask(mask: int, keys: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(keys) if mask >> place & 1)
