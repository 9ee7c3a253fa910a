"""Rules that exclude each other: every row of rules.md 5.3, in the order in which a person should hear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.refusals import BadSetup

if TYPE_CHECKING:
    from bot.engine.auction.auction import Auction


_OPTION = {"bid-cards-range": "bid_cards", "row-size": "row_size"}
"""The option to look at, where one alone is out of range."""


def refuse_combinations(rules: Auction) -> None:
    """Refuse an auction whose parameters contradict each other; say why."""
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
        (rules.prize_suit != "D" and (more_than_three or open_prizes or not rules.court), "suits-few"),
        (rules.ends_early and negative, "negative-clinch"),  # RULING C8
        (rules.ends_early and not rules.additive, "clinch"),  # RULING C8
    )
    for wrong, id in checks:
        if wrong:
            n = hand if id == "row-size" else rules.seats
            raise BadSetup(id, game=game, n=n, option=_OPTION.get(id, ""))
