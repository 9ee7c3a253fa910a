"""Card faces: their names, and the pictures of them that ship with the bot (`python -m tests.pictures.draw_faces`).

A face has a body (card, mouse, vulture, back), a rank and a suit. The second set of suits has colours for people who
cannot tell red from green.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}

REDRAWN: Mapping[str, int] = {}
"""The number of the present drawing of each face that was drawn again since 1.0.0: 2, 3 and so on. Messages show the
emoji of the earlier drawing, so a new one needs a name of its own."""

_RANKED = re.compile(r"(\w+)_(?:\d+|[AJQK])")


@cache
def list_faces() -> tuple[str, ...]:
    """List the names of all faces."""
    return (
        *(f"{prefix}{suit}_{rank}" for prefix in ("", "safe_") for suit in SUITS.values() for rank in RANKS),
        *(f"card_{rank}" for rank in (*range(1, 26), "A", "J", "Q", "K")),
        *(f"mouse_{number}" for number in range(1, 11)),
        *(f"vulture_{number}" for number in range(1, 6)),
        *("joker", "card_back", "card_sealed"),
    )


def suit_of(face: str) -> str:
    """Name the faces that are of use only together: spade, safe_heart, card, mouse; others stand for themselves."""
    found = _RANKED.fullmatch(face)
    return found[1] if found is not None else face


_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
    *("twenty_one", "twenty_two", "twenty_three", "twenty_four", "twenty_five"),
)
_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", **{str(n): word for n, word in enumerate(_NUMBERS)}}


def name_emoji(face: str) -> str:
    """Name the emoji of a face in its present drawing: four_of_hearts, or four_of_hearts_2."""
    return f"{_write_name(face)}_{REDRAWN[face]}" if face in REDRAWN else _write_name(face)


def _write_name(face: str) -> str:
    """Name a face in words, because a screen reader reads the name of an emoji."""
    kind, _, rank = face.rpartition("_")
    if rank not in _WORDS:
        return {"card_sealed": "sealed_card"}.get(face, face)
    *prefix, suit = kind.split("_")
    words = f"{_WORDS[rank]}_of_{suit}s" if suit in SUITS.values() else f"{suit}_{_WORDS[rank]}"
    return "_".join((*prefix, words))


_VERSION = re.compile(r"(.+?)(?:_(\d+))?")


@cache
def _faces_by_emoji() -> dict[str, str]:
    return {_write_name(face): face for face in list_faces()}


def find_face(emoji: str) -> str:
    """Return the face that an emoji with this name shows, in this or an earlier drawing; empty for other emojis."""
    found = _VERSION.fullmatch(emoji)
    return _faces_by_emoji().get(found[1], "") if found is not None else ""


def find_version(emoji: str) -> int:
    """Return the number of the drawing that an emoji shows: four_of_hearts is 1, four_of_hearts_2 is 2."""
    found = _VERSION.fullmatch(emoji)
    return int(found[2] or 1) if found is not None else 0


def read_face(face: str) -> bytes:
    """Read the picture of a face from the disk."""
    return (files("bot.pictures") / "shipped" / f"{face}.png").read_bytes()
