"""What an auction promises about scores and length, worked out from its parameters (the *Extremes* of rules.md)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.engine.cards import Points, simplify
from bot.engine.facts import Facts

if TYPE_CHECKING:
    from bot.engine.auction.auction import Auction


@lru_cache(maxsize=512)
def auction_facts(rules: Auction) -> Facts:
    """Return bounds for full deals whose scores are sums of values. They are exact for the classic family."""
    hand, seats, size = len(rules.hand), rules.seats, rules.per_bid
    rounds = -(-hand // size) if rules.remainder == "short-last" else hand // size
    sold = rounds if not rules.expose or rules.row else rounds * rules.expose
    values = sorted(map(rules.value, rules.prizes))
    best = sum(value for value in values[-sold:] if value > 0)
    worst: Points = sum(value for value in values[:sold] if value < 0)
    if _must_lose_one(rules):
        # Equal rank sums: a seat that wins a round by rank loses another, at least the smallest prize.
        best -= min((value for value in values if value > 0), default=0)
        worst -= max((value for value in values if value < 0), default=0)
        if rules.ties == "split" and not rules.ends_early and values[0] > 0 and (seats == 2 or size == 1):
            # One's highest card always earns a share; if all seats tie with theirs, one's next card does too.
            # With the whole hand in one bid all seats tie, and share one prize.
            worst = simplify(Fraction(values[0], seats if rounds == 1 else seats - 1))
    picks = rounds * max(1, rules.expose) if rules.expose else 0
    return Facts(
        lowest=worst,
        highest=best,
        longest=hand + picks,
        public_hands=not (rules.hides_bids or rules.shows_bids_once),
        margin=seats == 2 and not rules.expose,
    )


def _must_lose_one(rules: Auction) -> bool:
    """Return True if no seat can win every prize: all cards are bid, and both hands have the same sum."""
    all_bid = len(rules.hand) % rules.per_bid == 0
    plain = not rules.expose and not rules.swap and not rules.circular and all_bid
    if rules.seats == 2:
        return plain and rules.ties != "rebid"
    return plain and rules.ties in ("discard", "split") and not rules.cancel
