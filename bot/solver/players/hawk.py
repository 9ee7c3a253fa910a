"""Hawk, the house player that exploits habits within a safety budget. Only worker processes import this.

In each round Hawk solves the exact game. Of all mixes that guarantee the value less a budget it plays the mix that
gains most against the predicted bid. The budget starts at `ALLOWED`. It grows by the loss of the other side's bid
against the mix that was played, and falls by the gain. It is never negative, so against any strategy the mean outcome
is at most `ALLOWED` below the value of the game (Ganzfried and Sandholm, "Safe opponent exploitation", 2012). If the
game is not solved exactly, Hawk plays as Sage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.engine.cards import Card, Points
from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.view import Observation
from bot.solver.exact.goal import Goal, find_goal
from bot.solver.exact.position import MOST_CARDS, Position
from bot.solver.exact.scope import Scope, convert_card, find_auction_position, find_scope
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.matrix import WIDTH, pivot
from bot.solver.kernels.matrix_game import Solution
from bot.solver.players import sage
from bot.solver.players.basis import LEAN, LEAN_POINTS, NEAR, POINTS, WIN, find_hawk_basis, find_position_basis
from bot.solver.players.chance import Chance
from bot.solver.players.habits import Habits, ShownBid
from bot.solver.players.reader import can_read, list_shown_bids
from bot.solver.players.simple import list_stakes, rank_prizes

ALLOWED = {"win": 0.05, "points": 0.5}
"""The initial budget of a deal, in P(win) - P(loss) or in points."""
PRIOR = 0.5
"""The initial probability that the other side bids by habit, not by perfect play."""
EXACT = (WIN, POINTS)
_TINY = 1e-12
_SHORT = 1e-10
"""the tolerance of a mix's guarantee, so that rounding does not reject a safe mix"""


@dataclass(frozen=True)
class PastRound:
    """A round of this deal as a solver position; `bids` are None in the current round."""

    position: Position | None
    """None if it has more cards than the solver supports"""
    share: float
    """the rank of the prize among all prizes, from 0 to 1"""
    hand: tuple[Card, ...]
    """the hand of the other side, in ascending order of the solver's cards"""
    bids: tuple[int, int] | None
    """my bid and theirs, as the solver's cards"""
    card: Card | None = None
    """their bid as a card of the match"""


def choose_hawk_bid(
    rules: Rules,
    seen: Observation,
    past: Sequence[Observation],
    chance: Chance,
    series: Series = SINGLE,
    before: Sequence[tuple[Points, ...]] = (),
    shown: Sequence[ShownBid] = (),
) -> Choice | None:
    """Draw a card from the safe mix that exploits habits; return None if Sage or another level has to play."""
    wanted = find_goal(rules, series, before)
    rounds = tuple(list_rounds(rules, seen, wanted))
    now = rounds[-1].position if rounds else None
    if now is None:
        return None
    mix = find_mix(rules, rounds, _learn_habits(rules, past, seen, shown))
    if mix is None:
        return None
    card = sage.draw_card(sorted(now.mine), mix, chance.share())
    return Bid((convert_card(card, find_scope(rules)),))


def _learn_habits(rules: Rules, past: Sequence[Observation], seen: Observation, shown: Sequence[ShownBid]) -> Habits:
    """Build the habits of the other side from earlier matches and earlier deals."""
    assert seen.seat is not None
    habits = Habits(seen.keys)
    for bid in (*shown, *list_shown_bids(rules, past, 1 - seen.seat)):
        habits.watch(bid)
    return habits


def find_mix(rules: Rules, rounds: Sequence[PastRound], habits: Habits) -> tuple[float, ...] | None:
    """Return the mix in the last of these rounds, given the rounds before; None if the round is not solved exactly."""
    now = rounds[-1].position
    assert now is not None
    account = Account(ALLOWED[now.objective], PRIOR)
    for played in rounds[:-1]:
        assert played.bids is not None
        assert played.card is not None
        how = find_position_basis(played.position) if played.position else ""
        if played.position and (how in EXACT or (how == NEAR and _has_estimate(played.position))):
            solution = sage.answer_by_basis(played.position, how)
            expected, theirs = _guess_bid(habits, played), sorted(played.position.theirs).index(played.bids[1])
            if how in EXACT:
                account = account.settle(solution, account.find_mix(solution, expected), theirs)
            account = account.update_belief(solution, expected, theirs)
        habits.watch(ShownBid(played.hand, played.share, played.card))
    how = find_position_basis(now)
    return account.find_mix(sage.answer_by_basis(now, how), _guess_bid(habits, rounds[-1])) if how in EXACT else None


def find_first_mix(rules: Rules, seen: Observation, wanted: Goal, solution: Solution) -> tuple[float, ...] | None:
    """Return the mix if the rounds before are unknown; None if Hawk plays as Sage."""
    if find_hawk_basis(rules, seen, wanted) not in (LEAN, LEAN_POINTS):
        return None
    now = list(list_rounds(rules, seen, wanted))[-1]
    return Account(ALLOWED[wanted.objective], PRIOR).find_mix(solution, _guess_bid(Habits(seen.keys), now))


def _guess_bid(habits: Habits, played: PastRound) -> list[float]:
    guess = habits.guess(played.hand, played.share)
    return [guess[card] for card in played.hand]


def _has_estimate(position: Position) -> bool:
    """Return True if the chance to win in an earlier round can be estimated without a new solve."""
    return sage.get_library().knows(replace(position, objective="points", lead=0))


