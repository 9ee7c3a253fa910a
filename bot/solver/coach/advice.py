"""The coach's questions and answers, as plain values. This module needs neither numpy nor numba."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.engine.cards import Points
from bot.engine.choices import Bid
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.state import Deal, Round
from bot.engine.view import observe
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.goal import FOR_POINTS, find_goal
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.solver.exact.scope import EVEN, convert_card, find_position, find_scope
from bot.solver.players.basis import POINTS, ROUGH, find_basis

Mix = tuple[tuple[int, float], ...]
"""Cards with their shares in a mix, the most frequent first."""


Payoffs = tuple[tuple[float, ...], ...]
"""The payoff of each pair of bids: a row for each card of mine, a column for each of theirs, both ascending."""

NOTHING = {True: 0.0005, False: 0.005}
"""A smaller loss counts as no loss. Keys: True for the chance to win, False for points."""
GRADES: Mapping[bool, tuple[tuple[float, str], ...]] = {
    True: ((NOTHING[True], "best"), (0.03, "fine"), (0.1, "costly"), (float("inf"), "blunder")),
    False: ((NOTHING[False], "best"), (0.5, "fine"), (2.0, "costly"), (float("inf"), "blunder")),
}
"""Upper bounds of the loss of a bid, each with its grade. Keys as in `NOTHING`."""
BLUNDER = {win: grades[-2][0] for win, grades in GRADES.items()}
"""The smallest blunder. Divided by it, chances and points of one match can be compared."""
UNLUCKY = {True: 0.1, False: 2.0}
"""A good bid that lost this much to the other seat's card was unlucky. Keys as in `NOTHING`."""


def find_grade(given: float, win: bool) -> str:
    """Return best, fine, costly or blunder for an amount of the chance to win, or of points.

    The best bids are those that lose nothing. A chance is shown as whole per cent, so it is graded as whole per cent.
    """
    measured = max(given, round(given, 2)) if win else given
    return next(name for most, name in GRADES[win] if measured < most)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about a position."""

    position: Position | Duel | Endgame
    """with the objective points"""
    lead: int = 0
    """the lead of the side that asks"""
    payoffs: str = ""
    """the payoffs to return as well: "points", "win" for the chance to win, or empty for none"""

    @property
    def winning(self) -> Position | Duel | Endgame:
        """The same position, played to win."""
        return replace(self.position, objective="win", lead=self.lead)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The value and the mixes of a position."""

    value: float
    """in points"""
    mix: Mix
    """the mix for points; empty if all cards are equally good"""
    chance: float | None = None
    """the chance to win at the given lead, a draw as half a win"""
    to_win: Mix = ()
    """the mix for the chance to win; empty if all cards are equally good"""
    exact: bool = True
    """whether the chance is exact, not estimated from the points"""
    payoffs: Payoffs = ()
    """in points or chances to win, as the inquiry says"""


@dataclass(frozen=True, slots=True)
class PrizePlan:
    """The best plan for points once this prize is turned up."""

    prize: int
    value: float
    mix: Mix
    """empty if all cards are equally good"""


@dataclass(frozen=True, slots=True)
class TooLong:
    """The answer if a solve would take too long, with the estimated seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Move:
    """A round that was played: the position of seat 0, both bids, and the lead of seat 0 before the round."""

    deal: int
    round: int
    position: Position | Duel | Endgame
    bids: tuple[int, int]
    """as the solver's cards"""
    faces: tuple[tuple[tuple[int, int], ...], ...]
    """for each seat pairs of the solver's card and the match's card"""
    lead: float
    exact: bool
    """whether the exact rules are solved; else ties count as discarded"""
    winning: Position | Duel | Endgame | None = None
    """the same position with the objective win; None if the deal is played for points"""
    how: str = ""
    """the basis of Sage's choice in `winning`"""
    later: Position | Duel | Endgame | None = None
    """the position of seat 0 in the next deal, if that is known: the same deal with hands exchanged"""


@dataclass(frozen=True, slots=True)
class JudgedRound:
    """A round compared with perfect play. Points are for seat 0."""

    deal: int
    round: int
    lead: float
    value: float
    """the expected points of the rest of the deal, once the prize was turned"""
    after: float
    """the expected points once the bids were revealed, the prize included"""
    bids: tuple[int, int]
    mixes: tuple[Mix, Mix]
    """for the objective of the deal: the chance to win, or points"""
    costs: tuple[float, float]
    """the largest loss of each seat's bid in points, against any optimal mix of the other seat"""
    exact: bool
    pot: int = 0
    """the points that earlier ties added to the prize"""
    chances: tuple[float, float] | None = None
    """seat 0's chance to win, a draw as half a win, before and after the bids; None if the deal is played for points"""
    own_chances: tuple[tuple[float, float], tuple[float, float]] | None = None
    """each seat's chance to win, before its bid, and after it against optimal play of the other seat"""
    near: bool = False
    """whether the chances are estimated from points"""
    alike: bool = False
    """whether all pairs of bids had the same value, as in a decided deal"""
    later: float = 0.0
    """the expected points of the next deal, if its cards are known; a deal that is shuffled favours nobody"""

    @property
    def is_to_win(self) -> bool:
        """Whether the bids of this round are judged by the chance to win; else by points."""
        return self.chances is not None

    @property
    def swing(self) -> float:
        """The points that seat 0 gained by these bids, compared with its expectation."""
        return self.after - self.value

    @property
    def moved(self) -> float:
        """The chance to win, or the points, that seat 0 gained by these bids."""
        return self.swing if self.chances is None else self.chances[1] - self.chances[0]

    def given_chance(self, seat: int) -> float:
        """Return the loss of this seat's bid in the chance to win, against optimal play of the other seat."""
        if self.own_chances is None:
            return 0.0
        before, after = self.own_chances[seat]
        return max(0.0, before - after)

    def given(self, seat: int) -> float:
        """Return the loss of this seat's bid, in the chance to win or in points."""
        return self.given_chance(seat) if self.is_to_win else self.costs[seat]

    def weight(self, seat: int) -> float:
        """Return the loss of this seat's bid, as a share of the smallest blunder."""
        return self.given(seat) / BLUNDER[self.is_to_win]

    def grade(self, seat: int) -> str:
        return find_grade(self.given(seat), self.is_to_win)

    def verdict(self, seat: int) -> str:
        """Return the grade of this seat's bid, or unlucky for a good bid that lost much to the other seat's card."""
        grade, lost = self.grade(seat), self.moved if seat else -self.moved
        return "unlucky" if grade in ("best", "fine") and lost >= UNLUCKY[self.is_to_win] else grade

    def is_free(self, seat: int) -> bool:
        """Return True if this seat's bid lost nothing."""
        return self.given(seat) < NOTHING[self.is_to_win]


