"""The style of cards that a reader chose: symbols, letters, or pictures before them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.ui.text.catalogue.numbers import GAP

PICTURE = re.compile(rf"<:\w{{2,32}}:\d{{1,20}}>{GAP}?")
"""a picture in a text; nothing else that we write looks like it, and in names < and : are escaped"""

SAFE = "safe_"
"""what the names of faces begin with whose colours the colour-blind can tell apart"""


@dataclass(frozen=True, eq=False)
class Style:
    """Pictures stand before the words and never in their place: who cannot see them is told the same."""

    letters: bool = False
    safe: bool = False
    pictures: Mapping[str, str] = field(default_factory=dict[str, str])
    """how each face is written in a text; empty where Discord has none of ours"""

    def picture(self, face: str) -> str:
        """A face as it is written in a text; nothing where there is none."""
        return (self.pictures.get(SAFE + face) if self.safe else None) or self.pictures.get(face, "")

    def add_picture(self, face: str, words: str) -> str:
        """Words with a face before them."""
        picture = self.picture(face) if self.pictures else ""
        return f"{picture}{GAP}{words}" if picture else words


PLAIN, LETTERS = Style(), Style(letters=True)

_styles: dict[str, Style] = {"letters": LETTERS}


def find_style(choice: str) -> Style:
    """How cards are written for who chose this: symbols, letters, faces or safe."""
    return _styles.get(choice, PLAIN)


def use_pictures(pictures: Mapping[str, str]) -> None:
    """From now on these faces stand before cards for whoever wants them; with none, cards are words for everybody."""
    _styles.pop("faces", None)
    _styles.pop("safe", None)
    if pictures:
        _styles.update(faces=Style(pictures=pictures), safe=Style(safe=True, pictures=pictures))


def remove_pictures(text: str) -> str:
    """A text without its pictures."""
    return PICTURE.sub("", text) if "<:" in text else text
