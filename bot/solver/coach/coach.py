"""What perfect play says of a position, or of a round that was played. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bot.solver.coach import payoffs
from bot.solver.coach.advice import Inquiry, JudgedRound, Mix, Move, Odds, Payoffs, TooLong
from bot.solver.exact import cost, estimates
from bot.solver.exact.endgame import Endgame, find_rank
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.solver.kernels.jit import Floats
from bot.solver.kernels.matrix_game import Solution
from bot.solver.players import sage
from bot.solver.players.basis import POINTS, ROUGH, WIN

BEARABLE = 20.0
"""seconds that somebody who asks for odds is let wait for the solve"""
ROUNDING = 1e-9
"""by how much an exact chance may be off"""


def find_odds(asked: Inquiry) -> Odds | TooLong:
    """The value of a position with its prize up, and the mix of whoever asks."""
    here, winning = asked.here, asked.winning
    if wait := _estimate_wait(here):
        return TooLong(wait)
    found, cards = solve_undominated(here, POINTS), sorted(here.mine)
    exact = not _estimate_wait(winning)
    if isinstance(winning, Duel | Endgame) or exact:
        to_win = solve_undominated(winning, WIN)
    else:
        to_win = drop_dominated(estimates.estimate_win(winning, found))
    wanted = {"points": found.matrix, "win": _convert_matrix(to_win.matrix)}.get(asked.payoffs, ())
    hands = sorted(here.mine), sorted(here.theirs)
    rows, columns = (list(map(find_rank, hand)) if isinstance(here, Endgame) else hand for hand in hands)
    return Odds(
        value=found.value,
        mix=() if is_free(found) else list_played(cards, found.mix),
        chance=find_win_chance(to_win.value),
        to_win=() if is_free(to_win) else list_played(cards, to_win.mix),
        exact=exact,
        payoffs=wanted,
        picture=payoffs.draw_payoffs(rows, columns, wanted, asked.payoffs) if wanted else b"",
    )


def solve_undominated(here: Position | Duel | Endgame, how: str) -> Solution:
    """Return the game of a position, with mixes that people can be told: none has a dominated bid."""
    return drop_dominated(sage.answer_by_basis(here, how))


def drop_dominated(game: Solution) -> Solution:
    """Give the share of each bid that is weakly dominated by another one to that one; the mixes stay optimal."""
    matrix = np.array(game.matrix)
    theirs = _drop_dominated(-matrix.T, game.their_mix)
    return replace(game, mix=_drop_dominated(matrix, game.mix), their_mix=theirs)


def _drop_dominated(matrix: Floats, mix: Sequence[float]) -> tuple[float, ...]:
    """Of several that dominate a bid, the one with the largest sum is taken: nothing dominates that."""
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
    """Return whether it makes no difference which of several cards is bid, whatever the other side does."""
    return len(game.matrix) > 1 and bool((np.ptp(np.array(game.matrix), axis=0) < ROUNDING).all())


def _estimate_wait(here: Position | Duel | Endgame) -> float:
    """How many seconds a solve would take, where that is too long; 0 where it is not, or where nothing is solved."""
    if isinstance(here, Duel | Endgame) or sage.get_library().knows(here):
        return 0.0
    wait = cost.estimate_seconds(here)
    return wait if wait > BEARABLE else 0.0


def _convert_matrix(matrix: Payoffs) -> Payoffs:
    return tuple(tuple(map(find_win_chance, row)) for row in matrix)


def find_win_chance(value: float) -> float:
    """P(win) - P(loss) as the chance to win, a draw counted as half."""
    return _round_chance((1 + value) / 2)


def _round_chance(chance: float) -> float:
    """Return 0 or 1 for what differs from it by rounding alone, so that a decided deal is shown as decided."""
    return 0.0 if chance < ROUNDING else 1.0 if chance > 1 - ROUNDING else chance


def judge_move(move: Move) -> JudgedRound:
    """A round of a match, held against perfect play of what its deal is played for."""
    here, winning = move.here, move.winning
    found = solve_undominated(here, POINTS if move.exact else ROUGH)
    mine, theirs = sorted(here.mine), sorted(here.theirs)
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
        pot=0 if isinstance(here, Duel) else here.pot,
        chances=chances,
        own_chances=own,
        near=winning is not None and move.how != WIN,
        alike=is_alike(best),
    )


def is_alike(game: Solution) -> bool:
    """Return whether all pairs of bids lead to the same, as where the deal is decided."""
    return max(map(max, game.matrix)) - min(map(min, game.matrix)) < ROUNDING


def _find_costs(found: Solution, place: tuple[int, int]) -> tuple[float, float]:
    """Return the most that the bids at this row and this column give up, over all optimal mixes of the other side."""
    return found.costs()[place[0]], found.their_costs()[place[1]]


def list_played(cards: Sequence[int], shares: Sequence[float]) -> Mix:
    played = [(card, share) for card, share in zip(cards, shares, strict=True) if share >= 0.0005]
    return tuple(sorted(played, key=lambda one: (-one[1], one[0])))
