"""The coach's questions and answers about a single bid, as plain values. It needs neither numpy nor numba."""

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
    """The position of a seat before a bid."""

    position: Position | Duel | Endgame
    """with the objective of the match's deal"""
    how: str
    """the basis of Sage's choice in this position"""
    faces: tuple[CardPairs, CardPairs]
    """for each hand pairs of the solver's card and the match's card"""
    deal: int
    round: int
    bids: tuple[int, int] | None = None
    """once the round is played: my bid and theirs, as the solver's cards"""

    @property
    def is_to_win(self) -> bool:
        """Whether it is played to win."""
        return self.position.objective == "win"

    @property
    def is_exact(self) -> bool:
        """Whether the position is solved, not estimated."""
        return self.how in (WIN, POINTS)


@dataclass(frozen=True, slots=True)
class CardAdvice:
    """A card of the hand, compared with perfect play."""

    card: int
    share: float
    """its share in the optimal mix"""
    cost: float
    """its largest loss against any optimal mix of the other side: of the chance to win, or points"""
    instead: int | None
    """a card of the optimal mix that does at least as well against every bid of the other side"""
    came: float | None
    """once the round is played: the value of this card against the bid that was made"""


@dataclass(frozen=True, slots=True)
class Hint:
    """The evaluation of all cards of a hand before a bid."""

    deal: int
    round: int
    is_to_win: bool
    """whether figures are chances to win, not points"""
    exact: bool
    value: float
    """the value before the bids, with optimal play of both sides"""
    mix: Mix
    hand: tuple[CardAdvice, ...]
    """ascending"""
    alike: bool = False
    """whether all pairs of bids have the same value, as in a decided deal"""
    bids: tuple[int, int] | None = None

    @property
    def right(self) -> tuple[int, ...]:
        """The cards without a loss, apart from rounding."""
        return tuple(advice.card for advice in self.hand if advice.cost <= NOTHING[self.is_to_win])

    def of(self, card: int) -> CardAdvice:
        return next(advice for advice in self.hand if advice.card == card)


def can_teach(rules: Rules) -> bool:
    """Return True if bids under these rules can be evaluated."""
    scope = find_scope(rules)
    return (scope.is_solvable or scope.late) and scope.method != EVEN


def find_spot_before_bid(
    rules: Rules, state: State, seat: int, series: Series, before: Sequence[tuple[Points, ...]]
) -> HintSpot | None:
    """Return the current position of a seat; None if its bid cannot be evaluated."""
    if not can_teach(rules):
        return None
    seen, goal, scope = observe(state, seat), find_goal(rules, series, before), find_scope(rules)
    position, how = find_position(rules, seen, goal), find_basis(rules, seen, goal)
    if position is None or len(position.mine) < 2 or how not in (WIN, NEAR, POINTS, ROUGH):
        return None
    mine, theirs = (
        tuple((convert_card(int(card), scope), int(card)) for card in hand)
        for hand in (state.hands[seat], state.hands[1 - seat])
    )
    return HintSpot(position, how, (mine, theirs), len(before), seen.number - 1)


def find_spot_after_round(
    rules: Rules, state: State, seat: int, series: Series, before: Sequence[tuple[Points, ...]]
) -> HintSpot | None:
    """Return the position and the bids of the last round of a deal in which the seat had a choice."""
    scope = find_scope(rules)
    earlier, spot = rules.start(state.deal), None
    for played in state.rounds:
        for joint in (*played.again, played.bids):
            own, other = joint[seat], joint[1 - seat]
            if own is None or other is None:
                return spot
            now = find_spot_before_bid(rules, earlier, seat, series, before)
            if now is not None:
                bids = convert_card(int(own.cards[0]), scope), convert_card(int(other.cards[0]), scope)
                spot = HintSpot(now.position, now.how, now.faces, now.deal, now.round, bids)
            earlier, _ = rules.resolve(earlier, {seat: own, 1 - seat: other})
    return spot
