"""The house player that leans on habits and never risks more than it was given. Only worker processes import this.

In every round it knows the exact game, its value and what each mix guarantees. It plays the mix that gains most
against what it expects, out of those that guarantee the value less a budget. The budget begins at `ALLOWED`, grows by
what a bid of the other side gave away against the mix that was played, and falls by what it gained. It is never below
zero; so, against any play of the other side, the mean outcome is below the value of the game by no more than `ALLOWED`
(Ganzfried and Sandholm, "Safe opponent exploitation", 2012: risk what you have been given). Where the game is not
solved exactly it plays as Sage.
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
"""What it may give up in a deal beyond what it was given: of P(win) - P(loss), or in points."""
FOXED = 0.5
"""The initial probability that the other side bids by habit, not by perfect play."""
EXACT = (WIN, POINTS)
_TINY = 1e-12
_SHORT = 1e-10
"""by which a mix may fall short of what it guarantees: else a last digit would turn a lean into none"""


@dataclass(frozen=True)
class PastRound:
    """A round of this deal as the solver knows it; `bids` are None in the round that is asked."""

    here: Position | None
    """None where it has more cards than the solver knows"""
    share: float
    """where the prize stands among all, as habits know it"""
    hand: tuple[Card, ...]
    """what the other side held, weakest for the solver first"""
    bids: tuple[int, int] | None
    """mine and theirs, as the solver's cards"""
    card: Card | None = None
    """theirs, as the match has it"""


def choose_hawk_bid(
    rules: Rules,
    seen: Observation,
    past: Sequence[Observation],
    chance: Chance,
    series: Series = SINGLE,
    before: Sequence[tuple[Points, ...]] = (),
    shown: Sequence[ShownBid] = (),
) -> Choice | None:
    """A card drawn from the safest mix that leans on habits; None where Sage or another level has to play."""
    wanted = find_goal(rules, series, before)
    rounds = tuple(list_rounds(rules, seen, wanted))
    now = rounds[-1].here if rounds else None
    if now is None:
        return None
    mix = find_mix(rules, rounds, _learn_habits(rules, past, seen, shown))
    if mix is None:
        return None
    card = sage.draw_card(sorted(now.mine), mix, chance.share())
    return Bid((convert_card(card, find_scope(rules)),))


def _learn_habits(rules: Rules, past: Sequence[Observation], seen: Observation, shown: Sequence[ShownBid]) -> Habits:
    """What the other side has shown in earlier matches, and in the deals before."""
    assert seen.seat is not None
    habits = Habits(seen.keys)
    for bid in (*shown, *list_shown_bids(rules, past, 1 - seen.seat)):
        habits.watch(bid)
    return habits


def find_mix(rules: Rules, rounds: Sequence[PastRound], habits: Habits) -> tuple[float, ...] | None:
    """How it bids in the last of these rounds, after those before; None where that is not solved exactly."""
    now = rounds[-1].here
    assert now is not None
    account = Account(ALLOWED[now.objective], FOXED)
    for played in rounds[:-1]:
        assert played.bids is not None
        assert played.card is not None
        how = find_position_basis(played.here) if played.here else ""
        if played.here and (how in EXACT or (how == NEAR and _is_known_nearly(played.here))):
            found = sage.answer_by_basis(played.here, how)
            expected, theirs = _guess_bid(habits, played), sorted(played.here.theirs).index(played.bids[1])
            if how in EXACT:
                account = account.settled(found, account.lean(found, expected), theirs)
            account = account.believed(found, expected, theirs)
        habits.watch(ShownBid(played.hand, played.share, played.card))
    how = find_position_basis(now)
    return account.lean(sage.answer_by_basis(now, how), _guess_bid(habits, rounds[-1])) if how in EXACT else None


def find_first_mix(rules: Rules, seen: Observation, wanted: Goal, found: Solution) -> tuple[float, ...] | None:
    """How it bids where nothing is known of the rounds before; None where it plays as Sage."""
    if find_hawk_basis(rules, seen, wanted) not in (LEAN, LEAN_POINTS):
        return None
    now = list(list_rounds(rules, seen, wanted))[-1]
    return Account(ALLOWED[wanted.objective], FOXED).lean(found, _guess_bid(Habits(seen.keys), now))


def _guess_bid(habits: Habits, played: PastRound) -> list[float]:
    guess = habits.guess(played.hand, played.share)
    return [guess[card] for card in played.hand]


def _is_known_nearly(here: Position) -> bool:
    """Whether a round that was nearly exact can be looked at again without a solve."""
    return sage.get_library().knows(replace(here, objective="points", lead=0))


