"""The end of a deal of Bid or Psych: two hands, the prize that is up, and the prizes that may follow.

This module needs neither numpy nor numba.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.engine.auction.auction import Auction
from bot.engine.rules import Rules
from bot.engine.variants import bid, psych
from bot.engine.variants.psych import COURT, LOW
from bot.engine.view import Observation
from bot.solver.exact.goal import FOR_POINTS, Goal
from bot.solver.exact.position import Hand, without_card

GAMES = (bid.GAME.key, psych.GAME.key)
MOST = 5
"""With at most this many cards in hand the rest of the deal is solved within the time of a turn."""


@dataclass(frozen=True)
class Endgame:
    """The position of the seat with `mine`; cards are strengths. After a tie both bid for the same prize again."""

    mine: Hand
    theirs: Hand
    up: int
    """the score of the prize that is up"""
    stock: Hand
    """the scores of the prizes that may follow, ascending; a score may occur twice"""
    circular: bool = False
    """whether the lowest three ranks beat the highest three"""
    objective: str = "points"
    lead: int = 0
    pot: int = 0
    """always 0: nothing is carried"""

    @property
    def is_to_win(self) -> bool:
        return self.objective == "win"

    def beats(self, mine: int, theirs: int) -> int:
        """Return who takes the prize: 1 for me, -1 for them, 0 for a tie."""
        higher = (mine > theirs) - (mine < theirs)
        cards = {mine, theirs}
        return -higher if self.circular and cards & LOW and cards & COURT else higher

    def after(self, mine: int, theirs: int) -> Endgame:
        """Return the position after two bids, before the next prize is turned; after a tie the prize is still up."""
        won = self.beats(mine, theirs) * self.up if self.is_to_win else 0
        hands = without_card(self.mine, mine), without_card(self.theirs, theirs)
        return replace(self, mine=hands[0], theirs=hands[1], lead=self.lead + won)


def find_rank(known: int) -> int:
    """Return the card with this strength or score: only the Ace of Bid is above a King."""
    return bid.ACE if known > max(COURT) else known


def has_endgame(rules: Rules) -> bool:
    """Return True if the end of a deal is solved under these rules."""
    return (
        isinstance(rules, Auction)
        and rules.game.key in GAMES
        and (rules.seats, rules.per_bid, rules.ties, rules.order) == (2, 1, "rebid", "random")
        and not (rules.expose or rules.blind or rules.hides_bids or rules.shows_bids_once or rules.least_wins)
        and not (rules.returned or rules.swap or rules.cancel)
    )


def find_endgame(rules: Rules, seen: Observation, goal: Goal = FOR_POINTS) -> Endgame | None:
    """Return the position of the observing seat; None for other games, or too early in the deal."""
    if not has_endgame(rules) or seen.seat is None or seen.to_come is None or len(seen.exposed) != 1:
        return None
    own, other = seen.hands[seen.seat], seen.hands[1 - seen.seat]
    if own is None or other is None or not 1 <= len(own) <= min(MOST, len(seen.to_come) + 1):
        return None
    assert isinstance(rules, Auction)
    lead = goal.find_lead(seen)
    mine, theirs = (tuple(sorted(rules.strength(card) for card in hand)) for hand in (own, other))
    stock = tuple(sorted(rules.value(card) for card in seen.to_come))
    return Endgame(mine, theirs, rules.value(seen.exposed[0]), stock, rules.circular, goal.objective, lead)
