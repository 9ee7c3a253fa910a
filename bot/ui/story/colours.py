"""The colours of messages: of a board and console while a match is live, and of a match that is over.

Each colour repeats what the message says in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat
from bot.referee.model.views import MatchView
from bot.ui.story import lines

BIDS_OPEN = 0x5865F2
"""*Waiting for ..., bids close ...*"""
TIE = 0xF0B232
"""*... ties ...*, *Bid again*, *with a pot of ...*"""
MATCH_POINT = 0xEB459E
"""*Match point for ...*"""
OVER = 0x23A55A
"""a result that counts"""
LOST = 0xED4245
"""a match that its reader lost"""

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

    In a player's own view the colour tells whether this player won, drew or lost.
    """
    outcome = view.outcome
    if outcome is None or not outcome.termination.counts:
        return None
    if view.seat is None or outcome.winner == view.seat:
        return OVER
    return TIE if outcome.winner is None else LOST
