"""What of a match must be shown soon when it changes; seals alone are ticks."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.referee.match.live import Live
from bot.referee.ports.model import UserId
from bot.referee.query.views import MatchView


@dataclass(slots=True)
class Watched:
    """What this process knows of a board beyond the store: none of it is needed after a restart."""

    face: tuple[object, ...] = ()
    edited: float = 0.0
    free: bool = True
    ticking: float = 0.0
    turn: float = 0.0
    """when the counted call that was taken from the budget may be made; 0 for none"""
    stuck_since: float = 0.0
    """when an edit was forbidden, for as long as they are; 0 while they are not"""
    tried: float = 0.0
    """when an edit was tried last that might be forbidden"""
    again: float = 0.0
    """when the next one is due"""
    turns: dict[int, float] = field(default_factory=dict)
    """the same for consoles, by surface"""
    consoles: dict[UserId, tuple[tuple[object, ...], int]] = field(default_factory=dict)
    """what each person's console has to show, and the version since when"""


def face_of(view: MatchView) -> tuple[object, ...]:
    """What of a board must be shown soon when it changes; seals alone are ticks."""
    draw = None if view.draw is None else (view.draw.by, view.draw.agreed)
    left = tuple(seat.left for seat in view.seats)
    return view.prompt, view.over, draw, left, view.away, view.deadline


def face_of_live(live: Live) -> tuple[object, ...]:
    """The same, without drawing anything."""
    stored = live.stored
    draw = None if stored.draw is None else (stored.draw.by, stored.draw.agreed)
    words = {leave.seat: leave.kind.word for leave in live.match.left}
    left = tuple(words.get(seat, "") for seat in range(len(stored.seats)))
    return stored.prompt, not stored.live, draw, left, stored.away, stored.deadline


def since(live: Live, seat: int | None) -> int:
    """For a match not seen before: where nothing but seals can have happened lately, what they came after."""
    stored = live.stored
    if not stored.live or stored.draw is not None or stored.left or stored.away:
        return stored.version
    if any(one.seat == seat for one in stored.sealed):
        return stored.version
    return stored.version - len(stored.sealed)
