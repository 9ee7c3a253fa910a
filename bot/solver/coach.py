"""What perfect play says of a position, or of a round that was played. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence

from bot.solver import near, payoffs, sage, work
from bot.solver.advice import Inquiry, Judged, Mix, Move, Odds, Payoffs, TooLong
from bot.solver.basis import NEAR, POINTS, ROUGH, WIN, WON_AT_ONCE
from bot.solver.games import Solution
from bot.solver.late import Late, rank
from bot.solver.pico import Duel
from bot.solver.position import Position

BEARABLE = 20.0
"""seconds that somebody who asks for odds is let wait for the solve"""


def odds(asked: Inquiry) -> Odds | TooLong:
    """The value of a position with its prize up, and the mix of whoever asks."""
    here, winning = asked.here, asked.winning
    if wait := _wait(here):
        return TooLong(wait)
    found, cards = sage.answered(here, POINTS), sorted(here.mine)
    exact = not _wait(winning)
    if isinstance(winning, Duel | Late) or exact:
        to_win = sage.answered(winning, WIN)
    else:
        to_win = near.to_win(winning, found)
    wanted = {"points": found.matrix, "win": _shares(to_win.matrix)}.get(asked.payoffs, ())
    hands = sorted(here.mine), sorted(here.theirs)
    rows, columns = (list(map(rank, hand)) if isinstance(here, Late) else hand for hand in hands)
    return Odds(
        value=found.value,
        mix=mix_of(cards, found.mix),
        chance=share_of(to_win.value),
        to_win=mix_of(cards, to_win.mix),
        exact=exact,
        payoffs=wanted,
        picture=payoffs.png(rows, columns, wanted, asked.payoffs) if wanted else b"",
    )


def _wait(here: Position | Duel | Late) -> float:
    """How many seconds a solve would take, where that is too long; 0 where it is not, or where nothing is solved."""
    if isinstance(here, Duel | Late) or sage.library().knows(here):
        return 0.0
    wait = work.seconds(here)
    return wait if wait > BEARABLE else 0.0


def _shares(matrix: Payoffs) -> Payoffs:
    return tuple(tuple(map(share_of, row)) for row in matrix)


def _to_win(here: Position | Duel | Late) -> Solution:
    """A position for the chance to win; exactly where that takes a second or two."""
    exact = isinstance(here, Duel | Late) or len(here.mine) < WON_AT_ONCE[here.aim.carry, here.ordered]
    return sage.answered(here, WIN if exact else NEAR)


def share_of(value: float) -> float:
    """P(win) - P(loss) as the chance to win, a draw counted as half."""
    return min(1.0, max(0.0, (1 + value) / 2))


def judge(move: Move) -> Judged:
    """A round of a match, held against perfect play."""
    here = move.here
    found = sage.answered(here, POINTS if move.exact else ROUGH)
    mine, theirs = sorted(here.mine), sorted(here.theirs)
    row, column = mine.index(move.bids[0]), theirs.index(move.bids[1])
    against = expected(found.matrix[row], found.their_mix)
    other = expected([line[column] for line in found.matrix], found.mix)
    chances = own = None
    names = [dict(faces) for faces in move.faces]

    if move.winning is not None:
        winning = _to_win(move.winning)
        chances = share_of(winning.value), share_of(winning.matrix[row][column])
        kept = share_of(expected(winning.matrix[row], winning.their_mix))
        left = share_of(expected([line[column] for line in winning.matrix], winning.mix))
        own = (chances[0], kept), (1 - chances[0], 1 - left)
    return Judged(
        deal=move.deal,
        round=move.round,
        lead=move.lead,
        value=found.value,
        after=found.matrix[row][column],
        bids=(names[0][move.bids[0]], names[1][move.bids[1]]),
        mixes=(
            mix_of([names[0][card] for card in mine], found.mix),
            mix_of([names[1][card] for card in theirs], found.their_mix),
        ),
        costs=(max(0.0, found.value - against), max(0.0, other - found.value)),
        exact=move.exact,
        pot=0 if isinstance(here, Duel) else here.pot,
        chances=chances,
        own_chances=own,
    )


def expected(entries: Sequence[float], mix: Sequence[float]) -> float:
    return sum(entry * share for entry, share in zip(entries, mix, strict=True))


def mix_of(cards: Sequence[int], shares: Sequence[float]) -> Mix:
    played = [(card, share) for card, share in zip(cards, shares, strict=True) if share >= 0.0005]
    return tuple(sorted(played, key=lambda one: (-one[1], one[0])))
