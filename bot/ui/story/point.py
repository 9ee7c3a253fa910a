"""Match point: who wins the match by taking what is up now, and what colour a match shows at this moment."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Points, Seat
from bot.engine.series import Result
from bot.referee.model.views import MatchView
from bot.ui.story import lines
from bot.ui.text.names import Names
from bot.ui.text.sentences import say
from bot.ui.text.style import BIDS_OPEN, LOST, MATCH_POINT, OVER, TIE

TIED = ("share", "hold", "drop")
"""outcomes of a round that nobody won alone"""


def find_match_point(view: MatchView) -> tuple[Seat, ...]:
    """The seats that win the match, whatever comes after, if they take what is up now. Told only where that is known
    for certain: from the scores, from what is up, and from what may still come."""
    seen, rules = view.seen, view.rules
    sale = rules.sale
    known = sale is not None and not sale.open and seen.exposed and seen.to_come is not None
    if view.over or not known or seen.worth is None or seen.worth <= 0 or rules.least_wins:
        return ()
    before = _deciding_scores(view)
    if before is None:
        return ()
    staying = [one.seat for one in view.seats if not one.left]
    behind = {seat: max(points for other, points in enumerate(before) if other != seat) for seat in staying}
    ahead = [seat for seat in staying if before[seat] + seen.worth > behind[seat]]
    if not ahead:  # most rounds end here
        return ()
    rest = sum(map(abs, rules.values(seen.to_come or ())))
    safe = [seat for seat in ahead if before[seat] > behind[seat] + rest + seen.worth]
    winning = [seat for seat in ahead if before[seat] + seen.worth > behind[seat] + rest and seat not in safe]
    return tuple(seat for seat in winning if _wins_series(view, seat))


def _deciding_scores(view: MatchView) -> tuple[Points, ...] | None:
    """What decides: this deal's points, or those of the whole match in the last deal of a series that adds them up."""
    if view.series.mode in ("single", "best-of", "first-to"):
        return view.seen.scores
    last = view.series.mode == "deals" and view.deal == view.series.number and not view.rules.by_wins
    return tuple(seat.total for seat in view.seats) if last else None


def _wins_series(view: MatchView, seat: Seat) -> bool:
    """Whether the series is over, and won, once this seat wins the deal."""
    if view.series.mode not in ("best-of", "first-to"):
        return True
    seats = range(len(view.seats))
    won = [*(deal.winner for deal in view.finished), seat]
    results = [Result((0,) * len(seats), tuple(int(one == winner) for one in seats)) for winner in won]
    if not view.series.is_over(results, view.rules.by_wins, least=False):
        return False
    ranking = view.series.ranking(results, view.rules.by_wins, least=False)
    return ranking[seat] == max(ranking) and ranking.count(ranking[seat]) == 1


def match_point_line(seats: Sequence[Seat], names: Names, you: Seat | None = None) -> str:
    """**Match point:** Ana wins the match by taking it. `seats` is what `match_point` found."""
    if not seats:
        return ""
    if you in seats:
        return say("match-point-you")
    return say("match-point", n=len(seats), names=names.join_names(seats))


def goal_line(view: MatchView) -> str:
    """What one plays for, where scores alone do not tell: of the viewer's own pile, or for everybody."""
    goal = view.rules.goal(view.seen.won[view.seat] if view.seat is not None and view.seen.won else ())
    return say("goal", goal=goal) if goal and not view.over else ""


def choose_result_accent(view: MatchView) -> int | None:
    """The colour of a match that is over: none where it did not count; where one player reads it, how it went."""
    outcome = view.outcome
    if outcome is None or not outcome.termination.counts:
        return None
    if view.seat is None or outcome.winner == view.seat:
        return OVER
    return TIE if outcome.winner is None else LOST


def choose_accent(view: MatchView, seats: Sequence[Seat]) -> int | None:
    """The colour of a board or console while it is played, with what `match_point` found; what it means stands there
    in words."""
    if seats:
        return MATCH_POINT
    seen = view.seen
    tied = bool(seen.rounds) and seen.rounds[-1].outcome in TIED and not seen.turns
    if seen.pot or seen.sub_round or tied:
        return TIE
    return BIDS_OPEN if view.awaited or lines.is_picking(view) else None
