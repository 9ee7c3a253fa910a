"""Who has paused, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat
from bot.referee.model.people import SeatPause
from bot.referee.model.views import MatchView
from bot.ui.nodes import join_lines
from bot.ui.text.names import Names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time

MOST = 6
"""pauses told below a sheet, the newest"""


def pause_lines(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Tell who keeps the clocks standing still now; `you` is the seat that reads it."""
    return join_lines(
        *(
            say("paused-you", t=format_time(until))
            if seat == you
            else say("paused", name=names.bold_name(seat), t=format_time(until))
            for seat, until in view.paused
        )
    )


def past_pauses_line(noted: Sequence[SeatPause], names: Names) -> str:
    """The note below a sheet."""
    lines = [
        say("sheet-paused", name=names[one.seat], a=format_time(one.began), b=format_time(one.until))
        for one in noted[-MOST:]
    ]
    return join_lines(*lines)
