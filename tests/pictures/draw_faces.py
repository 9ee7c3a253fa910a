"""Card faces as SVG. They consist of paths only, so all renderers draw them alike, and are readable at 22 pixels.

`python -m tests.pictures.draw_faces` renders the faces in the package anew. The four suits have four colours. The
second set has colours for people who cannot tell red from green; its suits also differ in brightness.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bot.pictures.faces import RANKS, SUITS, list_faces
from bot.pictures.render import render_png
from tests.conftest import ROOT

SIZE = 128
"""Width and height of a face, in SVG units."""

FACE_PIXELS = 96
"""Twice the largest size in which a chat shows an emoji."""


class Glyph(NamedTuple):
    """A letter as a path; capitals are 100 high, with the baseline at y = 0."""

    path: str
    left: float
    right: float
    advance: float


class Ink(NamedTuple):
    """The colours of a suited card."""

    card: str
    ink: str
    edge: str


PAPER, EDGE, SLATE = "#ffffff", "#8e939c", "#2b2f36"
FOUR_COLOURS = {
    "S": Ink(PAPER, "#16181c", EDGE),
    "H": Ink(PAPER, "#d3122b", EDGE),
    "D": Ink(PAPER, "#1560d4", EDGE),
    "C": Ink(PAPER, "#0b7d33", EDGE),
}
SAFE_COLOURS = {
    "S": Ink(PAPER, "#000000", EDGE),
    "H": Ink("#c24a00", "#ffffff", "#8c3500"),
    "D": Ink("#8ec5ff", "#002b5c", "#3f7fb8"),
    "C": Ink("#ffcf33", "#332600", "#b08a00"),
}
SHAPES = {
    "S": "M0-50C10-34 45-14 45 13C45 29 34 38 22 38C14 38 8 34 5 29C6 38 10 45 17 50H-17C-10 45-6 38-5 29C-8 34-14 38"
    "-22 38C-34 38-45 29-45 13C-45-14-10-34 0-50Z",
    "H": "M0 48C-12 32-48 12-48-16C-48-35-36-46-23-46C-12-46-4-40 0-30"
    "C4-40 12-46 23-46C36-46 48-35 48-16C48 12 12 32 0 48Z",
    "D": "M0-52L41 0L0 52L-41 0Z",
    "C": "M0-50A24 24 0 0 1 17-9A24 24 0 1 1 5 28C6 38 10 45 17 50H-17C-10 45-6 38-5 28"
    "A24 24 0 1 1-17-9A24 24 0 0 1 0-50Z",
}


@cache
def draw_face(name: str) -> str:
    """Return one face as SVG."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">'
        f"{_list_makers()[name]()}</svg>\n"
    )


@cache
def _list_makers() -> dict[str, Callable[[], str]]:
    made: dict[str, Callable[[], str]] = {}
    for prefix, inks in (("", FOUR_COLOURS), ("safe_", SAFE_COLOURS)):
        for suit, called in SUITS.items():
            for rank in RANKS:
                made[f"{prefix}{called}_{rank}"] = lambda rank=rank, suit=suit, ink=inks[suit]: _draw_suited(
                    rank, suit, ink
                )
    for rank in (*map(str, range(1, 26)), "A", "J", "Q", "K"):
        made[f"card_{rank}"] = lambda rank=rank: _draw_plain(rank)
    for number in range(1, 11):
        made[f"mouse_{number}"] = lambda number=number: _draw_mouse(number)
    for number in range(1, 6):
        made[f"vulture_{number}"] = lambda number=number: _draw_vulture(number)
    return made | {"joker": _draw_joker, "card_back": _draw_back, "card_sealed": _draw_sealed}


# --- the faces -----------------------------------------------------------------------------------------------


def _draw_suited(rank: str, suit: str, ink: Ink) -> str:
    drawn = _draw_queen(64, 39, 56, ink.ink) if rank == "Q" else draw_rank(rank, 64, 67, 56, 92, ink.ink)
    return _draw_card(ink.card, ink.edge) + drawn + draw_suit(suit, 64, 98, 43, ink.ink)


def _draw_plain(rank: str) -> str:
    return _draw_card(PAPER, EDGE) + (
        _draw_queen(64, 64, 76, SLATE) if rank == "Q" else draw_rank(rank, 64, 102, 76, 94, SLATE)
    )


def _draw_queen(x: float, y: float, height: float, ink: str) -> str:
    """Draw a Q around a point; the tail of the font's own Q is too short to see at 22 pixels."""
    bar = height * 0.2
    across, up = height * 0.42, (height - bar) / 2
    ring = f"M{_format(x - across)} {_format(y)}a{_format(across)} {_format(up)} 0 1 1 0 .01Z"
    tail = f"M{_format(x + across * 0.25)} {_format(y + up * 0.25)}L{_format(x + across * 1.2)} {_format(y + up * 1.2)}"
    return f'<path d="{ring}{tail}" fill="none" stroke="{ink}" stroke-width="{_format(bar)}"/>'


