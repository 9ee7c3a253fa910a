"""What the coach is asked and answers, as plain values: nothing here needs the solver's libraries."""

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
"""Cards that are bid and how often, the most frequent first."""


Payoffs = tuple[tuple[float, ...], ...]
"""What each pair of bids is worth: a row for each card of mine, a column for each of theirs, both ascending."""

GRADES: Mapping[bool, tuple[tuple[float, str], ...]] = {
    True: ((0.005, "best"), (0.03, "fine"), (0.1, "costly"), (float("inf"), "blunder")),
    False: ((0.05, "best"), (0.5, "fine"), (2.0, "costly"), (float("inf"), "blunder")),
}
"""The grade of a bid that gave away less than this. Keys: True for the chance to win, False for points."""
NOTHING = {True: 0.0005, False: 0.005}
"""Less than this counts as nothing given away. Keys as in `GRADES`."""
BLUNDER = {win: grades[-2][0] for win, grades in GRADES.items()}
"""The smallest blunder. Divided by it, chances and points of one match can be compared."""


def find_grade(given: float, win: bool) -> str:
    """Return best, fine, costly or blunder for an amount of the chance to win, or of points.

    A chance is shown as whole per cent, so it is graded as whole per cent."""
    measured = round(given, 2) if win else given
    return next(name for most, name in GRADES[win] if measured < most)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about a position."""

    here: Position | Duel | Endgame
    """for points"""
    lead: int = 0
    """by how much the side that asks is ahead"""
    payoffs: str = ""
    """whether the payoffs are wanted as well: for "points", or for the chance to "win" """

    @property
    def winning(self) -> Position | Duel | Endgame:
        """The same position, played to win."""
        return replace(self.here, objective="win", lead=self.lead)


@dataclass(frozen=True, slots=True)
class Odds:
    """A position as perfect play sees it."""

    value: float
    """in points"""
    mix: Mix
    """for points; empty where every card is as good"""
    chance: float | None = None
    """the chance to win at the given lead, with a draw as half"""
    to_win: Mix = ()
    """the mix for that chance; empty where every card is as good"""
    exact: bool = True
    """whether the chance was solved; else it is estimated from the points"""
    payoffs: Payoffs = ()
    """in points, or chances to win, as was asked"""
    picture: bytes = b""
    """of the payoffs, as PNG"""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A position that would take too long, and how many seconds about."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Move:
    """A round that was played: the position of seat 0, what both bid there, and by how much seat 0 led before."""

    deal: int
    round: int
    here: Position | Duel | Endgame
    bids: tuple[int, int]
    """as the solver knows cards"""
    faces: tuple[tuple[tuple[int, int], ...], ...]
    """for each seat the solver's cards and the match's"""
    lead: float
    exact: bool
    """whether the rules themselves are solved here; else ties count as discarded"""
    winning: Position | Duel | Endgame | None = None
    """the same position where the deal is played to win; None where it is played for points"""
    how: str = ""
    """the basis that Sage plays `winning` by"""


@dataclass(frozen=True, slots=True)
class JudgedRound:
    """A round against perfect play. Points are for seat 0."""

    deal: int
    round: int
    lead: float
    value: float
    """what was still to be expected, once the prize lay open"""
    after: float
    """the same once the bids were revealed, the prize included"""
    bids: tuple[int, int]
    mixes: tuple[Mix, Mix]
    """of what the deal is played for: the chance to win, or points"""
    costs: tuple[float, float]
    """the points that each seat's bid gave up at most, over all optimal mixes of the other"""
    exact: bool
    pot: int = 0
    """what earlier ties added to the prize"""
    chances: tuple[float, float] | None = None
    """of seat 0 to win, a draw as half: before the bids were revealed and after; None where points are played for"""
    own_chances: tuple[tuple[float, float], tuple[float, float]] | None = None
    """of each seat to win: before its bid, and after it against the other's perfect play to win"""
    near: bool = False
    """whether the chances are estimated from points"""
    alike: bool = False
    """whether all pairs of bids led to the same, as where the deal was decided"""

    @property
    def win(self) -> bool:
        """Whether the bids of this round are judged by the chance to win; else by points."""
        return self.chances is not None

    @property
    def swing(self) -> float:
        """The points that seat 0 gained by these bids, over what it could expect."""
        return self.after - self.value

    @property
    def moved(self) -> float:
        """The chance to win, or the points, that seat 0 gained by these bids."""
        return self.swing if self.chances is None else self.chances[1] - self.chances[0]

    def given_chance(self, seat: int) -> float:
        """How much of the chance to win this seat's bid gave up against the other's perfect play."""
        if self.own_chances is None:
            return 0.0
        before, after = self.own_chances[seat]
        return max(0.0, before - after)

    def given(self, seat: int) -> float:
        """Return the chance to win, or the points, that this seat's bid gave up."""
        return self.given_chance(seat) if self.win else self.costs[seat]

    def weight(self, seat: int) -> float:
        """Return what this seat's bid gave up, as a share of the smallest blunder."""
        return self.given(seat) / BLUNDER[self.win]

    def grade(self, seat: int) -> str:
        return find_grade(self.given(seat), self.win)

    def is_free(self, seat: int) -> bool:
        """Whether this seat's bid gave nothing away."""
        return self.given(seat) < NOTHING[self.win]


