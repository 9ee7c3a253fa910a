"""The style of cards that a reader chose: symbols, letters, or pictures before them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.ui.text.catalogue.numbers import GAP

PICTURE = re.compile(rf"<:(\w{{2,32}}):\d{{1,20}}>{GAP}?")
"""a picture in a text; no other text matches, because < and : are escaped in names"""

SUIT = re.compile(r"_of_(spades|hearts|clubs|diamonds)")
"""suit in the name of a picture"""

SYMBOLS = {"spades": "♠", "hearts": "♥", "clubs": "♣", "diamonds": "♦"}

SAFE = "safe_"
"""prefix of faces in colours for the colour-blind"""


@dataclass(frozen=True, eq=False)
class Style:
    """Style of cards. A picture stands before the rank, in place of the suit; its name has the suit, too."""

    uses_letters: bool = False
    is_safe: bool = False
    pictures: Mapping[str, str] = field(default_factory=dict[str, str])
    """text of each face; empty if the emojis are not uploaded"""

    def picture(self, face: str) -> str:
        """Return the text of a face's picture; empty if there is none."""
        return (self.pictures.get(SAFE + face) if self.is_safe else None) or self.pictures.get(face, "")

    def add_picture(self, face: str, words: str, alone: str = "") -> str:
        """Put the picture of a face before words. Without a picture return the words, or what stands `alone`."""
        picture = self.picture(face) if self.pictures else ""
        return f"{picture}{GAP}{words}" if picture else alone or words


PLAIN, LETTERS = Style(), Style(uses_letters=True)

_styles: dict[str, Style] = {"letters": LETTERS}


def find_style(choice: str) -> Style:
    """Return the style for a user's choice: symbols, letters, faces or safe."""
    return _styles.get(choice, PLAIN)


def use_pictures(pictures: Mapping[str, str]) -> None:
    """Set the pictures of the styles "faces" and "safe". Without pictures, both styles show words alone."""
    if pictures == find_style("faces").pictures:
        return  # what was drawn with the same styles stays in the caches
    _styles.pop("faces", None)
    _styles.pop("safe", None)
    if pictures:
        _styles.update(faces=Style(pictures=pictures), safe=Style(is_safe=True, pictures=pictures))


def remove_pictures(text: str) -> str:
    """Replace all pictures in a text by the symbol of their suit, or by nothing where it follows or there is none."""

    def symbol(picture: re.Match[str]) -> str:
        found = SUIT.search(picture[1])
        suit = SYMBOLS[found[1]] if found is not None else ""
        return "" if suit and text.startswith(suit, picture.end()) else suit

    return PICTURE.sub(symbol, text) if "<:" in text else text
