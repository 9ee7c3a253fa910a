"""Bids and cancelled seats read from events, parts of sentences, and the lines of pauses."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Points, Seat, format_points
from bot.engine.choices import Bid
from bot.engine.events import BidsCancelled, BidsRevealed, Event, SubRoundStarted
from bot.referee.model.people import SeatPause
from bot.referee.model.views import MatchView
from bot.ui.nodes import join_lines
from bot.ui.text.names import Names
from bot.ui.text.sentences import capitalize, say
from bot.ui.text.stamps import format_time


def read_bids(events: Sequence[Event]) -> dict[Seat, Bid]:
    """Return the revealed bids of the last (sub-)round in these events. Bids that are still hidden are left out."""
    bids: dict[Seat, Bid] = {}
    for event in events:
        if isinstance(event, BidsRevealed):
            bids = {seat: bid for seat, bid in enumerate(event.bids) if isinstance(bid, Bid)}
    return bids


def read_cancelled(events: Sequence[Event]) -> tuple[Seat, ...]:
    """Return the seats that cancelled each other with equal bids."""
    return next((event.seats for event in events if isinstance(event, BidsCancelled)), ())


def events_since_last_call(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events after the last call to bid again, or all events if there was none."""
    starts = [place for place, event in enumerate(events) if isinstance(event, SubRoundStarted)]
    return events[starts[-1] + 1 :] if starts else events


def format_gain(points: Points) -> str:
    return format_points(points) if points < 0 else f"+{format_points(points)}"


def rank_word(number: int) -> str:
    return say(f"rank-{number}") if number in (1, 11, 12, 13) else say("rank-many", n=number)


def join_sentences(parts: Sequence[str]) -> str:
    """Join sentences. Each except the last ends with a full stop, each except the first begins with a capital."""
    *before, last = [part for part in parts if part] or [""]
    first, *rest = [*(part if part.rstrip("*").endswith((".", "!", "?")) else f"{part}." for part in before), last]
    return " ".join([first, *map(capitalize, rest)])


MAX_PAST_PAUSES = 6
"""newest pauses that a sheet shows"""


def pause_lines(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return a line for each seat that pauses the clocks now; `you` is the seat of the reader."""
    return join_lines(
        *(
            say("paused-you" if seat == you else "paused", name=names.bold_name(seat), t=format_time(until))
            for seat, until in view.paused
        )
    )


def past_pauses_line(pauses: Sequence[SeatPause], names: Names) -> str:
    """Return the note on past pauses below a sheet."""
    lines = [
        say("sheet-paused", name=names[pause.seat], a=format_time(pause.began), b=format_time(pause.until))
        for pause in pauses[-MAX_PAST_PAUSES:]
    ]
    return join_lines(*lines)
