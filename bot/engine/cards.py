"""Cards as the record writes them: 7 where suits do not matter, "QS" where they do, "Jk" the Joker.

Ranks of a standard suit are A=1, 2..10, J=11, Q=12, K=13 (rules.md 1.1); a game that ranks otherwise says so.
A declared Ace is a card of its own: "A+" counts high, "A-" low.
"""

from fractions import Fraction
from functools import cache
from typing import TypeAlias

Card: TypeAlias = int | str
Seat: TypeAlias = int
Points: TypeAlias = int | Fraction

JOKER = "Jk"
ACE_HIGH, ACE_LOW = "A+", "A-"

SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades: the order in which equal cards are taken (RULING W1)."""

_LETTERS = {1: "A", 11: "J", 12: "Q", 13: "K"}
_RANKS = {letter: rank for rank, letter in _LETTERS.items()}
_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

STANDARD = tuple(range(1, 14))
"""One whole suit, A to K."""


@cache
def rank_letter(rank: int) -> str:
    """Return how a rank is written on a card: A, 2, ... 10, J, Q, K, and plain numbers beyond."""
    return _LETTERS.get(rank, str(rank))


_SUITED = {rank_letter(rank) + suit: (rank, suit) for suit in SUITS for rank in STANDARD}
_RANK_OF: dict[Card, int] = {**{card: rank for card, (rank, _) in _SUITED.items()}, ACE_HIGH: 1, ACE_LOW: 1}
_SUIT_OF: dict[Card, str] = {card: suit for card, (_, suit) in _SUITED.items()}
PACK: tuple[Card, ...] = tuple(_SUITED)
"""The 52 suited cards."""


def rank(card: Card) -> int:
    """Return the number of a plain or suited card, or of a declared Ace; 0 for the Joker."""
    return card if isinstance(card, int) else _RANK_OF.get(card, 0)


def suit(card: Card) -> str:
    """Return the suit letter of a suited card, else ""."""
    return _SUIT_OF.get(card, "")


def read_plain(value: object) -> Card | None:
    """Return a suitless card from a record: a whole number or one of "A" "J" "Q" "K"; None if it is neither."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return _RANKS.get(value) if isinstance(value, str) else None


def read_suited(value: object) -> Card | None:
    """Return a suited card from a record, such as "10H"; None if it is not one."""
    return value if isinstance(value, str) and value in _SUITED else None


def face(card: Card, court: bool = True) -> str:
    """Return a card for people: A, 10, ♠Q, Joker, A high; `court=False` keeps plain numbers."""
    if isinstance(card, str):
        if card in _SUITED:
            number, of = _SUITED[card]
            return _SYMBOLS[of] + rank_letter(number)
        return {JOKER: "Joker", ACE_HIGH: "A high", ACE_LOW: "A low"}[card]
    if card < 0:
        return f"−{-card}"
    return rank_letter(card) if court else str(card)


def faces(cards: tuple[Card, ...], court: bool = True) -> str:
    """Format cards for people, separated by spaces."""
    return " ".join(face(card, court) for card in cards)


def simplify(points: Points) -> Points:
    """Return a whole number as int, any other value as an exact fraction (rules.md 1.4)."""
    return points if isinstance(points, int) or points.denominator != 1 else points.numerator


def format_points(points: Points) -> str:
    """Format points for people: 12, −5, 2 1/2."""
    points = points if isinstance(points, int) else simplify(points)
    if isinstance(points, int):
        return str(points) if points >= 0 else f"−{-points}"
    sign, size = ("−" if points < 0 else ""), abs(points)
    whole, rest = divmod(size.numerator, size.denominator)
    share = f"{rest}/{size.denominator}"
    return f"{sign}{whole} {share}" if whole else f"{sign}{share}"
