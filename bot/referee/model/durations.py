"""Durations: the clock of a bid, its warning and nudge, the life of a challenge, and missed bids."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.engine.cards import Seat
from bot.engine.match import Match
from bot.referee.model.changes import DropDeadlines, SetDeadline, Step
from bot.referee.model.model import Deadline, DeadlineKind, StoredMatch

GRACE = timedelta(seconds=3)
"""Time the referee waits after a deadline for presses on their way: a bid counts by the time of its press."""

LOBBY_GRACE = timedelta(seconds=1)
"""Shorter grace period of challenges: a late answer costs only another challenge."""

LOBBY_LEAST, LOBBY_MOST = timedelta(minutes=10), timedelta(hours=24)

SLOW = 15 * 60
"""Clock, in seconds, from which people are nudged."""

NUDGE_AFTER = timedelta(seconds=60)
IDLE = timedelta(days=7)
"""Time after which an untouched match without a clock is stopped."""
MISSES = 3
"""Missed bids in a row that forfeit a seat."""

MOST_PRACTICE = 3
"""Live practice matches of one person; a new one ends the oldest."""
FEW_CARDS = 5
"""Cards in each hand of a short practice match."""


def lobby_life(clock: int) -> timedelta:
    """Return how long a challenge lives: one clock, at least 10 minutes and at most 24 hours."""
    return min(max(timedelta(seconds=clock), LOBBY_LEAST), LOBBY_MOST)


def warning_lead(clock: int) -> timedelta | None:
    """Return how long before the deadline the warning comes; none for clocks under a minute (ui.md 1.4)."""
    if clock < 60:
        return None
    return min(max(timedelta(seconds=clock / 4), timedelta(seconds=20)), timedelta(hours=2))


def clock_start(stored: StoredMatch, now: datetime) -> datetime:
    """Return when a clock that is set now begins to run: later during a pause."""
    return now if stored.paused is None else max(now, stored.paused)


def prompt_deadlines(stored: StoredMatch, ends: datetime | None = None) -> tuple[Step, ...]:
    """Return the deadlines of the open prompt; older ones are dropped.

    A match without a clock is abandoned at `ends`, by default after a week of silence.
    """
    due = _due_at_prompt(stored, ends) if stored.live else {}
    deadlines = [SetDeadline(Deadline(stored.id, kind, at, stored.prompt)) for kind, at in due.items()]
    return DropDeadlines(stored.id, keep=(*due,)), *deadlines


def _due_at_prompt(stored: StoredMatch, ends: datetime | None) -> dict[DeadlineKind, datetime]:
    clock = stored.setup.clock

    if stored.deadline is None or stored.outside:  # a clock that could not be shown expires at the next press
        return {DeadlineKind.IDLE: ends or clock_start(stored, stored.opened) + IDLE}
    due = {DeadlineKind.BID: stored.deadline + GRACE}
    if stored.setup.place == "board":
        return due  # a board for presses only sends no notices
    lead = warning_lead(clock)
    if lead is not None:
        due[DeadlineKind.WARNING] = stored.deadline - lead
    if clock >= SLOW:
        due[DeadlineKind.NUDGE] = clock_start(stored, stored.opened) + NUDGE_AFTER
    return due


def misses_left(match: Match, seat: Seat, misses: int) -> int:
    """Return how many more missed bids in a row forfeit a seat that has missed `misses` so far.

    Return 0 where no seat can be forfeited any more because the match ends by its rules before that. The rest of the
    match is played with the lowest card of every seat, which is what clocks do.
    """
    most = left = max(MISSES - misses, 0)
    while left and not match.over:
        match = _begin_next_deal(match) if match.needs_deal else match
        left -= any(prompt.seat == seat and not prompt.is_forced for prompt in match.prompts())
        match = _play_forced(_play_lowest(match))
    return 0 if left else most


def _play_lowest(match: Match) -> Match:
    """Return the match after every seat has bid its lowest card."""
    state = match.state
    assert state is not None
    choices = {prompt.seat: match.rules.physical(state, prompt.seat, prompt.lowest()) for prompt in match.prompts()}
    return match.resolve(choices, checked=True)[0]


def _play_forced(match: Match) -> Match:
    """Return the match after all forced bids."""
    while not match.has_choice:
        match = _play_lowest(match)
    return match


def _begin_next_deal(match: Match) -> Match:
    """Return the match with another deal of the same size, whose cards do not matter."""
    last = match.finished[-1].deal
    exchanged = match.rules.redeal(last) if match.previous_deal() is not None else None
    return _play_forced(match.begin(exchanged or last)[0])
