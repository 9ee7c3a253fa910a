"""Guess the next bid of a player from earlier bids: several simple habits, each trusted as far as it was right.

Nothing but additions, products and quotients, so that the same bids give the same guess on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul

from bot.engine.cards import Card

Guess = dict[Card, float]
"""How likely each card of a hand is; adds up to 1."""
Shares = tuple[float, ...]
"""The same by the places of the hand."""


@dataclass(frozen=True, slots=True)
class ShownBid:
    """A revealed bid, with the hand it came from and the rank of the prize from 0 to 1."""

    hand: tuple[Card, ...]
    stake: float
    card: Card


_SURE, _BESIDE = 0.7, 0.1
"""A steady habit is kept so often; so often the card on either side of it is played."""

_STEADY = ((0, 0.16), (1, 0.16), (2, 0.08), (-1, 0.06), (3, 0.04), (-2, 0.04))
"""Bidding so many places above the prize, and how likely that is before anything was seen."""
_ANY, _TURNED, _LEARNT = 0.16, 0.06, 0.24
"""Any card; dear prizes with low cards; and what was learnt in this match."""


class Habits:
    """One opponent. `keys` are the cards that they began with, weak to strong."""

    def __init__(self, keys: Sequence[Card]) -> None:
        self._keys = tuple(keys)
        self._place = {card: place for place, card in enumerate(keys)}
        self._offsets: list[float] = []
        self._trust = [share for _, share in _STEADY] + [_ANY, _TURNED, _LEARNT]

    def watch(self, shown: ShownBid) -> None:
        """Learn from a bid: habits that foretold it are trusted more."""
        at = shown.hand.index(shown.card)
        guesses = self._guesses(shown.hand, shown.stake)
        trust = [share * guess[at] for share, guess in zip(self._trust, guesses, strict=True)]
        total = sum(trust)
        self._trust = [share / total for share in trust]
        self._offsets.append(self._place[shown.card] - shown.stake * (len(self._keys) - 1))

    def kinds(self) -> list[tuple[int | str, float]]:
        """Every habit and how far it is trusted: so many places above the prize, "any" card, or "turned" round."""
        places = len(self._keys)
        trusted: list[tuple[int | str, float]] = [
            (above, share) for (above, _), share in zip(_STEADY, self._trust, strict=False)
        ]
        any_card, turned, learnt = self._trust[len(_STEADY) :]
        seen = [round(offset) % places for offset in self._offsets] or [0]
        return [*trusted, ("any", any_card), ("turned", turned), *((above, learnt / len(seen)) for above in seen)]

    def guess(self, hand: Sequence[Card], stake: float) -> Guess:
        """How likely they are to bid each card of this hand for a prize that stands there."""
        guesses = self._guesses(hand, stake)
        shares = [sum(map(mul, self._trust, each)) for each in zip(*guesses, strict=True)]
        return dict(zip(hand, shares, strict=True))

    def _guesses(self, hand: Sequence[Card], stake: float) -> tuple[Shares, ...]:
        """What each habit says, in the order in which they are trusted."""
        places = len(self._keys)
        held = tuple([self._place[card] for card in hand])
        return *_guess_by_habits(held, places, round(stake * (places - 1))), self._learnt(held, stake)

    def _learnt(self, held: tuple[int, ...], stake: float) -> Shares:
        """As far above or below the prize as they were before, the latest bids counting most."""
        centre = stake * (len(self._keys) - 1)
        above = [place - centre for place in held]
        weights = [0.1] * len(held)
        fresh = 1.0
        for offset in reversed(self._offsets):
            weights = [
                weight + fresh / (1 + (away := far - offset) * away) for weight, far in zip(weights, above, strict=True)
            ]
            fresh *= 0.9
        total = sum(weights)
        return tuple([weight / total for weight in weights])


@lru_cache(maxsize=4096)
def _guess_by_habits(held: tuple[int, ...], places: int, here: int) -> tuple[Shares, ...]:
    """What the habits say that learn nothing, of a hand by its places and for a prize that stands here."""
    steady = [_spread_around(held, (here + above) % places) for above, _ in _STEADY]
    return *steady, (1 / len(held),) * len(held), _spread_around(held, places - 1 - here)


def _spread_around(held: tuple[int, ...], place: int) -> Shares:
    """Mostly the card for this place, sometimes one beside it."""
    at = next((at for at, has in enumerate(held) if has >= place), len(held) - 1)
    found = [(1 - _SURE - 2 * _BESIDE) / len(held)] * len(held)
    found[at] += _SURE
    for beside in (at - 1, at + 1):
        found[beside if 0 <= beside < len(held) else at] += _BESIDE
    return tuple(found)
