"""The faces that come with the package: what is uploaded of them, and under which names."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from importlib.resources import files

from bot.pictures.faces import list_faces

_EMOJI = re.compile(r"(\w+)_[0-9a-f]{4}")


@dataclass(frozen=True, slots=True)
class Portrait:
    """One face as it is uploaded."""

    name: str
    emoji: str
    """its name with the digest of the picture, so that a face that was drawn anew is another emoji"""
    png: bytes = field(repr=False)


def load_album() -> tuple[Portrait, ...]:
    """Every face; reads all of them from the disk."""
    folder, found = files("bot.pictures") / "shipped", list[Portrait]()
    for name in list_faces():
        png = (folder / f"{name}.png").read_bytes()
        found.append(Portrait(name, f"{name}_{hashlib.sha256(png).hexdigest()[:4]}", png))
    return tuple(found)


def find_face(emoji: str) -> str:
    """The face that an emoji of this name shows, or showed before it was drawn anew; nothing for any other emoji."""
    found = _EMOJI.fullmatch(emoji)
    return found[1] if found is not None and found[1] in list_faces() else ""
