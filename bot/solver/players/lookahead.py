"""Solve likely next positions while players think; stop as soon as another question arrives."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field, replace

from bot.engine.choices import Bid, Choice
from bot.solver.exact.goal import find_goal
from bot.solver.exact.position import Position
from bot.solver.exact.scope import convert_card, find_auction_position, find_scope
from bot.solver.players.basis import NEAR, POINTS, ROUGH, WIN, find_basis, find_position_basis, is_points_known
from bot.solver.players.levels import Question

LIKELIEST = 3
"""The number of opponent's bids to look at, the likeliest first; each may need a solve of some seconds."""
LONGEST = 30.0
"""A solve with a longer estimate (in seconds) is not started ahead."""
OVER = -1
"""There are no more bids to look at."""


class LookaheadInterrupted(Exception):
    """A question arrived, so looking ahead stops."""


_busy = [False]
"""whether this process looks ahead and may be interrupted"""


def install_interrupt() -> None:
    """Let SIGUSR1 interrupt looking ahead in this process, if the platform has the signal."""
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, _interrupt)


def _interrupt(*_: object) -> None:
    if _busy[0]:
        _busy[0] = False  # a second signal must not raise again
        raise LookaheadInterrupted


@dataclass(frozen=True, slots=True)
class Prospect:
    """A seat that has sealed its choice, and the opponent's bid to look at next."""

    question: Question = field(repr=False)
    choice: Choice = field(repr=False)
    """the seat's sealed choice: only the process that made it may see it before its reveal"""
    place: int = 0
    """the index of the opponent's bid, the likeliest first"""


def look_ahead(prospect: Prospect) -> int:
    """Solve the positions after one of the opponent's bids.

    Return the index of the next bid, `OVER` if there is none, or the same index if the solve was interrupted.
    """
    try:
        _busy[0] = True
        return _solve_answer(prospect)
    except LookaheadInterrupted:
        return prospect.place
    finally:
        _busy[0] = False


def _solve_answer(prospect: Prospect) -> int:
    from bot.solver.players import sage

    question, place = prospect.question, prospect.place
    rules, seen = question.rules, question.seen
    goal = find_goal(rules, question.series, [deal.scores for deal in question.past])
    position, basis = find_auction_position(rules, seen, goal), find_basis(rules, seen, goal)
    if position is None or not isinstance(prospect.choice, Bid) or basis not in (WIN, NEAR, POINTS, ROUGH):
        return OVER
    chances = sage.answer_by_basis(position, basis).their_mix
    likely = sorted((at for at, chance in enumerate(chances) if chance > 0), key=lambda at: -chances[at])[:LIKELIEST]
    if place >= len(likely) or len(position.mine) == 1:
        return OVER
    mine = convert_card(int(prospect.choice.cards[0]), find_scope(rules))
    _solve_next_prizes(position.after(mine, sorted(position.theirs)[likely[place]]))
    return place + 1


def _solve_next_prizes(after: Position) -> None:
    """Solve once for all prizes that may be turned next, unless they are known already or the solve takes too long."""
    from bot.solver.exact.induction import Workers, count_cores
    from bot.solver.exact.solve import estimate_seconds
    from bot.solver.players import sage

    position = after.turned(after.prizes[0])
    basis = find_position_basis(position)
    if basis == NEAR:
        position = replace(position, objective="points", lead=0)
        basis = POINTS if is_points_known(position) else ROUGH
    if basis == ROUGH:
        position = replace(position, ties="discard", pot=0, swap=False)
    library, hidden = sage.get_library(), replace(position, up=None)
    nexts = after.prizes[:1] if after.ordered else after.prizes
    if basis not in (WIN, POINTS, ROUGH) or all(library.knows(hidden.turned(prize)) for prize in nexts):
        return
    if estimate_seconds(hidden) <= LONGEST:
        library.learn(hidden, workers=Workers(count_cores(), _pause))


def _pause(*_: object) -> None:
    """Do nothing; a solve with a progress callback is split into pieces and can be interrupted between them."""
