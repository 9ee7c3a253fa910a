"""Compare positions, rounds and single bids with perfect play. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bot.solver.coach.advice import Analysis, Inquiry, JudgedRound, Mix, Move, PrizePlan, TooLong
from bot.solver.coach.hint import CardAdvice, Hint, HintSpot
from bot.solver.exact import solve
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.matrix_game import Solution
from bot.solver.players import sage
from bot.solver.players.basis import POINTS, ROUGH, WIN
from bot.solver.tables.library import QUICK

BEARABLE = 20.0
"""Seconds that a solve for an analysis may take."""
ROUNDING = 1e-9
"""The largest rounding error of an exact chance."""
PLAYED = 0.0005
"""A card with a smaller share of the mix counts as not played."""


def analyse(inquiry: Inquiry) -> Analysis | TooLong:
    """Return the value of a position with its prize up, and the mix of the side that asks."""
    position, winning = inquiry.position, inquiry.winning
    if wait := _estimate_wait(position):
        return TooLong(wait)
    found, cards = solve_undominated(position, POINTS), sorted(position.mine)
    exact = not _estimate_wait(winning)
    if isinstance(winning, Duel | Endgame) or exact:
        to_win = solve_undominated(winning, WIN)
    else:
        to_win = drop_dominated(solve.estimate_win(winning, found))
    chances = tuple(tuple(map(find_win_chance, row)) for row in to_win.matrix)
    wanted = {"points": found.matrix, "win": chances}.get(inquiry.payoffs, ())
    return Analysis(
        value=found.value,
        mix=() if is_free(found) else list_played(cards, found.mix),
        chance=find_win_chance(to_win.value),
        to_win=() if is_free(to_win) else list_played(cards, to_win.mix),
        exact=exact,
        payoffs=wanted,
    )


def plan_first_bids(position: Position) -> tuple[PrizePlan, ...] | TooLong:
    """Return the plan for each prize of a position that has none up. One solve answers all, if no table does."""
    turned = [position.turned(prize) for prize in sorted(position.prizes)]
    library = sage.get_library()
    is_quick = len(position.mine) <= QUICK[not position.aim.is_plain]
    if is_quick or not all(map(library.knows, turned)):
        wait = solve.estimate_seconds(position)
        if wait > BEARABLE:
            return TooLong(wait)
        library.learn(position)
    cards, plans = sorted(position.mine), list[PrizePlan]()
    for one in turned:
        assert one.up is not None
        found = solve_undominated(one, POINTS)
        plans.append(PrizePlan(one.up, found.value, () if is_free(found) else list_played(cards, found.mix)))
    return tuple(plans)


def solve_undominated(position: Position | Duel | Endgame, how: str) -> Solution:
    """Solve the game of a position; the mixes have no dominated bids, so that they can be shown to players."""
    return drop_dominated(sage.answer_by_basis(position, how))


def drop_dominated(game: Solution) -> Solution:
    """Give the share of each bid that is weakly dominated by another one to that one; the mixes stay optimal."""
    matrix = np.array(game.matrix)
    theirs = _drop_dominated(-matrix.T, game.their_mix)
    return replace(game, mix=_drop_dominated(matrix, game.mix), their_mix=theirs)


def _drop_dominated(matrix: Floats, mix: Sequence[float]) -> tuple[float, ...]:
    """Give each dominated share to the dominating bid with the largest sum: no other bid dominates that one."""
    shares = list(mix)
    for at in np.flatnonzero(np.array(mix)):
        above = matrix - matrix[at]
        better = (above >= -ROUNDING).all(axis=1) & (above > ROUNDING).any(axis=1)
        if better.any():
            best = int(np.where(better, matrix.sum(axis=1), -np.inf).argmax())
            shares[best] += shares[at]
            shares[at] = 0.0
    return tuple(shares)


def is_free(game: Solution) -> bool:
    """Return True if all cards of a hand do equally well against every bid of the other side."""
    return len(game.matrix) > 1 and bool((np.ptp(np.array(game.matrix), axis=0) < ROUNDING).all())


def _estimate_wait(position: Position | Duel | Endgame) -> float:
    """Return the seconds that a solve would take, or 0 if they are few or no solve is needed."""
    if isinstance(position, Duel | Endgame) or sage.get_library().knows(position):
        return 0.0
    wait = solve.estimate_seconds(position)
    return wait if wait > BEARABLE else 0.0


def find_win_chance(value: float) -> float:
    """Convert P(win) - P(loss) to the chance to win, with a draw as half a win."""
    return _round_chance((1 + value) / 2)


def _round_chance(chance: float) -> float:
    """Return 0 or 1 for a chance that differs from it only by rounding, so that a decided deal is shown as decided."""
    return 0.0 if chance < ROUNDING else 1.0 if chance > 1 - ROUNDING else chance


def judge_move(move: Move) -> JudgedRound:
    """Compare a round of a match with perfect play, for the objective of its deal."""
    position, winning = move.position, move.winning
    found = solve_undominated(position, POINTS if move.exact else ROUGH)
    mine, theirs = sorted(position.mine), sorted(position.theirs)
    place = mine.index(move.bids[0]), theirs.index(move.bids[1])
    names = [dict(faces) for faces in move.faces]
    best, chances, own = found, None, None
    if winning is not None:
        best = solve_undominated(winning, move.how)
        chances = find_win_chance(best.value), find_win_chance(best.matrix[place[0]][place[1]])
        given = [cost / 2 for cost in _find_costs(best, place)]  # a share of P(win), where P(win) - P(loss) is solved
        before = chances[0], 1 - chances[0]
        own = (before[0], _round_chance(before[0] - given[0])), (before[1], _round_chance(before[1] - given[1]))
    return JudgedRound(
        deal=move.deal,
        round=move.round,
        lead=move.lead,
        value=found.value,
        after=found.matrix[place[0]][place[1]],
        bids=(names[0][move.bids[0]], names[1][move.bids[1]]),
        mixes=(
            list_played([names[0][card] for card in mine], best.mix),
            list_played([names[1][card] for card in theirs], best.their_mix),
        ),
        costs=_find_costs(found, place),
        exact=move.exact,
        pot=0 if isinstance(position, Duel) else position.pot,
        chances=chances,
        own_chances=own,
        near=winning is not None and move.how != WIN,
        alike=is_alike(best),
        later=0.0 if move.later is None else solve_undominated(move.later, POINTS).value,
    )


def is_alike(game: Solution) -> bool:
    """Return True if all pairs of bids have the same value, as in a decided deal."""
    return max(map(max, game.matrix)) - min(map(min, game.matrix)) < ROUNDING


def _find_costs(found: Solution, place: tuple[int, int]) -> tuple[float, float]:
    """Return the largest losses of the bids at this row and this column against any optimal mix of the other side."""
    return found.costs()[place[0]], found.exchange_sides().costs()[place[1]]


def list_played(cards: Sequence[int], shares: Sequence[float]) -> Mix:
    """List the cards that are played and their shares, the most frequent first."""
    played = [(card, share) for card, share in zip(cards, shares, strict=True) if share >= PLAYED]
    return tuple(sorted(played, key=lambda pair: (-pair[1], pair[0])))


def explain_bid(spot: HintSpot) -> Hint:
    """Return the optimal mix, the loss of each card, and its value against the bid that was made."""
    game = solve_undominated(spot.position, spot.how)
    mine, theirs = (sorted(cards) for cards in (spot.position.mine, spot.position.theirs))
    names = [dict(faces) for faces in spot.faces]
    own = [names[0][card] for card in mine]
    costs = game.costs()
    column = None if spot.bids is None else theirs.index(spot.bids[1])
    hand = [
        CardAdvice(
            card=own[at],
            share=game.mix[at] if game.mix[at] >= PLAYED else 0.0,
            cost=costs[at] / (2 if spot.is_to_win else 1),
            instead=find_better_card(game, at, own),
            came=None if column is None else find_win_chance(row[column]) if spot.is_to_win else row[column],
        )
        for at, row in enumerate(game.matrix)
    ]
    return Hint(
        deal=spot.deal,
        round=spot.round,
        is_to_win=spot.is_to_win,
        exact=spot.is_exact,
        value=find_win_chance(game.value) if spot.is_to_win else game.value,
        mix=list_played(own, game.mix),
        hand=tuple(sorted(hand, key=lambda advice: advice.card)),
        alike=is_alike(game),
        bids=None if spot.bids is None else (names[0][spot.bids[0]], names[1][spot.bids[1]]),
    )


def find_better_card(game: Solution, at: int, own: Sequence[int]) -> int | None:
    """Return the most frequent played card that does at least as well against every bid, or None."""
    if game.mix[at] >= PLAYED:
        return None
    better = [
        (game.mix[other], other)
        for other, row in enumerate(game.matrix)
        if game.mix[other] >= PLAYED and all(a >= b - ROUNDING for a, b in zip(row, game.matrix[at], strict=True))
    ]
    return own[max(better)[1]] if better else None
