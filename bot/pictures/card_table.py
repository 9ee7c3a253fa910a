"""The table of cards of a result as SVG: a column for each round, a row for the prizes and one for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.pictures.card_shapes import (
    FOUR_COLOURS,
    PAPER,
    SLATE,
    draw_cap,
    draw_mouse,
    draw_suit,
    draw_vulture,
)
from bot.pictures.lettering import CAPITAL, SMALLEST, draw_narrow
from bot.pictures.palette import SEAT_COLOURS
from bot.pictures.scoreboard import SHARED, PictureCard, PictureRound

NARROWEST = 36.0
"""least width of a card on which two figures can be read"""
WIDEST = 84.0
GAP = 8.0
"""between cards of two rounds"""
SHAPE = 1.75
"""most height of a card, as a share of its width"""
DIM = "#304355"
"""the paper of a card that won nothing"""
VULTURE = "#5b2a4e"
CREATURES = {"mouse": ("#0b5d33", "#86c79c"), "vulture": ("#ffffff", "#d9a8c9")}
"""the colours of the number of a prize that was won, and of another one"""
RING = 4.0
"""width of the edge of a prize, which has the colour of the seat that got it"""
LEAST_PIP = 50.0
"""least height of a card with a suit below its rank"""
DIM_INKS = {"S": "#b4c2cf", "H": "#e8919b", "D": "#8fb8f5", "C": "#86c79c", "": "#b4c2cf"}
LEAST_PRIZE = 0.62
"""width of the smallest prize, as a share of the largest"""


@dataclass(frozen=True, slots=True)
class RoundColumns:
    """Where the columns of a table stand, and how wide the cards of a row are."""

    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    prize: float
    bid: float

    def middle(self, number: int) -> float:
        return self.lefts[number] + self.widths[number] / 2

    @property
    def right(self) -> float:
        return self.lefts[-1] + self.widths[-1]


def place_columns(
    rounds: Sequence[PictureRound], left: float, right: float, *, centred: bool = False
) -> RoundColumns | None:
    """Place a column for each round; None if cards would be too narrow to be read.

    Cards of a round lie side by side. If that leaves too little room, a round with more cards gets a wider column.
    """
    most = [one.most for one in rounds]
    if not most:
        return None
    unit = (right - left) / len(rounds)
    is_even = (unit - GAP) / max(most) >= NARROWEST
    shares = [1] * len(rounds) if is_even else most
    unit = min((right - left) / sum(shares), WIDEST * (max(most) if is_even else 1) + GAP)
    if unit - GAP < NARROWEST - 4:
        return None
    start = (left + right - unit * sum(shares)) / 2 if centred else left
    lefts = tuple(start + unit * sum(shares[:number]) for number in range(len(shares)))

    def width(counts: Iterable[int]) -> float:
        beside = max((count / share for count, share in zip(counts, shares, strict=True)), default=1)
        return min(WIDEST, (unit - GAP) / max(1, beside))

    return RoundColumns(
        lefts,
        tuple(unit * share for share in shares),
        width(one.wide_prizes for one in rounds),
        width(max(map(len, one.bids)) for one in rounds),
    )


def draw_cards(
    cards: Sequence[PictureCard], middle: float, down: float, width: float, height: float, lit: bool
) -> Iterable[str]:
    """Draw cards side by side around a point."""
    pitch = width + 3
    for number, card in enumerate(cards):
        yield draw_card(card, middle + pitch * (number - (len(cards) - 1) / 2), down, width, height, lit)


def draw_card(card: PictureCard, middle: float, down: float, width: float, height: float, lit: bool) -> str:
    """Draw one card around a point. A card that won nothing is dim."""
    return _draw_paper(middle, down, width, height, _paper(card) if lit else DIM) + _draw_print(
        card, middle, down, width, height, lit
    )


def _paper(card: PictureCard) -> str:
    return VULTURE if card.kind == "vulture" else PAPER


def _draw_paper(middle: float, down: float, width: float, height: float, fill: str) -> str:
    place = f'x="{middle - width / 2:.1f}" y="{down - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="{width * 0.15:.1f}" fill="{fill}"/>'


def _ink(card: PictureCard, *, lit: bool) -> str:
    if card.kind in CREATURES:
        return CREATURES[card.kind][0 if lit else 1]
    return DIM_INKS[card.suit] if not lit else FOUR_COLOURS[card.suit].ink if card.suit else SLATE


def _draw_print(card: PictureCard, middle: float, down: float, width: float, height: float, lit: bool) -> str:
    """Draw the rank, and the suit or the picture below it."""
    ink = _ink(card, lit=lit)
    has_pip = (card.suit or card.kind in CREATURES) and height >= LEAST_PIP
    size = max(SMALLEST, min(height * (0.58 if has_pip else 0.8), width * 0.86))
    if not has_pip:
        return draw_narrow(card.rank, middle, down + size * CAPITAL / 2, size, width - 5, ink)
    space = height * 0.09
    pip = height - size * CAPITAL - 3 * space
    base = down - height / 2 + space + size * CAPITAL
    at = base + space + pip / 2
    drawn = draw_narrow(card.rank, middle, base, size, width - 7, ink)
    if card.kind == "pair":
        return drawn + _draw_figure(draw_cap(), middle, at, min(pip * 1.5, width * 0.8))
    if card.suit:
        return drawn + draw_suit(card.suit, middle, at, pip, ink)
    return drawn + _draw_figure(draw_mouse() if card.kind == "mouse" else draw_vulture("#a8809c"), middle, at, pip)


def _draw_figure(figure: str, middle: float, down: float, width: float) -> str:
    """Draw a figure of 128 units around a point."""
    scale = width / 128
    place = f"translate({middle - 64 * scale:.1f} {down - 64 * scale:.1f}) scale({scale:.3f})"
    return f'<g transform="{place}">{figure}</g>'


def draw_prizes(played: PictureRound, middle: float, down: float, width: float, height: float) -> Iterable[str]:
    """Draw the prizes of a round around a point, each sized by its worth, and a Joker on the card of its pair."""
    pitch = width + 3
    least = max(LEAST_PRIZE, min(1.0, NARROWEST / width))
    prizes = [one for one in zip(played.prizes, played.takers, strict=True) if one[0].kind != "joker"]
    for number, (card, taker) in enumerate(prizes):
        across = middle + pitch * (number - (len(prizes) - 1) / 2)
        share = least + (1 - least) * card.size
        wide, high = width * share, height * share
        if taker is not None and taker != SHARED:
            yield _draw_paper(across, down, wide + 2 * RING, high + 2 * RING, SEAT_COLOURS[taker % len(SEAT_COLOURS)])
        shown = card if len(prizes) == len(played.prizes) else replace(card, kind="pair")
        yield draw_card(shown, across, down, wide, high, taker is not None)
