"""The shapes and colours of cards: suits, mice, vultures, the Joker, and the back with its seal.

A shape stands in a square of 128 units, or around a point.
"""

from __future__ import annotations

from typing import NamedTuple

PAPER, EDGE, SLATE = "#ffffff", "#8e939c", "#2b2f36"


class Ink(NamedTuple):
    """The colours of a suited card."""

    card: str
    ink: str
    edge: str


FOUR_COLOURS = {
    "S": Ink(PAPER, "#16181c", EDGE),
    "H": Ink(PAPER, "#d3122b", EDGE),
    "D": Ink(PAPER, "#1560d4", EDGE),
    "C": Ink(PAPER, "#0b7d33", EDGE),
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
MOUSE_FACE = (
    '<circle cx="44" cy="66" r="8" fill="#16181c"/><circle cx="84" cy="66" r="8" fill="#16181c"/>'
    '<circle cx="64" cy="94" r="11" fill="#e0707f"/>'
)


def draw_mouse(face: str = MOUSE_FACE) -> str:
    """Draw a mouse; its number may stand in place of its face."""
    grey, dark, pink = "#d9dee6", "#6d7684", "#f2a7b5"
    ears = "".join(
        f'<circle cx="{x}" cy="27" r="23" fill="{grey}" stroke="{dark}" stroke-width="6"/>'
        f'<circle cx="{x}" cy="27" r="11" fill="{pink}"/>'
        for x in (28, 100)
    )
    return (
        ears
        + (
            '<path d="M64 20C104 20 125 46 125 78C125 110 100 125 64 125C28 125 3 110 3 78C3 46 24 20 64 20Z"'
            f' fill="{grey}" stroke="{dark}" stroke-width="6"/>'
        )
        + face
    )


def draw_vulture(dark: str = "#43203a") -> str:
    """Draw a vulture without its number, with feathers of this colour."""
    light, skin, beak = "#cbb3c4", "#f0a3a0", "#f2b705"
    return (
        f'<path d="M64 42C84 34 104 36 124 22C127 40 126 56 122 66V108C122 118 114 125 104 125H24C14 125 6 118 6 108V66'
        f'C2 56 1 40 4 22C24 36 44 34 64 42Z" fill="{dark}" stroke="{light}" stroke-width="5" stroke-linejoin="round"/>'
        f'<path d="M52 18C42 16 34 22 33 38C38 34 44 33 54 33Z" fill="{beak}"/>'
        f'<circle cx="66" cy="23" r="19" fill="{skin}"/><circle cx="60" cy="19" r="5" fill="#16181c"/>'
        '<path d="M38 46C44 36 88 36 94 46C88 56 44 56 38 46Z" fill="#ffffff"/>'
    )


def draw_cap() -> str:
    """Draw the cap of the Joker."""
    cap = (
        '<path d="M22 96C30 78 28 66 8 70C8 44 30 32 50 50L64 96Z" fill="#7a2fb5"/>'
        '<path d="M106 96C98 78 100 66 120 70C120 44 98 32 78 50L64 96Z" fill="#0b7d33"/>'
        '<path d="M40 96C38 60 50 40 64 16C78 40 90 60 88 96Z" fill="#f2b705"/>'
        '<rect x="18" y="92" width="92" height="20" rx="9" fill="#16181c"/>'
    )
    bells = "".join(f'<circle cx="{x}" cy="{y}" r="11" fill="#d3122b"/>' for x, y in ((12, 74), (64, 18), (116, 74)))
    return cap + bells


def draw_suit(suit: str, x: float, y: float, height: float, fill: str) -> str:
    """Draw a suit around a point."""
    place = f"translate({format_number(x)} {format_number(y)}) scale({format_number(height / 100)})"
    return f'<path transform="{place}" d="{SHAPES[suit]}" fill="{fill}"/>'


def format_number(number: float) -> str:
    """Write a number with three digits at most behind its point."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def draw_seal(x: float, y: float, height: float) -> str:
    """Draw a small card back with its seal around a point."""
    scale = height / 128
    return (
        f'<g transform="translate({format_number(x)} {format_number(y)}) scale({format_number(scale)})">'
        '<rect x="-50" y="-61" width="100" height="122" rx="18" fill="#ffffff"/>'
        '<rect x="-39" y="-50" width="78" height="100" rx="10" fill="#2a4bb5"/>'
        '<circle r="32" fill="#c21230" stroke="#ffffff" stroke-width="6"/>'
        '<path d="M-15 2L-3 14L17-12" fill="none" stroke="#ffffff" stroke-width="10" stroke-linecap="round"'
        ' stroke-linejoin="round"/></g>'
    )
