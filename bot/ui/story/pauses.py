"""Who has paused, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat
from bot.referee.model.people import SeatPause
from bot.referee.model.views import MatchView
from bot.ui.nodes import joined
from bot.ui.text.names import Names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import stamp

MOST = 6
"""pauses told below a sheet, the newest"""


def pauses(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Tell who keeps the clocks standing still now; `you` is the seat that reads it."""
    return joined(
        *(
            say("paused-you", t=stamp(until)) if seat == you else say("paused", name=names.bold(seat), t=stamp(until))
            for seat, until in view.paused
        )
    )


def paused_lately(noted: Sequence[SeatPause], names: Names) -> str:
    """The note below a sheet."""
    lines = [say("sheet-paused", name=names[one.seat], a=stamp(one.began), b=stamp(one.until)) for one in noted[-MOST:]]
    return joined(*lines)
