"""What a coach is asked about one bid and answers, as plain values: nothing here needs the solver's libraries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.cards import Points
from bot.engine.rules import Rules
from bot.engine.series import Series
from bot.engine.state import State
from bot.engine.view import observe
from bot.solver.coach.advice import NOTHING, Mix
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.goal import find_goal
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.solver.exact.scope import EVEN, convert_card, find_position, find_scope
from bot.solver.players.basis import NEAR, POINTS, ROUGH, WIN, find_basis

CardPairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HintSpot:
    """Where a seat stands or stood before a bid, with all that perfect play needs to know."""

    here: Position | Duel | Endgame
    """played to win, or for points, as the match has it"""
    how: str
    """by what Sage would play here"""
    faces: tuple[CardPairs, CardPairs]
    """of mine and of theirs: the solver's cards and the match's"""
    deal: int
    round: int
    bids: tuple[int, int] | None = None
    """once the round is played: mine and theirs, as the solver knows cards"""

    @property
    def win(self) -> bool:
        """Whether it is played to win."""
        return self.here.objective == "win"


@dataclass(frozen=True, slots=True)
class CardAdvice:
    """One card of the hand, held against perfect play."""

    card: int
    share: float
    """how often the best mix bids it"""
    cost: float
    """the most it gives up, over all best mixes of the other side: of the chance to win, or points"""
    instead: int | None
    """a card of the best mix that does at least as well against every bid of the other side"""
    came: float | None
    """once the round is played: what this card would have led to against the bid that was made"""


@dataclass(frozen=True, slots=True)
class Hint:
    """What perfect play says of one bid."""

    deal: int
    round: int
    win: bool
    """whether figures are chances to win; else they are points"""
    exact: bool
    value: float
    """before the bids, with best play on both sides"""
    mix: Mix
    hand: tuple[CardAdvice, ...]
    """ascending"""
    alike: bool = False
    """whether all pairs of bids lead to the same, as where the deal is decided"""
    bids: tuple[int, int] | None = None

    @property
    def right(self) -> tuple[int, ...]:
        """The cards that give up nothing but what rounding may add."""
        return tuple(advice.card for advice in self.hand if advice.cost <= NOTHING[self.win])

    def of(self, card: int) -> CardAdvice:
        return next(advice for advice in self.hand if advice.card == card)


def can_teach(rules: Rules) -> bool:
    """Whether there is something to say of bids under these rules."""
    found = find_scope(rules)
    return (found.solvable or found.late) and found.method != EVEN


def find_spot_before_bid(
    rules: Rules, state: State, seat: int, series: Series, before: Sequence[tuple[Points, ...]]
) -> HintSpot | None:
    """Where a seat stands now; None where nothing can be said."""
    if not can_teach(rules):
        return None
    seen, wanted, found = observe(state, seat), find_goal(rules, series, before), find_scope(rules)
    here, how = find_position(rules, seen, wanted), find_basis(rules, seen, wanted)
    if here is None or len(here.mine) < 2 or how not in (WIN, NEAR, POINTS, ROUGH):
        return None
    mine, theirs = (
        tuple((convert_card(int(card), found), int(card)) for card in hand)
        for hand in (state.hands[seat], state.hands[1 - seat])
    )
    return HintSpot(here, how, (mine, theirs), len(before), seen.number - 1)


def find_spot_after_round(
    rules: Rules, state: State, seat: int, series: Series, before: Sequence[tuple[Points, ...]]
) -> HintSpot | None:
    """Where a seat stood in the last round of a deal that had a choice, and what was bid there."""
    found = find_scope(rules)
    earlier, spot = rules.start(state.deal), None
    for played in state.rounds:
        for joint in (*played.again, played.bids):
            one, other = joint[seat], joint[1 - seat]
            if one is None or other is None:
                return spot
            now = find_spot_before_bid(rules, earlier, seat, series, before)
            if now is not None:
                bids = convert_card(int(one.cards[0]), found), convert_card(int(other.cards[0]), found)
                spot = HintSpot(now.here, now.how, now.faces, now.deal, now.round, bids)
            earlier, _ = rules.resolve(earlier, {seat: one, 1 - seat: other})
    return spot
