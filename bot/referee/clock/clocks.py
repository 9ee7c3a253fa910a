"""How long things take: the clock of a bid, its warning and nudge, the life of a challenge."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.referee.ports.changes import DropDeadlines, SetDeadline, Step
from bot.referee.ports.model import Deadline, DeadlineKind, StoredMatch

GRACE = timedelta(seconds=3)
"""a bid counts by the time of its press, so the referee waits a little for presses on their way"""

SHORTEST, LONGEST = 15, 7 * 24 * 3600
"""seconds that a clock may have"""

LOBBY_GRACE = timedelta(seconds=1)
"""the same for challenges, whose end costs nobody more than asking again"""

LOBBY_LEAST, LOBBY_MOST = timedelta(minutes=10), timedelta(hours=24)

SLOW = 15 * 60
"""from this clock on (seconds) people are nudged"""

NUDGE_AFTER = timedelta(seconds=60)
IDLE = timedelta(days=7)
"""a match without a clock is stopped when its prompt has been open for so long: it must not count as live for ever"""
MISSES = 3
"""missed bids in a row that forfeit a seat"""


def lobby_life(clock: int) -> timedelta:
    """A challenge lives as long as one clock, 10 minutes at least and 24 hours at most."""
    return min(max(timedelta(seconds=clock), LOBBY_LEAST), LOBBY_MOST)


def warning_lead(clock: int) -> timedelta | None:
    """How long before the deadline the warning comes; none for clocks under a minute (ui.md 1.4)."""
    if clock < 60:
        return None
    return min(max(timedelta(seconds=clock / 4), timedelta(seconds=20)), timedelta(hours=2))


def runs_from(stored: StoredMatch, now: datetime) -> datetime:
    """When a clock that is set now begins to run: later where somebody has paused."""
    return now if stored.paused is None else max(now, stored.paused)


def prompt_deadlines(stored: StoredMatch) -> tuple[Step, ...]:
    """What is due for the prompt that was just opened; older ones go."""
    steps: list[Step] = [DropDeadlines(stored.id)]
    if not stored.live:
        return tuple(steps)
    clock = stored.setup.clock

    def add(kind: DeadlineKind, due: datetime) -> None:
        steps.append(SetDeadline(Deadline(stored.id, kind, due, stored.prompt)))

    if stored.deadline is None or stored.outside:  # a clock of which nobody could be shown is ruled by the next press
        add(DeadlineKind.IDLE, runs_from(stored, stored.opened) + IDLE)
        return tuple(steps)
    add(DeadlineKind.BID, stored.deadline + GRACE)
    if stored.setup.place == "table":
        return tuple(steps)  # a board that lives by the presses on it notifies nobody
    lead = warning_lead(clock)
    if lead is not None:
        add(DeadlineKind.WARNING, stored.deadline - lead)
    if clock >= SLOW:
        add(DeadlineKind.NUDGE, runs_from(stored, stored.opened) + NUDGE_AFTER)
    return tuple(steps)
