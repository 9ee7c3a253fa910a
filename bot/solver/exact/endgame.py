"""The end of a deal of Bid or Psych: two hands, the prize that is up, and prizes of which nobody knows what comes next.

It needs none of the solver's libraries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.engine.auction.auction import Auction
from bot.engine.rules import Rules
from bot.engine.variants import bid, psych
from bot.engine.variants.psych import COURT, LOW
from bot.engine.view import Observation
from bot.solver.exact.goal import FOR_POINTS, Goal
from bot.solver.exact.pico import Hand

GAMES = (bid.GAME.key, psych.GAME.key)
MOST = 5
"""With so many cards in hand the rest of the deal is solved within a turn's time."""


@dataclass(frozen=True)
class Endgame:
    """Where the seat that holds `mine` stands, its cards by their strength. Ties are bid again for the same prize."""

    mine: Hand
    theirs: Hand
    up: int
    """what the prize that is up scores"""
    stock: Hand
    """what those that may still come score, ascending, some of them twice"""
    circular: bool = False
    """whether the lowest three beat the highest three"""
    objective: str = "points"
    lead: int = 0
    pot: int = 0
    """nothing is ever carried"""

    @property
    def win(self) -> bool:
        return self.objective == "win"

    def beats(self, mine: int, theirs: int) -> int:
        """Who takes the prize: 1 I, -1 they, 0 a tie."""
        higher = (mine > theirs) - (mine < theirs)
        cards = {mine, theirs}
        return -higher if self.circular and cards & LOW and cards & COURT else higher

    def after(self, mine: int, theirs: int) -> Endgame:
        """What two bids lead to, before the next prize is turned; after a tie the same prize is still up."""
        won = self.beats(mine, theirs) * self.up if self.win else 0
        hands = _without(self.mine, mine), _without(self.theirs, theirs)
        return replace(self, mine=hands[0], theirs=hands[1], lead=self.lead + won)


def find_rank(known: int) -> int:
    """The card that ranks or scores so much: only the Ace of Bid goes beyond a King, and does both."""
    return bid.ACE if known > max(COURT) else known


def _without(hand: Hand, card: int) -> Hand:
    return tuple(each for each in hand if each != card)


def has_endgame(rules: Rules) -> bool:
    """Whether these are rules under which the end of a deal is solved."""
    return (
        isinstance(rules, Auction)
        and rules.game.key in GAMES
        and (rules.seats, rules.per_bid, rules.ties, rules.order) == (2, 1, "rebid", "random")
        and not (rules.expose or rules.blind or rules.hides_bids or rules.shows_bids_once or rules.least_wins)
        and not (rules.returned or rules.swap or rules.cancel)
    )


def find_endgame(rules: Rules, seen: Observation, goal: Goal = FOR_POINTS) -> Endgame | None:
    """The position of the seat that looks; None where this is no such game, or too early in it."""
    if not has_endgame(rules) or seen.seat is None or seen.to_come is None or len(seen.exposed) != 1:
        return None
    one, other = seen.hands[seen.seat], seen.hands[1 - seen.seat]
    if one is None or other is None or not 1 <= len(one) <= min(MOST, len(seen.to_come) + 1):
        return None
    assert isinstance(rules, Auction)
    lead = 0
    if goal.win:
        totals = [sum(parts) for parts in zip(seen.scores, goal.ahead or (0, 0), strict=True)]
        lead = int(totals[seen.seat] - totals[1 - seen.seat])
    mine, theirs = (tuple(sorted(rules.strength(card) for card in hand)) for hand in (one, other))
    stock = tuple(sorted(rules.value(card) for card in seen.to_come))
    return Endgame(mine, theirs, rules.value(seen.exposed[0]), stock, rules.circular, goal.objective, lead)
