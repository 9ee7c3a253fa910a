"""Perfect play in words: what a position is worth, and how often each card is bid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.engine.cards import Card, face
from bot.referee.house.coach import Duel, Odds, Position
from cogs.ui.message import Message, joined
from cogs.ui.words.sentences import say

LITTLE = 0.05
"""less than this many points is told as none"""


def odds(found: Odds, here: Position | Duel) -> Message:
    """The answer to a position that was typed in, which is repeated, so that a slip is noticed."""
    prizes = here.prizes if isinstance(here, Position) else ()
    court = isinstance(here, Position) and max((*here.mine, *here.theirs, *prizes)) <= 13

    def card(one: Card) -> str:
        return face(one, court)

    told = say("odds", where=_where(here, card), value=points(found.value, LITTLE), mix=mix(found.mix, card))
    if found.chance is None:
        return Message(told)
    win = say("odds-win" if found.exact else "odds-win-near", chance=chance(found.chance), mix=mix(found.to_win, card))
    return Message(joined(told, win))


def _where(here: Position | Duel, card: Callable[[Card], str]) -> str:
    hands = {"mine": _cards(here.mine, card), "theirs": _cards(here.theirs, card)}
    if isinstance(here, Duel):
        return say("odds-where-pico", **hands)
    assert here.up is not None
    prize, left = card(here.up), [prize for prize in here.prizes if prize != here.up]
    if left:
        told = say("odds-where", prize=prize, left=_cards(left, card), **hands)
    else:
        told = say("odds-where-last", prize=prize, **hands)
    if here.swap:
        return say("odds-swap" if not here.aim.carry else "odds-swap-carry", where=told)
    return say("odds-carry", where=told) if here.aim.carry else told


def chance(share: float) -> str:
    """62 %; never told as certain where it is not."""
    if 0 < share < 0.005:
        return "< 1 %"
    if 0.995 < share < 1:
        return "> 99 %"
    return f"{100 * share:.0f} %"


def mix(shares: Sequence[tuple[int, float]], card: Callable[[Card], str]) -> str:
    """K 61 %, 9 21 %, 5 18 %."""
    return ", ".join(say("share", card=card(one), share=_percent(share)) for one, share in shares)


def points(value: float, little: float = 0.005, digits: int = 1) -> str:
    """+2.3, −0.4, 0."""
    if abs(value) < little:
        return "0"
    return f"{'+' if value > 0 else '−'}{abs(value):.{digits}f}"


def _percent(share: float) -> str:
    """Whole per cent; less than one is not told as none."""
    return "< 1" if share < 0.005 else f"{100 * share:.0f}"


def _cards(cards: Sequence[int], card: Callable[[Card], str]) -> str:
    return " ".join(map(card, cards))
