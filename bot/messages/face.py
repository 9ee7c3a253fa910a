"""What of a match must be shown soon when it changes; seals alone are ticks."""

from __future__ import annotations

from typing import TypeAlias

from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live

Face: TypeAlias = tuple[object, ...]
"""two boards with the same one differ by seals alone"""


def face_of(view: MatchView) -> Face:
    """What of a board must be shown soon when it changes. A name changes when its player's data is erased."""
    names = tuple(seat.name for seat in view.seats)
    draw = None if view.draw is None else (view.draw.by, view.draw.agreed)
    left = tuple(seat.left for seat in view.seats)
    return view.prompt, view.over, draw, left, view.away, view.deadline, view.halted, names


def face_of_live(live: Live) -> Face:
    """The same, without rendering anything."""
    stored = live.stored
    draw = None if stored.draw is None else (stored.draw.by, stored.draw.agreed)
    left = ("",) * len(stored.seats)
    if live.match.left:
        words = {leave.seat: leave.kind.word for leave in live.match.left}
        left = tuple(words.get(seat, "") for seat in range(len(stored.seats)))
    return (
        stored.prompt,
        not stored.live,
        draw,
        left,
        stored.away,
        stored.deadline,
        stored.paused if stored.live else None,
        tuple(seat.name for seat in stored.seats),
    )


def since(live: Live, seat: int | None) -> int:
    """For a match not seen before: where nothing but seals can have happened lately, what they came after."""
    stored = live.stored
    if not stored.live or stored.draw is not None or stored.left or stored.away or stored.paused:
        return stored.version
    if any(one.seat == seat for one in stored.sealed):
        return stored.version
    return stored.version - len(stored.sealed)