@dataclass(frozen=True)
class Account:
    """The remaining budget, and the probability that the other side bids by habit."""

    budget: float
    habit: float

    def find_mix(self, solution: Solution, expected: Sequence[float]) -> tuple[float, ...]:
        """Return the safe mix against a blend of the predicted bid and perfect play."""
        blend = np.array(expected) * self.habit + np.array(solution.their_mix) * (1 - self.habit)
        return find_safe_mix(solution, blend, self.budget)

    def update_belief(self, solution: Solution, expected: Sequence[float], theirs: int) -> Account:
        """Return the account with the probability of habits updated by Bayes' rule after a bid."""
        habit, perfect = self.habit * expected[theirs], (1 - self.habit) * max(solution.their_mix[theirs], 1e-3)
        return replace(self, habit=min(0.999, max(0.001, habit / (habit + perfect))))

    def settle(self, solution: Solution, mix: Sequence[float], theirs: int) -> Account:
        """Return the account with the budget changed by the loss or gain of a bid against this mix."""
        payoff = sum(share * row[theirs] for share, row in zip(mix, solution.matrix, strict=True))
        return replace(self, budget=max(0.0, self.budget + payoff - solution.value))


def find_safe_mix(solution: Solution, expected: Floats, budget: float) -> tuple[float, ...]:
    """Return the mix with the largest gain against `expected` among those that guarantee the value less the budget.

    It is the solution of a linear programme: maximise gain @ x so that each reply to x gives at least the value less
    the budget. The constraint is sum(x) <= 1; all gains are positive, so the optimum has sum 1. If rounding makes the
    guarantee too low, the mix is blended with the optimal mix.
    """
    game: Floats = np.array(solution.matrix)
    least = solution.value - budget
    gain = game @ expected
    rows, columns = len(solution.matrix[0]) + 1, len(solution.matrix)
    table: Floats = np.zeros((WIDTH + 1, WIDTH))
    table[: rows - 1, :columns] = -(game - least).T
    table[rows - 1, :columns] = 1.0
    table[rows - 1, columns] = 1.0
    table[rows, :columns] = gain - gain.min() + 1.0
    shares: Floats = np.zeros(columns)
    for at, share in _maximise(table, rows, columns):
        shares[at] = max(0.0, share)
    optimal: Floats = np.array(solution.mix)
    total = float(shares.sum())
    mix = shares / total if total > 0.5 else optimal
    worst, own = float((mix @ game).min()), float((optimal @ game).min())
    floor = min(least, own) - _SHORT
    if worst < floor:
        part = (floor - worst) / (own - worst)
        mix = mix * (1 - part) + optimal * part
    return tuple(float(share) for share in mix)


def _maximise(table: Floats, rows: int, columns: int) -> Iterator[tuple[int, float]]:
    """Maximise the last row of a tableau by the simplex method with Bland's rule; yield the variables above zero."""
    below, beside = [columns + row for row in range(rows)], list(range(columns))
    for _ in range(500):
        free = [(name, column) for column, name in enumerate(beside) if table[rows, column] > _TINY]
        if not free:
            break
        column = min(free)[1]
        ratios = [
            (max(0.0, float(table[row, columns])) / float(table[row, column]), below[row], row)
            for row in range(rows)
            if table[row, column] > _TINY
        ]
        if not ratios:
            return
        row = min(ratios)[2]
        pivot(table, rows, columns, row, column)
        below[row], beside[column] = beside[column], below[row]
    else:
        return
    for row, name in enumerate(below):
        if name < columns:
            yield name, float(table[row, columns])


def list_rounds(rules: Rules, seen: Observation, wanted: Goal) -> Iterator[PastRound]:
    """Yield the rounds of this deal with known bids, the current round last.

    Yield nothing if habits cannot be read or the position cannot be solved.
    """
    scope, now = find_scope(rules), find_auction_position(rules, seen, wanted)
    if not can_read(rules, seen) or now is None or seen.seat is None:
        return
    values, seat, other = list_stakes(rules, seen), seen.seat, 1 - seen.seat
    played = [each for each in seen.rounds if all(bid is not None for bid in each.bids) and each.prizes]
    bids = [[_convert_bid(each.bids[at], scope) for each in played] for at in (seat, other)]
    turned = [rules.value(each.prizes[-1]) for each in played]
    pots, gains = _count_pots(scope, turned, *bids)
    for at, each in enumerate(played):
        mine, theirs = (sorted((*hand, *own[at:])) for hand, own in ((now.mine, bids[0]), (now.theirs, bids[1])))
        position = None
        if len(mine) <= MOST_CARDS:
            prizes = (*turned[at:], *now.prizes)
            position = replace(
                now,
                mine=tuple(mine),
                theirs=tuple(theirs),
                prizes=prizes if scope.ordered else tuple(sorted(prizes)),
                up=turned[at],
                pot=pots[at],
                lead=now.lead - sum(gains[at:]) if wanted.is_to_win else 0,
            )
        hand = tuple(convert_card(card, scope) for card in theirs)
        share = rank_prizes(rules, values, each.prizes)
        yield PastRound(position, share, hand, (bids[0][at], bids[1][at]), convert_card(bids[1][at], scope))
    hand = tuple(convert_card(card, scope) for card in sorted(now.theirs))
    yield PastRound(now, rank_prizes(rules, values, seen.exposed), hand, None)


def _count_pots(
    scope: Scope, turned: Sequence[int], mine: Sequence[int], theirs: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return the pot before each round, and what I gained in it."""
    pots, gains = [0], list[int]()
    for prize, own, other in zip(turned, mine, theirs, strict=True):
        stake, won = prize + pots[-1], (own > other) - (own < other)
        gains.append(won * abs(stake))
        pots.append(stake if not won and scope.ties == "carry" else 0)
    return pots, gains


def _convert_bid(bid: Bid | None, scope: Scope) -> int:
    assert bid is not None
    return convert_card(int(bid.cards[0]), scope)
