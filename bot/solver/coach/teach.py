"""What perfect play says of one bid. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence

from bot.solver.coach.coach import find_win_chance, is_alike, list_played, solve_undominated
from bot.solver.coach.hint import CardAdvice, Hint, HintSpot
from bot.solver.kernels.matrix_game import Solution
from bot.solver.players.basis import POINTS, WIN

PLAYED = 0.0005
"""a card that is bid less often is told as one that is not"""
EQUAL = 1e-9


def explain_bid(spot: HintSpot) -> Hint:
    """The mix, what each card gives up, and what it would have come to against the bid that was made."""
    game = solve_undominated(spot.here, spot.how)
    mine, theirs = (sorted(cards) for cards in (spot.here.mine, spot.here.theirs))
    names = [dict(faces) for faces in spot.faces]
    own = [names[0][card] for card in mine]
    costs = game.costs()
    column = None if spot.bids is None else theirs.index(spot.bids[1])
    hand = [
        CardAdvice(
            card=own[at],
            share=game.mix[at] if game.mix[at] >= PLAYED else 0.0,
            cost=costs[at] / (2 if spot.win else 1),
            instead=find_better_card(game, at, own),
            came=None if column is None else find_win_chance(row[column]) if spot.win else row[column],
        )
        for at, row in enumerate(game.matrix)
    ]
    return Hint(
        deal=spot.deal,
        round=spot.round,
        win=spot.win,
        exact=spot.how in (WIN, POINTS),
        value=find_win_chance(game.value) if spot.win else game.value,
        mix=list_played(own, game.mix),
        hand=tuple(sorted(hand, key=lambda one: one.card)),
        alike=is_alike(game),
        bids=None if spot.bids is None else (names[0][spot.bids[0]], names[1][spot.bids[1]]),
    )


def find_better_card(game: Solution, at: int, own: Sequence[int]) -> int | None:
    """A played card whose row is nowhere worse: the one that is played most."""
    if game.mix[at] >= PLAYED:
        return None
    better = [
        (game.mix[other], other)
        for other, row in enumerate(game.matrix)
        if game.mix[other] >= PLAYED and all(a >= b - EQUAL for a, b in zip(row, game.matrix[at], strict=True))
    ]
    return own[max(better)[1]] if better else None
