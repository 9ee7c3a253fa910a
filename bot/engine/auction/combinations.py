"""What a combination of rules refuses and promises.

Rules that exclude each other (rules.md 5.3) stand in the order in which a player reads of them. The bounds of scores
and length (*Extremes* of rules.md) follow from the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.engine.cards import Points, Seat, simplify
from bot.engine.facts import Facts
from bot.engine.refusals import BadSetup
from bot.engine.state import Cards

if TYPE_CHECKING:
    from bot.engine.auction.auction import Auction


_OPTION = {"bid-cards-range": "bid_cards", "row-size": "row_size"}
"""The option that a refusal names if a single option is out of range."""


def refuse_combinations(rules: Auction) -> None:
    """Refuse an auction if its parameters contradict each other; say why."""
    open_prizes = rules.expose > 0
    rebid = rules.ties == "rebid"
    more_than_two, more_than_three = rules.seats > 2, rules.seats > 3
    negative = any(rules.value(prize) < 0 for prize in rules.prizes)
    hand = len(rules.hand)
    game = rules.game.name
    checks: tuple[tuple[bool, str], ...] = (
        (not 1 <= rules.per_bid <= min(3, hand or 3), "bid-cards-range"),
        # RULING O5: open prizes are picked whole, by bids that cancel each other.
        (open_prizes and rules.ties == "split", "open-split"),
        (open_prizes and rebid, "open-rebid"),
        (open_prizes and rules.swap, "open-swap"),
        (open_prizes and rules.blind, "open-blind"),  # RULING B1
        (open_prizes and rules.hides_bids, "win-only-open"),
        (open_prizes and negative, "negative-open"),
        (open_prizes and rules.row and not 1 <= rules.expose <= hand, "row-size"),
        (open_prizes and rules.row and rules.pickers != 1, "row-winners"),
        (open_prizes and not 1 <= rules.pickers <= rules.seats, "open-winners"),
        (rebid and more_than_two and not rules.returned, "rebid-seats"),  # RULING M3
        (rules.swap and more_than_two, "swap-seats"),  # RULING S1
        (rules.swap and rules.hides_bids, "swap-win-only"),  # RULING S4
        (rules.swap and rebid, "swap-rebid"),  # RULING S3
        (rules.circular and more_than_two, "compare-seats"),  # RULING Y1
        (rules.circular and rules.per_bid > 1, "compare-cards"),
        (rules.blind and rules.has_public_order, "order-blind"),  # RULINGS P2, B1
        (rules.hides_bids and rebid, "win-only-rebid"),
        (rules.hides_bids and rules.ties == "split", "win-only-split"),
        (rules.shows_margin and not rules.facts.margin, "margin-seats"),
        (rules.prize_suit != "D" and (more_than_three or open_prizes or not rules.has_court_letters), "suits-few"),
        (rules.ends_early and negative, "negative-clinch"),  # RULING C8
        (rules.ends_early and not rules.additive, "clinch"),  # RULING C8
    )
    for wrong, id in checks:
        if wrong:
            n = hand if id == "row-size" else rules.seats
            raise BadSetup(id, game=game, n=n, option=_OPTION.get(id, ""))


@lru_cache(maxsize=512)
def auction_facts(rules: Auction) -> Facts:
    """Return bounds for full deals with scores that are sums of values. They are exact for Classic."""
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
            # The highest card of a seat always earns a share; if all seats tie with it, the next card does too.
            # If a bid is the whole hand, all seats tie and share one prize.
            worst = simplify(Fraction(values[0], seats if rounds == 1 else seats - 1))
    picks = rounds * max(1, rules.expose) if rules.expose else 0
    return Facts(
        lowest=worst,
        highest=best,
        longest=hand + picks,
        public_hands=not (rules.hides_bids or rules.shows_bids_once),
        margin=seats == 2 and not rules.expose,
    )


def can_outbid(rules: Auction, hands: Sequence[Cards], seat: Seat) -> bool:
    """Return True if a bid of this seat can be the highest that counts.

    It is never False if one can. Where equal bids don't count and three or more seats bid, it may be True if none can.
    """
    size = rules.bid_size(len(hands[seat]))
    others = [sorted(map(rules.strength, hand)) for hand in hands]
    own = others.pop(seat)
    best = sum(own[len(own) - size :])
    above = [hand for hand in others if sum(hand[:size]) >= best]
    if not above or size != 1 or not rules.cancel:
        return size > 0 and (not above or (rules.cancel and len(others) > 1))
    # Higher bids don't count if they are equal.
    return all(any(set(hand) & set(other) - {own[0]} for other in others if other is not hand) for hand in above)


def _must_lose_one(rules: Auction) -> bool:
    """Return True if no seat can win every prize: all cards are bid, and both hands have the same sum."""
    all_bid = len(rules.hand) % rules.per_bid == 0
    plain = not rules.expose and not rules.swap and not rules.circular and all_bid
    if rules.seats == 2:
        return plain and rules.ties != "rebid"
    return plain and rules.ties in ("discard", "split") and not rules.cancel
