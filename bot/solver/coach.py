"""What perfect play says of a position, or of a round that was played. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence

from bot.solver import sage
from bot.solver.advice import Judged, Mix, Move, Odds
from bot.solver.position import Position


def odds(here: Position) -> Odds:
    """The value of a position with its prize up, and the mix of whoever asks."""
    found = sage.library().judge(here).answer
    return Odds(found.value, _mix(sorted(here.mine), found.mix))


def judge(move: Move) -> Judged:
    """A round of a match, held against perfect play."""
    here = move.here
    found = sage.library().judge(here).answer if move.exact else sage.by_points(here, sage.library())
    mine, theirs = sorted(here.mine), sorted(here.theirs)
    row, column = mine.index(move.bids[0]), theirs.index(move.bids[1])
    against = sum(entry * share for entry, share in zip(found.matrix[row], found.their_mix, strict=True))
    other = sum(line[column] * share for line, share in zip(found.matrix, found.mix, strict=True))
    names = [dict(faces) for faces in move.faces]
    return Judged(
        deal=move.deal,
        round=move.round,
        lead=move.lead,
        value=found.value,
        after=found.matrix[row][column],
        bids=(names[0][move.bids[0]], names[1][move.bids[1]]),
        mixes=(
            _mix([names[0][card] for card in mine], found.mix),
            _mix([names[1][card] for card in theirs], found.their_mix),
        ),
        costs=(max(0.0, found.value - against), max(0.0, other - found.value)),
        exact=move.exact,
        pot=here.pot,
    )


def _mix(cards: Sequence[int], shares: Sequence[float]) -> Mix:
    played = [(card, share) for card, share in zip(cards, shares, strict=True) if share >= 0.0005]
    return tuple(sorted(played, key=lambda one: (-one[1], one[0])))
