"""Solve likely next positions while people think; stop as soon as another question arrives."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field, replace

from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.solver.exact.goal import find_goal
from bot.solver.exact.position import Position
from bot.solver.exact.scope import convert_card, find_auction_position, find_scope
from bot.solver.players.basis import NEAR, POINTS, ROUGH, WIN, find_basis, find_position_basis, is_points_known
from bot.solver.players.levels import Question

LIKELIEST = 3
"""So many answers of the other side are looked at; each may take a solve of seconds."""
LONGEST = 30.0
"""Seconds of a solve, about, that is not begun ahead."""
OVER = -1
"""There is nothing more to look at."""


class LookaheadInterrupted(Exception):
    """Somebody asks for something that is wanted now."""


_busy = [False]
"""whether this process thinks ahead, so that it may be put off"""


def install_interrupt() -> None:
    """From now on this process can be put off, where signals are known."""
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, _interrupt)


def _interrupt(*_: object) -> None:
    if _busy[0]:
        _busy[0] = False  # once is enough
        raise LookaheadInterrupted


@dataclass(frozen=True, slots=True)
class Prospect:
    """A seat that has chosen, and what its opponent may answer."""

    question: Question = field(repr=False)
    choice: Choice = field(repr=False)
    """the seat's own, sealed: nothing but the process that chose it may see it before its reveal"""
    place: int = 0
    """which answer is looked at, the likeliest first"""


def look_ahead(prospect: Prospect) -> int:
    """Solve what one more answer leads to: which one is next, or `OVER`; the same one if it was put off."""
    try:
        _busy[0] = True
        return _solve_answer(prospect)
    except LookaheadInterrupted:
        return prospect.place
    finally:
        _busy[0] = False


def _solve_answer(prospect: Prospect) -> int:
    from bot.solver.players import sage

    asked, place = prospect.question, prospect.place
    rules, seen = asked.rules, asked.seen
    wanted = find_goal(rules, asked.series, [deal.scores for deal in asked.past])
    here, how = find_auction_position(rules, seen, wanted), find_basis(rules, seen, wanted)
    if here is None or not isinstance(prospect.choice, Bid) or how not in (WIN, NEAR, POINTS, ROUGH):
        return OVER
    chances = sage.answer_by_basis(here, how).their_mix
    likely = sorted((at for at, chance in enumerate(chances) if chance > 0), key=lambda at: -chances[at])[:LIKELIEST]
    if place >= len(likely) or len(here.mine) == 1:
        return OVER
    mine = convert_card(int(prospect.choice.cards[0]), find_scope(rules))
    _solve_next_prizes(rules, here.after(mine, sorted(here.theirs)[likely[place]]))
    return place + 1


def _solve_next_prizes(rules: Rules, after: Position) -> None:
    """One solve for every prize that may be turned next, unless it is known already or takes too long."""
    from bot.solver.exact import estimates
    from bot.solver.exact.induction import Workers, count_cores
    from bot.solver.players import sage

    asked = after.turned(after.prizes[0])
    how = find_position_basis(asked)
    if how == NEAR:
        asked = replace(asked, objective="points", lead=0)
        how = POINTS if is_points_known(asked) else ROUGH
    if how == ROUGH:
        asked = replace(asked, ties="discard", pot=0, swap=False)
    library, hidden = sage.get_library(), replace(asked, up=None)
    nexts = after.prizes[:1] if after.ordered else after.prizes
    if how not in (WIN, POINTS, ROUGH) or all(library.knows(hidden.turned(prize)) for prize in nexts):
        return
    if estimates.estimate_seconds(hidden) <= LONGEST:
        library.learn(hidden, workers=Workers(count_cores(), _pause))


def _pause(*_: object) -> None:
    """Do nothing: a solve with a progress callback is cut into pieces, and can be interrupted between them."""