@dataclass(frozen=True, slots=True)
class Review:
    """A finished match against perfect play."""

    rounds: tuple[JudgedRound, ...]

    def given_up(self, seat: int) -> float:
        """Return the points that this seat gave up in all rounds, without what counts as nothing."""
        return sum(cost for judged in self.rounds if (cost := judged.costs[seat]) >= NOTHING[False])

    def sum_given(self, seat: int, win: bool) -> float:
        """Return what this seat gave up in the rounds that are judged by the chance to win, or by points."""
        return sum(judged.given(seat) for judged in self.rounds if judged.win == win and not judged.is_free(seat))

    def dearest(self, *seats: int) -> int | None:
        """The place of the round in which one of these seats gave up most; None where they gave nothing away."""
        given = [
            (judged.weight(seat), -at)
            for at, judged in enumerate(self.rounds)
            for seat in seats
            if not judged.is_free(seat)
        ]
        return -max(given)[1] if given else None

    @property
    def luckiest(self) -> int:
        """The place of the round that moved most."""
        return max(range(len(self.rounds)), key=lambda at: abs(self.rounds[at].moved) / BLUNDER[self.rounds[at].win])


def list_leads(rounds: Sequence[JudgedRound]) -> tuple[list[float], list[float]]:
    """The lead of seat 0 before each round, and what it could expect to lead by in the end; then after the last."""
    score = [judged.lead for judged in rounds]
    hope = [judged.lead + judged.value for judged in rounds]
    end = [rounds[-1].lead + rounds[-1].after] if rounds else []
    return score, [*hope, *end]


def can_review(rules: Rules) -> bool:
    """Whether a match by these rules can be held against perfect play."""
    found = find_scope(rules)
    return (found.solvable or found.late) and found.method != EVEN and not found.clinch


def list_moves(
    rules: Rules, deals: Sequence[tuple[Deal, Sequence[Round]]], series: Series = SINGLE
) -> tuple[Move, ...]:
    """List the rounds of these deals that had a choice and are small enough to be judged."""
    found, moves = find_scope(rules), list[Move]()
    before = list[tuple[Points, ...]]()
    carried = 0.0
    for number, (deal, rounds) in enumerate(deals):
        state, lead, wanted = rules.start(deal), 0.0, find_goal(rules, series, before)
        for one, other in (bids for played in rounds for bids in (*played.again, played.bids)):
            if one is None or other is None:
                break
            seen = observe(state, 0)
            here, how = find_position(rules, seen), find_basis(rules, seen, FOR_POINTS)
            lead = float(seen.scores[0] - seen.scores[1]) * (-1 if rules.least_wins else 1)
            if here is not None and len(here.mine) > 1 and how in (POINTS, ROUGH):
                bids = (convert_card(_read_card(one), found), convert_card(_read_card(other), found))
                faces = tuple(
                    tuple((convert_card(card, found), card) for card in _read_hand(hand)) for hand in state.hands
                )
                winning, by = (
                    (find_position(rules, seen, wanted), find_basis(rules, seen, wanted)) if wanted.win else (None, "")
                )
                exact = how == POINTS
                moves.append(Move(number, seen.number - 1, here, bids, faces, carried + lead, exact, winning, by))
            state, _ = rules.resolve(state, {0: one, 1: other})
        scores = rules.score(state)
        before.append(scores)
        carried += float(scores[0] - scores[1]) * (-1 if rules.least_wins else 1)
    return tuple(moves)


def _read_card(bid: Bid) -> int:
    return int(bid.cards[0])


def _read_hand(hand: Sequence[int | str]) -> list[int]:
    return [int(card) for card in hand]
