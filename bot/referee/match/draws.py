"""When a seat that has offered a draw may offer again: three rounds later, if the match has as many."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.match import Match
from bot.engine.series import Result
from bot.referee.repository.live import Live, prompt_place

GAP = 3
"""rounds from one offer of a seat to its next"""


@dataclass(frozen=True, slots=True)
class NextOffer:
    """The next chance to offer a draw."""

    when: str
    """`round`: in this deal; `deal`: in a later one, if there is one; `never`: not in this match."""
    round: int = 0
    """number of the round in this deal, from 1"""


def next_offer(live: Live, rounds: int) -> NextOffer:
    """Return the chance that comes after so many more rounds."""
    match, place = live.match, prompt_place(live.match)[1] + rounds
    assert match.state is not None
    opened = match.rules.open_rounds(match.state.deal)
    if opened is None or place < opened:
        return NextOffer("round", place + 1)
    return NextOffer("deal" if _may_go_on(match) else "never")


def _may_go_on(match: Match) -> bool:
    """Return False if the deal in play is the last one, no matter who wins it."""
    if match.left_seats:
        return False
    seats = match.rules.seats
    level = (0,) * seats
    winners = (tuple(int(seat == winner) for seat in range(seats)) for winner in range(seats))
    endings = (Result(level, standing) for standing in (level, *winners))
    by_wins, least = match.rules.by_wins, match.rules.least_wins
    return any(not match.series.is_over((*match.results, ending), by_wins, least) for ending in endings)
