"""A position that somebody typed in, of any game that is solved."""

from __future__ import annotations

from bot.engine.cards import plain
from bot.engine.variants import classic, pico, sops, vultures
from bot.solver.pico import Duel
from bot.solver.position import HIGHEST, MOST_CARDS, Position

GAMES = tuple((game.key, game.name) for game in (classic.GAME, sops.GAME, vultures.GAME, pico.GAME))
"""Keys and names of the games whose positions can be typed."""


class Mistyped(ValueError):
    """It cannot be read, and why: "card" (`x`), "cards", "prize", "no-prize", "pico" or "large" (`game`)."""

    def __init__(self, why: str, **data: object) -> None:
        super().__init__(why)
        self.why, self.data = why, data


def read_cards(text: str, *, prizes: bool = False) -> tuple[int, ...]:
    """Cards as people type them: A 3 10 K, with blanks or commas; prizes may be below zero."""
    cards = list[int]()
    for word in text.replace(",", " ").split():
        below = prizes and word[0] in "-−"
        digits = word[1:] if below else word
        card = plain(digits.upper()) or (int(digits) if digits.isdecimal() and len(digits) <= 2 else 0)
        card = -card if below and isinstance(card, int) else card
        if not isinstance(card, int) or not 1 <= abs(card) <= HIGHEST or card in cards:
            raise Mistyped("card", x=word)
        cards.append(card)
    return tuple(sorted(cards))


def read_typed(
    mine: str, theirs: str, prize: str, left: str, ties: str, game: str = classic.GAME.key
) -> Position | Duel:
    """The position; prizes below zero are for Vultures, and Pico has none at all."""
    hands = read_cards(mine), read_cards(theirs)
    if game == pico.GAME.key:
        return _read_duel(hands, prize + left)
    mice = game == vultures.GAME.key
    if not prize.strip():
        raise Mistyped("prize")
    up, later = read_cards(prize, prizes=mice), read_cards(left, prizes=mice)
    if len(up) != 1 or not hands[0]:
        raise Mistyped("card", x=mine if len(up) == 1 else prize)
    if up[0] in later:
        raise Mistyped("card", x=left)
    if not len(hands[0]) == len(hands[1]) == 1 + len(later):
        raise Mistyped("cards")
    if len(hands[0]) > MOST_CARDS:
        raise Mistyped("large", game=dict(GAMES)[game])
    held = "carry" if mice else ties or "discard"
    return Position(*hands, tuple(sorted((*up, *later))), up[0], ties=held, swap=game == sops.GAME.key)


def _read_duel(hands: tuple[tuple[int, ...], tuple[int, ...]], prizes: str) -> Duel:
    if prizes.strip():
        raise Mistyped("no-prize")
    printed = pico.PACKS["pico2"]
    cards = {*hands[0], *hands[1]}
    sizes = sorted(map(len, hands))
    if not cards <= printed.keys() or len(cards) < sum(sizes) or not 2 <= sizes[0] <= sizes[1] <= pico.HAND:
        raise Mistyped("pico")
    return Duel(*hands, tuple(sorted(printed.items())))
