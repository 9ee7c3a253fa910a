"""Perfect play in words: what a position is worth, and how often each card is bid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.engine.cards import Card, face
from bot.referee.house.coach import Odds
from cogs.ui.message import Message, joined
from cogs.ui.words.sentences import say

LITTLE = 0.05
"""less than this many points is told as none"""


def odds(
    found: Odds, mine: Sequence[int], theirs: Sequence[int], prize: int, left: Sequence[int], carry: bool
) -> Message:
    """The answer to a position that was typed in, which is repeated, so that a slip is noticed."""
    court = max((*mine, *theirs, prize, *left)) <= 13

    def card(one: Card) -> str:
        return face(one, court)

    hands = {"mine": _cards(mine, card), "theirs": _cards(theirs, card), "prize": card(prize)}
    where = say("odds-where", left=_cards(left, card), **hands) if left else say("odds-where-last", **hands)
    where = say("odds-carry", where=where) if carry else where
    told = say("odds", where=where, value=points(found.value, LITTLE), mix=mix(found.mix, card))
    if found.chance is None:
        return Message(told)
    win = say("odds-win" if found.exact else "odds-win-near", chance=chance(found.chance), mix=mix(found.to_win, card))
    return Message(joined(told, win))


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
