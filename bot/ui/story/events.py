"""Events and pauses as sentences: which bids may be seen, who cancelled each other, who has paused."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Points, Seat, format_points
from bot.engine.choices import Bid
from bot.engine.events import BidsCancelled, BidsRevealed, Event, SubRoundStarted
from bot.referee.model.people import SeatPause
from bot.referee.model.views import MatchView
from bot.ui.nodes import join_lines
from bot.ui.text.names import Names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time


def read_bids(events: Sequence[Event]) -> dict[Seat, Bid]:
    """The bids that may be seen, of the (sub-)round these events tell."""
    bids: dict[Seat, Bid] = {}
    for event in events:
        if isinstance(event, BidsRevealed):
            bids = {seat: bid for seat, bid in enumerate(event.bids) if isinstance(bid, Bid)}
    return bids


def read_cancelled(events: Sequence[Event]) -> tuple[Seat, ...]:
    return next((event.seats for event in events if isinstance(event, BidsCancelled)), ())


def events_since_last_call(events: Sequence[Event]) -> Sequence[Event]:
    """What follows the last call to bid again."""
    starts = [place for place, event in enumerate(events) if isinstance(event, SubRoundStarted)]
    return events[starts[-1] + 1 :] if starts else events


def format_gain(points: Points) -> str:
    return format_points(points) if points < 0 else f"+{format_points(points)}"


def rank_word(number: int) -> str:
    return say(f"rank-{number}") if number in (1, 11, 12, 13) else say("rank-many", n=number)


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def uncapitalize(text: str) -> str:
    """The same behind a colon. Names are isolated, so a name in front keeps its capital."""
    return text[:1].lower() + text[1:]


def join_sentences(parts: Sequence[str]) -> str:
    """Sentences in a row, each but the last with its full stop."""
    told = [part for part in parts if part]
    ended = [part if part.rstrip("*").endswith((".", "!", "?")) else f"{part}." for part in told[:-1]]
    return " ".join([*ended, *told[-1:]][:1] + [capitalize(part) for part in [*ended, *told[-1:]][1:]])


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
