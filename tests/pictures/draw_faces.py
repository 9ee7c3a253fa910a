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

from bot.pictures.card_shapes import (
    EDGE,
    FOUR_COLOURS,
    PAPER,
    SLATE,
    Ink,
    draw_cap,
    draw_mouse,
    draw_suit,
    draw_vulture,
)
from bot.pictures.card_shapes import (
    format_number as _format,
)
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


SAFE_COLOURS = {
    "S": Ink(PAPER, "#000000", EDGE),
    "H": Ink("#c24a00", "#ffffff", "#8c3500"),
    "D": Ink("#8ec5ff", "#002b5c", "#3f7fb8"),
    "C": Ink("#ffcf33", "#332600", "#b08a00"),
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
        made[f"mouse_{number}"] = lambda number=number: _draw_numbered_mouse(number)
    for number in range(1, 6):
        made[f"vulture_{number}"] = lambda number=number: _draw_numbered_vulture(number)
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


def _draw_numbered_mouse(number: int) -> str:
    return draw_mouse("") + draw_rank(f"+{number}", 64, 104, 58, 96, "#0b5d33")


def _draw_numbered_vulture(number: int) -> str:
    return draw_vulture() + draw_rank(f"-{number}", 64, 115, 56, 92, "#ffffff")


def _draw_joker() -> str:
    return _draw_card(PAPER, EDGE) + (f'<g transform="translate(64 64) scale(.84) translate(-64 -60)">{draw_cap()}</g>')


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