def _draw_mouse(number: int) -> str:
    grey, dark, pink = "#d9dee6", "#6d7684", "#f2a7b5"
    ears = "".join(
        f'<circle cx="{x}" cy="27" r="23" fill="{grey}" stroke="{dark}" stroke-width="6"/>'
        f'<circle cx="{x}" cy="27" r="11" fill="{pink}"/>'
        for x in (28, 100)
    )
    head = (
        '<path d="M64 20C104 20 125 46 125 78C125 110 100 125 64 125C28 125 3 110 3 78C3 46 24 20 64 20Z"'
        f' fill="{grey}" stroke="{dark}" stroke-width="6"/>'
    )
    return ears + head + draw_rank(f"+{number}", 64, 104, 58, 96, "#0b5d33")


def _draw_vulture(number: int) -> str:
    dark, light, skin, beak = "#43203a", "#cbb3c4", "#f0a3a0", "#f2b705"
    bird = (
        f'<path d="M64 42C84 34 104 36 124 22C127 40 126 56 122 66V108C122 118 114 125 104 125H24C14 125 6 118 6 108V66'
        f'C2 56 1 40 4 22C24 36 44 34 64 42Z" fill="{dark}" stroke="{light}" stroke-width="5" stroke-linejoin="round"/>'
        f'<path d="M52 18C42 16 34 22 33 38C38 34 44 33 54 33Z" fill="{beak}"/>'
        f'<circle cx="66" cy="23" r="19" fill="{skin}"/><circle cx="60" cy="19" r="5" fill="#16181c"/>'
        '<path d="M38 46C44 36 88 36 94 46C88 56 44 56 38 46Z" fill="#ffffff"/>'
    )
    return bird + draw_rank(f"-{number}", 64, 115, 56, 92, "#ffffff")


def _draw_joker() -> str:
    cap = (
        '<path d="M22 96C30 78 28 66 8 70C8 44 30 32 50 50L64 96Z" fill="#7a2fb5"/>'
        '<path d="M106 96C98 78 100 66 120 70C120 44 98 32 78 50L64 96Z" fill="#0b7d33"/>'
        '<path d="M40 96C38 60 50 40 64 16C78 40 90 60 88 96Z" fill="#f2b705"/>'
        '<rect x="18" y="92" width="92" height="20" rx="9" fill="#16181c"/>'
    )
    bells = "".join(f'<circle cx="{x}" cy="{y}" r="11" fill="#d3122b"/>' for x, y in ((12, 74), (64, 18), (116, 74)))
    return _draw_card(PAPER, EDGE) + f'<g transform="translate(64 64) scale(.84) translate(-64 -60)">{cap}{bells}</g>'


def _draw_back() -> str:
    lattice = "".join(
        f'<path d="M{x} {y - 13}L{x + 13} {y}L{x} {y + 13}L{x - 13} {y}Z" fill="#9db7f5"/>'
        for row, y in enumerate((25, 44, 64, 84, 103))
        for x in ((38, 64, 90) if row % 2 == 0 else (51, 77))
    )
    return (
        _draw_card("#ffffff", EDGE) + '<rect x="18" y="12" width="92" height="104" rx="10" fill="#2a4bb5"/>' + lattice
    )


def _draw_sealed() -> str:
    seal = (
        '<circle cx="64" cy="64" r="42" fill="#c21230" stroke="#ffffff" stroke-width="6"/>'
        '<path d="M42 66L58 82L88 48" fill="none" stroke="#ffffff" stroke-width="13" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )
    return _draw_back() + seal


# --- pieces --------------------------------------------------------------------------------------------------


def _draw_card(fill: str, edge: str) -> str:
    return f'<rect x="9" y="3" width="110" height="122" rx="18" fill="{fill}" stroke="{edge}" stroke-width="6"/>'


def draw_suit(suit: str, x: float, y: float, height: float, fill: str) -> str:
    """Draw a suit around a point."""
    scale = height / 100
    place = f"translate({_format(x)} {_format(y)}) scale({_format(scale)})"
    return f'<path transform="{place}" d="{SHAPES[suit]}" fill="{fill}"/>'


def draw_rank(text: str, x: float, y: float, height: float, widest: float, fill: str) -> str:
    """Draw a rank centred at x on the baseline y; narrow it if it would be wider than `widest`."""
    glyphs = [_read_glyphs()[letter] for letter in text]
    width = sum(glyph.advance for glyph in glyphs) - glyphs[0].left - (glyphs[-1].advance - glyphs[-1].right)
    tall = height / 100
    wide = min(tall, widest / width)
    at, drawn = -glyphs[0].left, ""
    for glyph in glyphs:
        drawn += f'<path transform="translate({_format(at)} 0)" d="{glyph.path}"/>'
        at += glyph.advance
    start = x - width * wide / 2
    place = f"translate({_format(start)} {_format(y)}) scale({_format(wide)} {_format(tall)})"
    return f'<g transform="{place}" fill="{fill}">{drawn}</g>'


@cache
def _read_glyphs() -> dict[str, Glyph]:
    read = json.loads(Path(__file__).with_name("glyphs.json").read_text(encoding="utf-8"))["letters"]
    return {letter: Glyph(one["path"], one["left"], one["right"], one["advance"]) for letter, one in read.items()}


def _format(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


def render_face(name: str) -> bytes:
    """Render one face in the size of the package."""
    return render_png(draw_face(name), FACE_PIXELS)


def main(folder: Path) -> None:
    """Replace the faces in a folder."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.png"):
        path.unlink()
    for name in list_faces():
        (folder / f"{name}.png").write_bytes(render_face(name))


if __name__ == "__main__":
    main(ROOT / "bot" / "pictures" / "shipped")
