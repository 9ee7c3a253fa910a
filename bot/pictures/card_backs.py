"""A card back with its seal, the icon of the bot, and the fan of cards of the first screen, as SVG."""

from __future__ import annotations

from functools import cache

from bot.pictures.card_shapes import EDGE, FOUR_COLOURS, draw_suit, format_number
from bot.pictures.lettering import FAMILY, draw_narrow
from bot.pictures.palette import GROUND, LANE

WIDTH, HEIGHT = 200.0, 280.0
"""of a card around a point"""
BLUE, LATTICE, RED = "#2a4bb5", "#9db7f5", "#c21230"

ICON = 512
"""width and height of the icon; Discord shows the circle in it"""
FAN_WIDTH, FAN_HEIGHT = 1200, 490
REACH = 900.0
"""from the point around which the fan opens to the middle of a card"""
FAN = (("A", "S"), ("4", "H"), ("7", "C"), None, ("10", "D"), ("Q", "S"), ("K", "H"))
"""the cards of the fan from left to right; the one in the middle is sealed"""
ANGLE = 9.3
"""degrees between two cards"""
LIFT = 46.0
"""how far the sealed card stands out of the fan"""


@cache
def draw_icon() -> str:
    """Return the icon of the bot: a card back with its seal. It has no text, so that any program draws it alike."""
    middle = ICON / 2
    card = f'<g transform="translate({middle:.0f} {middle:.0f}) rotate(-9) scale(1.42)">{draw_sealed_card()}</g>'
    ground = f'<rect width="{ICON}" height="{ICON}" fill="{GROUND}"/><circle cx="256" cy="256" r="256" fill="{LANE}"/>'
    return _frame(ICON, ICON, ground + card)


@cache
def draw_fan() -> str:
    """Return a fan of cards, of which one is sealed."""
    centre = len(FAN) // 2
    places = [(abs(at - centre), at) for at in range(len(FAN))]
    cards = "".join(_draw_in_fan(at) for _, at in sorted(places, reverse=True))
    ground = f'<rect width="{FAN_WIDTH}" height="{FAN_HEIGHT}" rx="28" fill="{GROUND}"/>'
    return _frame(FAN_WIDTH, FAN_HEIGHT, ground + cards)


def _draw_in_fan(at: int) -> str:
    named, turned = FAN[at], ANGLE * (at - len(FAN) // 2)
    above = REACH + (LIFT if named is None else 0.0)
    place = f"translate({FAN_WIDTH / 2:.0f} {FAN_HEIGHT / 2 + REACH - 12:.0f}) rotate({format_number(turned)})"
    card = draw_sealed_card() if named is None else _draw_card(*named, is_right=turned > 0)
    return f'<g transform="{place} translate(0 {-above:.0f})">{card}</g>'


def draw_sealed_card() -> str:
    """Draw a card back with its seal around the origin."""
    half, tall = WIDTH / 2 - 17, HEIGHT / 2 - 17
    lattice = "".join(
        f"M{format_number(x)} {format_number(y - 15)}l12 15l-12 15l-12-15Z"
        for row in range(-3, 4)
        for x in ((-66.4, -33.2, 0.0, 33.2, 66.4) if row % 2 == 0 else (-49.8, -16.6, 16.6, 49.8))
        if abs(y := row * 34.0) < tall
    )
    return (
        f"{_draw_paper('#ffffff')}"
        f'<rect x="{-half}" y="{-tall}" width="{2 * half}" height="{2 * tall}" rx="14" fill="{BLUE}"/>'
        f'<path d="{lattice}" fill="{LATTICE}"/>'
        f'<circle r="68" fill="{RED}" stroke="#ffffff" stroke-width="10"/>'
        '<path d="M-34 3L-9 28L38-27" fill="none" stroke="#ffffff" stroke-width="19" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )


def _draw_card(rank: str, suit: str, *, is_right: bool) -> str:
    """Draw a card with its rank in the corner that the fan leaves free: the right one on the right side."""
    ink = FOUR_COLOURS[suit]
    across, top = (WIDTH / 2 - 42) * (1 if is_right else -1), -HEIGHT / 2
    corner = draw_narrow(rank, across, top + 68, 70, 60, ink.ink) + draw_suit(suit, across, top + 102, 42, ink.ink)
    return _draw_paper(ink.card) + corner + draw_suit(suit, 0, 26, 100, ink.ink)


def _draw_paper(fill: str) -> str:
    place = f'x="{-WIDTH / 2:.0f}" y="{-HEIGHT / 2:.0f}" width="{WIDTH:.0f}" height="{HEIGHT:.0f}"'
    return f'<rect {place} rx="24" fill="{fill}" stroke="{EDGE}" stroke-width="5"/>'


def _frame(width: int, height: int, drawn: str) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FAMILY}" font-weight="bold">{drawn}</svg>\n'
