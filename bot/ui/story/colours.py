"""The colours of messages: of a board and console while a match is live, and of a match that is over.

Each colour repeats what the message says in words. One of them shows match point, which is found here, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat
from bot.engine.series import Result
from bot.referee.model.views import MatchView
from bot.ui.story import lines
from bot.ui.text.names import Names
from bot.ui.text.sentences import say

BIDS_OPEN = 0x5865F2
"""*Waiting for ..., bids close ...*"""
TIE = 0xF0B232
"""*... ties ...*, *Bid again*, *+ pot (...)*"""
MATCH_POINT = 0xEB459E
"""*Match point for ...*"""
WON = 0x23A55A
"""a match that its reader won"""
LOST = 0xED4245
"""a match that its reader lost"""
DRAWN = 0x80848E
"""a match that its reader drew"""

TIE_OUTCOMES = ("share", "hold", "drop")
"""outcomes of a round in which no seat won alone"""


def choose_live_colour(view: MatchView, match_point_seats: Sequence[Seat]) -> int | None:
    """Return the colour of a live match's board or console; `match_point_seats` comes from `find_match_point`."""
    if match_point_seats:
        return MATCH_POINT
    seen = view.seen
    is_tie = bool(seen.rounds) and seen.rounds[-1].outcome in TIE_OUTCOMES and not seen.turns
    if seen.pot or seen.sub_round or is_tie:
        return TIE
    return BIDS_OPEN if view.awaited or lines.is_picking(view) else None


def choose_result_colour(view: MatchView) -> int | None:
    """Return the colour of a match that is over, or None if the match does not count.

    In a player's own view the colour tells whether this player won, drew or lost. For everybody it is that of a board.
    """
    outcome = view.outcome
    if outcome is None or not outcome.termination.counts:
        return None
    if view.seat is None:
        return BIDS_OPEN
    return DRAWN if outcome.winner is None else WON if outcome.winner == view.seat else LOST


# --- match point: seats that win the match by taking the prize that is up now ----------------------------------


def find_match_point(view: MatchView) -> tuple[Seat, ...]:
    """Return the seats that are certain to win the match if they take the prize that is up now, and can still take it.

    Return no seat if the scores, this prize and the prizes to come do not prove it.
    """
    seen, rules = view.seen, view.rules
    sale = rules.sale
    is_known = sale is not None and not sale.open and seen.exposed and seen.to_come is not None
    if view.over or not is_known or seen.worth is None or seen.worth <= 0 or rules.least_wins:
        return ()
    # The points of this deal decide or, in the last deal of a series that adds points up, those of the whole match.
    before = seen.scores
    if view.series.mode not in ("single", "best-of", "first-to"):
        if view.series.mode != "deals" or view.deal != view.series.number or rules.by_wins:
            return ()
        before = tuple(seat.total for seat in view.seats)
    rest = sum(map(abs, rules.values(seen.to_come or ())))
    if max(before) - min(before) <= rest - seen.worth:  # most rounds end here
        return ()
    staying = [seat.seat for seat in view.seats if not seat.left]
    behind = {seat: max(points for other, points in enumerate(before) if other != seat) for seat in staying}
    # A seat that is further ahead has won already.
    winning = [seat for seat in staying if rest - seen.worth < before[seat] - behind[seat] <= rest + seen.worth]
    return tuple(seat for seat in winning if _wins_series(view, seat) and _can_take(view, seat))


def _can_take(view: MatchView, seat: Seat) -> bool:
    """Return True if the hand of this seat can win the prize that is up; hands that the reader can't see may do so."""
    hands = [hand for hand in view.seen.hands if hand is not None]
    return len(hands) < len(view.seats) or view.rules.can_win(hands, seat)


def _wins_series(view: MatchView, seat: Seat) -> bool:
    """Return True if this seat wins the series by winning this deal."""
    if view.series.mode not in ("best-of", "first-to"):
        return True
    seats = range(len(view.seats))
    won = [*(deal.winner for deal in view.finished), seat]
    results = [Result((0,) * len(seats), tuple(int(other == winner) for other in seats)) for winner in won]
    if not view.series.is_over(results, view.rules.by_wins, least=False):
        return False
    ranking = view.series.ranking(results, view.rules.by_wins, least=False)
    return ranking[seat] == max(ranking) and ranking.count(ranking[seat]) == 1


def match_point_line(seats: Sequence[Seat], names: Names, you: Seat | None = None) -> str:
    """Return the line for the seats that `find_match_point` returned; empty if there are none."""
    if not seats:
        return ""
    if you in seats:
        return say("match-point-you")
    return say("match-point", n=len(seats), names=names.join_names(seats))


def decided_line(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the line for a seat that wins the match whoever takes the prizes that are left; empty if none does."""
    seat = find_decided(view)
    if seat is None:
        return ""
    return say("uncatchable-you") if seat == you else say("uncatchable", name=names[seat])


def find_decided(view: MatchView) -> Seat | None:
    """Return the seat that leads a single deal by more than all prizes that are left."""
    seen, rules, sale = view.seen, view.rules, view.rules.sale
    if view.over or view.series.mode != "single" or sale is None or sale.open or rules.least_wins or rules.by_wins:
        return None
    if seen.to_come is None or seen.worth is None or len(seen.exposed) != 1:
        return None
    left = abs(seen.worth) + sum(map(abs, rules.values(seen.to_come)))
    *_, second, best = sorted(seen.scores)
    seat = seen.scores.index(best)
    return seat if best > second + left and not view.seats[seat].left else None
