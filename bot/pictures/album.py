"""The faces in the package, as they are uploaded, and the names of their emojis."""

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