@dataclass(frozen=True)
class Account:
    """What may still be risked, and how likely it is that the other side bids by habit."""

    budget: float
    habit: float

    def lean(self, found: Solution, expected: Sequence[float]) -> tuple[float, ...]:
        """The mix that gains most from what is expected, out of those that keep the value but for the budget."""
        blend = np.array(expected) * self.habit + np.array(found.their_mix) * (1 - self.habit)
        return find_safe_mix(found, blend, self.budget)

    def believed(self, found: Solution, expected: Sequence[float], theirs: int) -> Account:
        """Return the account after a bid: the model that foretold it is believed more."""
        habit, perfect = self.habit * expected[theirs], (1 - self.habit) * max(found.their_mix[theirs], 1e-3)
        return replace(self, habit=min(0.999, max(0.001, habit / (habit + perfect))))

    def settled(self, found: Solution, mix: Sequence[float], theirs: int) -> Account:
        """After a bid: what it gave away against this mix may be risked, what it gained may not."""
        brought = sum(share * row[theirs] for share, row in zip(mix, found.matrix, strict=True))
        return replace(self, budget=max(0.0, self.budget + brought - found.value))


def find_safe_mix(found: Solution, expected: Floats, budget: float) -> tuple[float, ...]:
    """Of all mixes that guarantee the value less the budget the one that gains most against what is expected.

    One linear programme: most of gain x, where every answer to x brings at least the value less the budget. On the way
    the shares may add up to less than 1; all gains are above zero, so in the end they do not. Whatever the programme
    says, a mix that guarantees too little is not played.
    """
    game: Floats = np.array(found.matrix)
    least = found.value - budget
    gain = game @ expected
    rows, columns = len(found.matrix[0]) + 1, len(found.matrix)
    table: Floats = np.zeros((WIDTH + 1, WIDTH))
    table[: rows - 1, :columns] = -(game - least).T
    table[rows - 1, :columns] = 1.0
    table[rows - 1, columns] = 1.0
    table[rows, :columns] = gain - gain.min() + 1.0
    shares: Floats = np.zeros(columns)
    for at, share in _maximise(table, rows, columns):
        shares[at] = max(0.0, share)
    sure: Floats = np.array(found.mix)
    total = float(shares.sum())
    mix = shares / total if total > 0.5 else sure
    worst, own = float((mix @ game).min()), float((sure @ game).min())
    floor = min(least, own) - _SHORT
    if worst < floor:  # lean so much less
        part = (floor - worst) / (own - worst)
        mix = mix * (1 - part) + sure * part
    return tuple(float(share) for share in mix)


def _maximise(table: Floats, rows: int, columns: int) -> Iterator[tuple[int, float]]:
    """The variables above zero where the last row is greatest, by Bland's rule, which cannot run in circles."""
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
    """Every round of this deal as its position, the present one last; none where habits or positions mean nothing.

    Rounds without known bids are left out.
    """
    found, now = find_scope(rules), find_auction_position(rules, seen, wanted)
    if not can_read(rules, seen) or now is None or seen.seat is None:
        return
    values, seat, other = list_stakes(rules, seen), seen.seat, 1 - seen.seat
    played = [each for each in seen.rounds if all(bid is not None for bid in each.bids) and each.prizes]
    bids = [[_convert_bid(each.bids[at], found) for each in played] for at in (seat, other)]
    turned = [rules.value(each.prizes[-1]) for each in played]
    pot, lead = 0, now.lead - sum(_list_gains(found, turned, *bids))
    for at, each in enumerate(played):
        mine, theirs = (sorted((*hand, *own[at:])) for hand, own in ((now.mine, bids[0]), (now.theirs, bids[1])))
        here = None
        if len(mine) <= MOST_CARDS:
            prizes = (*turned[at:], *now.prizes)
            here = replace(
                now,
                mine=tuple(mine),
                theirs=tuple(theirs),
                prizes=prizes if found.ordered else tuple(sorted(prizes)),
                up=turned[at],
                pot=pot,
                lead=lead if wanted.win else 0,
            )
        hand = tuple(convert_card(card, found) for card in theirs)
        share = rank_prizes(rules, values, each.prizes)
        yield PastRound(here, share, hand, (bids[0][at], bids[1][at]), convert_card(bids[1][at], found))
        stake = turned[at] + pot
        won = (bids[0][at] > bids[1][at]) - (bids[0][at] < bids[1][at])
        pot, lead = (stake if not won and found.ties == "carry" else 0), lead + won * abs(stake)
    hand = tuple(convert_card(card, found) for card in sorted(now.theirs))
    yield PastRound(now, rank_prizes(rules, values, seen.exposed), hand, None)


def _list_gains(found: Scope, turned: Sequence[int], mine: Sequence[int], theirs: Sequence[int]) -> Iterator[int]:
    pot = 0
    for prize, one, other in zip(turned, mine, theirs, strict=True):
        won = (one > other) - (one < other)
        yield won * abs(prize + pot)
        pot = prize + pot if not won and found.ties == "carry" else 0


def _convert_bid(bid: Bid | None, found: Scope) -> int:
    assert bid is not None
    return convert_card(int(bid.cards[0]), found)
