"""Predict the next bid of a player from earlier bids: a mixture of simple habits, weighted by Bayes' rule.

The computation uses only sums, products and quotients, so the same bids give the same guess on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul

from bot.engine.cards import Card

Guess = dict[Card, float]
"""The probability of each card of a hand."""
Shares = tuple[float, ...]
"""Probabilities in the order of a hand's cards."""


@dataclass(frozen=True, slots=True)
class ShownBid:
    """A revealed bid, with the hand before it and the rank of the prize from 0 to 1."""

    hand: tuple[Card, ...]
    stake: float
    card: Card


_SURE, _BESIDE = 0.7, 0.1
"""The probability that a habit is followed, and that the card on either side is played instead."""

_STEADY = ((0, 0.16), (1, 0.16), (2, 0.08), (-1, 0.06), (3, 0.04), (-2, 0.04))
"""Habits of bidding a number of places above the prize's rank, each with its prior probability."""
_ANY, _TURNED, _LEARNT = 0.16, 0.06, 0.24
"""Prior probabilities: any card; low cards for high prizes; the distances observed in this match."""


class Habits:
    """A model of one opponent. `keys` are the cards of the first hand, weak to strong."""

    def __init__(self, keys: Sequence[Card]) -> None:
        self._keys = tuple(keys)
        self._place = {card: place for place, card in enumerate(keys)}
        self._offsets: list[float] = []
        self._trust = [share for _, share in _STEADY] + [_ANY, _TURNED, _LEARNT]

    def watch(self, shown: ShownBid) -> None:
        """Learn from a bid: habits that predicted it get more weight."""
        at = shown.hand.index(shown.card)
        guesses = self._guess_by_each(shown.hand, shown.stake)
        trust = [share * guess[at] for share, guess in zip(self._trust, guesses, strict=True)]
        total = sum(trust)
        self._trust = [share / total for share in trust]
        self._offsets.append(self._place[shown.card] - shown.stake * (len(self._keys) - 1))

    def list_weights(self) -> list[tuple[int | str, float]]:
        """List the habits and their weights: a number of places above the prize, "any" card, or "turned" (reversed)."""
        places = len(self._keys)
        trusted: list[tuple[int | str, float]] = [
            (above, share) for (above, _), share in zip(_STEADY, self._trust, strict=False)
        ]
        any_card, turned, learnt = self._trust[len(_STEADY) :]
        seen = [round(offset) % places for offset in self._offsets] or [0]
        return [*trusted, ("any", any_card), ("turned", turned), *((above, learnt / len(seen)) for above in seen)]

    def guess(self, hand: Sequence[Card], stake: float) -> Guess:
        """Return the probability of each card of this hand; `stake` is the rank of the prize, from 0 to 1."""
        guesses = self._guess_by_each(hand, stake)
        shares = [sum(map(mul, self._trust, each)) for each in zip(*guesses, strict=True)]
        return dict(zip(hand, shares, strict=True))

    def _guess_by_each(self, hand: Sequence[Card], stake: float) -> tuple[Shares, ...]:
        """Return the prediction of each habit, in the order of the weights."""
        places = len(self._keys)
        held = tuple([self._place[card] for card in hand])
        return *_guess_by_habits(held, places, round(stake * (places - 1))), self._guess_by_offsets(held, stake)

    def _guess_by_offsets(self, held: tuple[int, ...], stake: float) -> Shares:
        """Predict the distance from the prize's rank from earlier distances; later bids weigh more."""
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
def _guess_by_habits(held: tuple[int, ...], places: int, centre: int) -> tuple[Shares, ...]:
    """Return the predictions of the fixed habits; `held` are the places of the hand, `centre` that of the prize."""
    steady = [_spread_around(held, (centre + above) % places) for above, _ in _STEADY]
    return *steady, (1 / len(held),) * len(held), _spread_around(held, places - 1 - centre)


def _spread_around(held: tuple[int, ...], place: int) -> Shares:
    """Return probabilities with most on the card at this place, some beside it, and the rest spread evenly."""
    at = next((at for at, has in enumerate(held) if has >= place), len(held) - 1)
    shares = [(1 - _SURE - 2 * _BESIDE) / len(held)] * len(held)
    shares[at] += _SURE
    for beside in (at - 1, at + 1):
        shares[beside if 0 <= beside < len(held) else at] += _BESIDE
    return tuple(shares)
