"""What perfect play says of a position, or of a round that was played. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.solver import sage
from bot.solver.advice import Judged, Mix, Move, Odds
from bot.solver.basis import NEAR, POINTS, ROUGH, WIN, WON_AT_ONCE
from bot.solver.games import Solution
from bot.solver.pico import Duel
from bot.solver.position import Position


def odds(here: Position | Duel) -> Odds:
    """The value of a position with its prize up, and the mix of whoever asks."""
    found, cards = _for_points(here), sorted(here.mine)
    winning, exact = _to_win(replace(here, objective="win"))
    return Odds(found.value, _mix(cards, found.mix), _share(winning.value), _mix(cards, winning.mix), exact)


def _for_points(here: Position | Duel) -> Solution:
    return sage.answered(here, POINTS)


def _to_win(here: Position | Duel) -> tuple[Solution, bool]:
    """A position for the chance to win; exactly where that takes a second or two."""
    exact = isinstance(here, Duel) or len(here.mine) < WON_AT_ONCE[here.aim.carry, here.ordered]
    return sage.answered(here, WIN if exact else NEAR), exact


def _share(value: float) -> float:
    """P(win) - P(loss) as the chance to win, a draw counted as half."""
    return min(1.0, max(0.0, (1 + value) / 2))


def judge(move: Move) -> Judged:
    """A round of a match, held against perfect play."""
    here = move.here
    found = sage.answered(here, POINTS if move.exact else ROUGH)
    mine, theirs = sorted(here.mine), sorted(here.theirs)
    row, column = mine.index(move.bids[0]), theirs.index(move.bids[1])
    against = sum(entry * share for entry, share in zip(found.matrix[row], found.their_mix, strict=True))
    other = sum(line[column] * share for line, share in zip(found.matrix, found.mix, strict=True))
    chances = None
    if move.winning is not None:
        winning, _ = _to_win(move.winning)
        chances = _share(winning.value), _share(winning.matrix[row][column])
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
        pot=0 if isinstance(here, Duel) else here.pot,
        chances=chances,
    )


def _mix(cards: Sequence[int], shares: Sequence[float]) -> Mix:
    played = [(card, share) for card, share in zip(cards, shares, strict=True) if share >= 0.0005]
    return tuple(sorted(played, key=lambda one: (-one[1], one[0])))
