"""Card faces: their names, and the pictures of them that ship with the bot (`python -m tests.pictures.draw_faces`).

A face has a body (card, mouse, vulture, back), a rank and a suit. The second set of suits has colours for people who
cannot tell red from green.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
_RANKED = re.compile(r"(\w+)_(?:\d+|[AJQK])")


@cache
def list_faces() -> tuple[str, ...]:
    """List the names of all faces: the names of their emojis without the digest."""
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


_EMOJI = re.compile(r"(\w+)_[0-9a-f]{4}")


@dataclass(frozen=True, slots=True)
class Portrait:
    """One face as it is uploaded."""

    name: str
    emoji: str
    """the name with a digest of the picture, so that a changed picture is another emoji"""
    png: bytes = field(repr=False)


def load_album() -> tuple[Portrait, ...]:
    """Read all faces from the disk."""
    folder, found = files("bot.pictures") / "shipped", list[Portrait]()
    for name in list_faces():
        png = (folder / f"{name}.png").read_bytes()
        found.append(Portrait(name, f"{name}_{hashlib.sha256(png).hexdigest()[:4]}", png))
    return tuple(found)


def find_face(emoji: str) -> str:
    """Return the face that an emoji with this name shows, in this or an earlier drawing; empty for other emojis."""
    found = _EMOJI.fullmatch(emoji)
    return found[1] if found is not None and found[1] in list_faces() else ""