@dataclass(frozen=True, slots=True)
class Review:
    """A finished match compared with perfect play."""

    rounds: tuple[JudgedRound, ...]

    def sum_given(self, seat: int, win: bool) -> float:
        """Return the sum of this seat's losses in the rounds judged by the chance to win, or by points."""
        return sum(judged.given(seat) for judged in self.rounds if judged.is_to_win == win and not judged.is_free(seat))

    def find_costliest_round(self, *seats: int) -> int | None:
        """Return the index of the round with the largest loss of these seats; None if they lost nothing."""
        given = [
            (judged.weight(seat), -at)
            for at, judged in enumerate(self.rounds)
            for seat in seats
            if not judged.is_free(seat)
        ]
        return -max(given)[1] if given else None

    def find_luckiest_round(self, but: int | None, seat: int | None) -> int | None:
        """Return the index of the round with the largest gain of a seat, or of either seat, except round `but`."""

        def gain(judged: JudgedRound) -> float:
            moved = abs(judged.moved) if seat is None else -judged.moved if seat else judged.moved
            return moved / BLUNDER[judged.is_to_win]

        gains = [(gain(judged), -at) for at, judged in enumerate(self.rounds) if at != but]
        best, at = max(gains, default=(0.0, 0))
        return -at if best > 0 else None


def list_leads(rounds: Sequence[JudgedRound]) -> tuple[list[float], list[float]]:
    """Return the leads of seat 0 before each round, and its expected final leads, also after the last round."""
    score = [judged.lead for judged in rounds]
    hope = [judged.lead + judged.value + judged.later for judged in rounds]
    end = [rounds[-1].lead + rounds[-1].after + rounds[-1].later] if rounds else []
    return score, [*hope, *end]


def can_review(rules: Rules) -> bool:
    """Return True if a match under these rules can be compared with perfect play."""
    scope = find_scope(rules)
    return (scope.is_solvable or scope.late) and scope.method != EVEN and not scope.clinch


def list_moves(
    rules: Rules, deals: Sequence[tuple[Deal, Sequence[Round]]], series: Series = SINGLE
) -> tuple[Move, ...]:
    """List the rounds of these deals that had a choice and are small enough to be judged."""
    scope, moves = find_scope(rules), list[Move]()
    before = list[tuple[Points, ...]]()
    carried, adds_points = 0.0, not series.counts_deals(rules.by_wins)
    for number, (deal, rounds) in enumerate(deals):
        state, lead, wanted = rules.start(deal), 0.0, find_goal(rules, series, before)
        later = _find_next_deal(rules, deal, number, series) if adds_points else None
        for own, other in (bids for played in rounds for bids in (*played.again, played.bids)):
            if own is None or other is None:
                break
            seen = observe(state, 0)
            position, how = find_position(rules, seen), find_basis(rules, seen, FOR_POINTS)
            lead = float(seen.scores[0] - seen.scores[1]) * (-1 if rules.least_wins else 1)
            if position is not None and len(position.mine) > 1 and how in (POINTS, ROUGH):
                bids = (convert_card(_read_card(own), scope), convert_card(_read_card(other), scope))
                faces = tuple(
                    tuple((convert_card(card, scope), card) for card in _read_hand(hand)) for hand in state.hands
                )
                winning, by = (
                    (find_position(rules, seen, wanted), find_basis(rules, seen, wanted))
                    if wanted.is_to_win
                    else (None, "")
                )
                exact = how == POINTS
                at = number, seen.number - 1
                moves.append(Move(*at, position, bids, faces, carried + lead, exact, winning, by, later))
            state, _ = rules.resolve(state, {0: own, 1: other})
        scores = rules.score(state)
        before.append(scores)
        if adds_points:
            carried += float(scores[0] - scores[1]) * (-1 if rules.least_wins else 1)
    return tuple(moves)


def _find_next_deal(rules: Rules, deal: Deal, number: int, series: Series) -> Position | Duel | Endgame | None:
    """Return the first position of seat 0 in the next deal, if this deal fixes it."""
    follows = series.mode == "deals" and not number % 2 and number + 1 < series.number
    again = rules.redeal(deal) if follows else None
    return None if again is None else find_position(rules, observe(rules.start(again), 0))


def _read_card(bid: Bid) -> int:
    return int(bid.cards[0])


def _read_hand(hand: Sequence[int | str]) -> list[int]:
    return [int(card) for card in hand]
