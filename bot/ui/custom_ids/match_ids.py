"""Custom ids of a match: its keys, the buttons of its board and of *More*, and questions to confirm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.engine.cards import Card, rank_letter
from bot.ui.custom_ids.shapes import MATCH, NUMBER, PREFIX, YES_NO, AnyId, IdKind, Parts, read_first_part, read_id

_CARD = "[0-9A-Za-z+-]{1,4}"
_MASK = "[0-9a-f]{1,14}"

# --- keys: match, prompt and choice ----------------------------------------------------------------------------

CARD = IdKind[str, int, str]("co", MATCH, NUMBER, _CARD)
PICK = IdKind[str, int, str]("pk", MATCH, NUMBER, _CARD)
TABLE_CARD = IdKind[str, int, str]("tk", MATCH, NUMBER, _CARD)
TABLE_PICK = IdKind[str, int, str]("tp", MATCH, NUMBER, _CARD)
"""keys of a board, which all players press"""
TOGGLE = IdKind[str, int, str, str]("cm", MATCH, NUMBER, _MASK, _CARD)
SEAL = IdKind[str, int, str]("cs", MATCH, NUMBER, _MASK)
CLEAR = IdKind[str, int]("cc", MATCH, NUMBER)
clear = CLEAR.write
RANDOM = IdKind[str, int]("rc", MATCH, NUMBER)
"""a random card for the bid of this prompt"""
random, read_random = RANDOM.write, RANDOM.read

BACK = IdKind[str, int, str]("ba", MATCH, NUMBER, _MASK)
"""the way back from what is read in the place of a live console"""
OPEN_CONSOLE = IdKind[str]("oc", MATCH)
open_console, read_match = OPEN_CONSOLE.write, read_first_part


def card(match: str, prompt: int, choice: Card) -> str:
    """Return the id of a key: a press seals this card, or changes the bid to it."""
    return f"{PREFIX}:{CARD.verb}:{match}:{prompt}:{write_token(choice)}"  # hot path: most ids are of this kind


def cards(match: str, prompt: int, choices: Iterable[Card]) -> list[str]:
    """Return the ids of all keys of a keyboard."""
    start = f"{PREFIX}:{CARD.verb}:{match}:{prompt}:"
    return [start + (rank_letter(choice) if isinstance(choice, int) else choice) for choice in choices]


def pick(match: str, prompt: int, prize: Card) -> str:
    return PICK.write(match, prompt, write_token(prize))


def table_card(match: str, prompt: int, choice: Card) -> str:
    """Return the id of a key of the board: a press seals this card for the player who pressed it."""
    return TABLE_CARD.write(match, prompt, write_token(choice))


def table_pick(match: str, prompt: int, prize: Card) -> str:
    return TABLE_PICK.write(match, prompt, write_token(prize))


def read_card(parts: Parts) -> tuple[str, int, Card]:
    """Return match, prompt and card of a key, or of a prize to pick."""
    match, prompt, choice = parts
    is_number = re.fullmatch(r"-?[1-9][0-9]{0,2}|0", choice)
    return match, int(prompt), int(choice) if is_number else choice  # the rules check whether the game has this card


def toggle(match: str, prompt: int, mask: int, choice: Card) -> str:
    """Return the id of a key in a bid of several cards; `mask` holds the cards that are chosen before the press."""
    return TOGGLE.write(match, prompt, f"{mask:x}", write_token(choice))


def read_toggle(parts: Parts) -> tuple[str, int, int, str]:
    """Return match, prompt, mask and the token of the card, which the caller compares with those of the keys."""
    match, prompt, mask, choice = parts
    return match, int(prompt), int(mask, 16), choice


def seal(match: str, prompt: int, mask: int) -> str:
    return SEAL.write(match, prompt, f"{mask:x}")


def read_seal(parts: Parts) -> tuple[str, int, int]:
    match, prompt, mask = parts
    return match, int(prompt), int(mask, 16)


def back(match: str, prompt: int, mask: int) -> str:
    """Return the id of the way back to a console, on which the keys of this mask are chosen."""
    return BACK.write(match, prompt, f"{mask:x}")


def find_back(custom_ids: Iterable[str]) -> str:
    """Return the match to whose console, or result, one of these ids leads back; empty if none does."""
    for custom_id in custom_ids:
        verb, rest = read_id(custom_id) or ("", "")
        if verb in (BACK.verb, OPEN_CONSOLE.verb):
            return rest.split(":")[0]
    return ""


def find_prompt(custom_ids: Iterable[str], match: str) -> int | None:
    """Return the prompt of a live console with these ids, or of what is read in its place; None if it is no console."""
    for custom_id in custom_ids:
        verb, rest = read_id(custom_id) or ("", "")
        parts = rest.split(":")
        if verb in _CONSOLE_VERBS and parts[0] == match:
            return int(parts[1])
    return None


def find_draft(custom_ids: Iterable[str], match: str, prompt: int) -> int:
    """Return the mask of the cards that are chosen on a console with these ids; 0 if it shows another prompt."""
    for custom_id in custom_ids:
        verb, rest = read_id(custom_id) or ("", "")
        parts = rest.split(":")
        if verb in (TOGGLE.verb, SEAL.verb, BACK.verb) and parts[:2] == [match, str(prompt)]:
            return int(parts[2], 16)
    return 0


def read_prompt(parts: Parts) -> int | None:
    """Return the prompt of an id that has one behind its match, else None."""
    return int(parts[1]) if len(parts) > 1 else None


def read_draft(parts: Parts) -> int:
    """Return the mask of the chosen keys in the id of a way back; 0 if an id has none."""
    return int(parts[2], 16) if len(parts) > 2 else 0


# --- boards, and private messages of boards---------------------------------------------------------------------

BOARD = AnyId("bd", f"{MATCH}:[a-z]{{3,7}}(?::{NUMBER})?")

MORE = IdKind[str, str]("mo", MATCH, "[a-z]{2,6}")
"""a button of *More*: draw, resign, dm, move, mute, stop; or of practice: short, a match with fewer cards"""
more = MORE.write

GAMES = IdKind[int, str]("gl", NUMBER, "(?:back|next|resign)")
"""a control of the list of matches: its page, and back, next, or resign (a menu of matches)"""
games, read_games = GAMES.write, GAMES.read

DRAW = IdKind[str, int, bool]("dr", MATCH, NUMBER, YES_NO)
CONFIRM = IdKind[str, str, bool]("cf", "[a-z]{4,6}", MATCH, YES_NO)
read_draw, read_confirm = DRAW.read, CONFIRM.read

RESULT_BUTTONS = ("replay", "review", "verify", "export", "rematch", "share")
"""buttons that only the board of a match that is over has"""

_CONSOLE_VERBS = frozenset(kind.verb for kind in (CARD, PICK, TOGGLE, SEAL, CLEAR, BACK))
_PROMPT_VERBS = _CONSOLE_VERBS | {TABLE_CARD.verb, TABLE_PICK.verb, DRAW.verb}
"""verbs whose ids have a prompt behind their match"""


def board_button(what: str) -> AnyId:
    """Return the kind of one button of a board. The id of *Bid* holds the prompt that the board shows."""
    return AnyId(BOARD.verb, MATCH, f"{what}(?::{NUMBER})?")


def more_button(what: str) -> IdKind[str, str]:
    return IdKind[str, str](MORE.verb, MATCH, what)


def board(match: str, what: str) -> str:
    """Return the id of a button of a board.

    `what` is bid, mine, cards, sheet, rules or more, or one of `RESULT_BUTTONS` when the match is over.
    """
    return f"{PREFIX}:{BOARD.verb}:{match}:{what}"  # hot path, too: every board and console has several


def bid(match: str, prompt: int) -> str:
    """Return the id of *Bid* with the prompt that the board shows."""
    return BOARD.write(match, "bid", prompt)


def read_button(parts: Parts) -> tuple[str, str]:
    """Return the match and the button of an id of a board or of *More*."""
    match, what = parts[:2]
    return match, what


def read_board_prompt(parts: Parts) -> int | None:
    """Return the prompt that a board shows, if the id of its button holds one."""
    return int(parts[2]) if len(parts) > 2 else None


def is_later(custom_ids: Iterable[str], match: str, prompt: int) -> bool:
    """Return True if a message with these ids shows a later prompt of this match, or its end."""
    for custom_id in custom_ids:
        read = read_id(custom_id)
        if read is None:
            continue
        verb, parts = read[0], read[1].split(":")
        if parts[0] != match:
            continue
        if verb == BOARD.verb and parts[1] in RESULT_BUTTONS:
            return True
        shown = parts[1] if verb in _PROMPT_VERBS else parts[2] if verb == BOARD.verb and len(parts) > 2 else ""
        if shown.isdecimal() and int(shown) > prompt:
            return True
    return False


def draw(match: str, prompt: int, yes: bool) -> str:
    """Return the id of an answer to a draw offer. An offer is valid for one round."""
    return DRAW.write(match, prompt, yes)


def confirm(what: str, about: str, yes: bool) -> str:
    """Return the id of an answer to a question; `about` is a match, or a user if the question is about no match."""
    return CONFIRM.write(what, about, yes)


# --- cards in ids ----------------------------------------------------------------------------------------------


def write_token(card: Card) -> str:
    """Return the token of a card for ids: A 10 K 25 -5 A+ A- QS Jk."""
    return rank_letter(card) if isinstance(card, int) else card


def make_mask(chosen: Sequence[Card], keys: Sequence[Card]) -> int:
    """Return the chosen keys as bits in the order of the keys."""
    return sum(1 << place for place, card in enumerate(keys) if card in chosen)


def read_mask(mask: int, keys: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(keys) if mask >> place & 1)
