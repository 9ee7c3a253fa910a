"""All deals of a match, and the prizes that helped its winner most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.engine.cards import Points, Seat
from bot.engine.events import PickMade, PrizesAwarded
from bot.engine.state import Cards
from bot.referee.model.views import DealView, MatchView


def list_deals(view: MatchView) -> tuple[DealView, ...]:
    """Return all deals, the last one included."""
    seen = view.seen
    if any(deal.number == view.deal for deal in view.finished):
        return view.finished
    return (*view.finished, DealView(view.deal, seen.scores, seen.winner, seen.rounds, seen.tallies))


class Gain(NamedTuple):
    """Prizes that a seat took or picked in a round."""

    deal: DealView
    number: int
    seat: Seat
    points: Points
    prizes: Cards
    is_pick: bool


def find_biggest_gain(view: MatchView) -> Gain | None:
    """Return the prizes that helped the winner most, by the points they gave to any seat. A draw counts all seats."""
    won = None if view.outcome is None else view.outcome.winner
    sign = -1 if view.rules.least_wins else 1

    def measure_help(gain: Gain) -> Points:
        return abs(gain.points) if won is None else sign * gain.points * (1 if gain.seat == won else -1)

    best = max(_list_gains(view), key=measure_help, default=None)
    return None if best is None or measure_help(best) <= 0 else best


def _list_gains(view: MatchView) -> Iterator[Gain]:
    for deal in list_deals(view):
        for number, played in enumerate(deal.rounds, 1):
            for event in played.events:
                if isinstance(event, PrizesAwarded) and event.prizes:
                    yield Gain(deal, number, event.seat, event.points, event.prizes, False)
                elif isinstance(event, PickMade):
                    yield Gain(deal, number, event.seat, event.points, (event.prize,), True)
