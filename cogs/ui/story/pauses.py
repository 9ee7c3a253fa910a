"""Who has paused, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.ports.people import SeatPause
from bot.referee.query.views import MatchView
from cogs.ui.nodes import joined
from cogs.ui.words.names import Names
from cogs.ui.words.sentences import say
from cogs.ui.words.stamps import stamp

MOST = 6
"""pauses told below a sheet, the newest"""


def pauses(view: MatchView, names: Names) -> str:
    """Whoever keeps the clocks standing still now."""
    return joined(*(say("paused", name=names.bold(seat), t=stamp(until)) for seat, until in view.paused))


def paused_lately(noted: Sequence[SeatPause], names: Names) -> str:
    """The note below a sheet."""
    lines = [say("sheet-paused", name=names[one.seat], a=stamp(one.began), b=stamp(one.until)) for one in noted[-MOST:]]
    return joined(*lines)
