"""The state of one deal: the place of every card, and past events.

It is immutable; a `Workbench` makes the next state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.engine.cards import Card, Points, Seat, simplify
from bot.engine.events import Bids, CardsReturned, DealEnded, Event, PrizesLost

if TYPE_CHECKING:
    from bot.engine.rules import Rules

Cards = tuple[Card, ...]
Hands = tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """The starting zones, card by card: a replay needs no randomness (rules.md 1.6)."""

    stock: Cards
    hands: Hands
    out: Cards = ()
    partial: bool = False

    def __repr__(self) -> str:
        return "Deal(...)"  # the stock and some hands are secret, and a repr may reach a log


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round (or trick)."""

    prizes: Cards
    """newly exposed in this round"""
    bids: Bids
    """of the last sub-round"""
    outcome: str
    """award, share, hold, drop or void"""
    winners: tuple[Seat, ...]
    scores: tuple[Points, ...]
    """after the round, within the deal"""
    again: tuple[Bids, ...] = ()
    """bids of the earlier sub-rounds"""
    picks: tuple[tuple[Seat, Card], ...] = ()
    events: tuple[Event, ...] = ()

    def with_events(self, more: Iterable[Event]) -> Round:
        """Return the round with later events added."""
        events = (*self.events, *more)
        return Round(self.prizes, self.bids, self.outcome, self.winners, self.scores, self.again, self.picks, events)


@dataclass(frozen=True, slots=True)
class State:
    """One deal in play. It never contains a pending choice: `resolve` takes all of them at once."""

    rules: Rules
    deal: Deal
    stock: Cards
    hands: Hands
    out: Cards
    exposed: Cards = ()
    """prizes auctioned now, earliest first"""
    fresh: Cards = ()
    """the part of `exposed` that this round exposed"""
    pot: Cards = ()
    table: tuple[Card | None, ...] = ()
    """cards that lie open between the sub-rounds of a trick, one place per seat"""
    aside: Hands = ()
    spent: Hands = ()
    won: Hands = ()
    points: tuple[Points, ...] = ()
    unscored: Points = 0
    """Value of the exposed prizes that no seat scored."""
    rounds: tuple[Round, ...] = ()
    again: tuple[Bids, ...] = ()
    """revealed bids of this round's earlier sub-rounds"""
    bids: Bids = ()
    """revealed bids of this round, while open prizes are being picked"""
    winners: tuple[Seat, ...] = ()
    """who picks in this round, strongest first"""
    turns: tuple[Seat, ...] = ()
    """picks still to be made, in order"""
    picks: tuple[tuple[Seat, Card], ...] = ()
    events: tuple[Event, ...] = ()
    """events of the unfinished round"""
    awaited: tuple[Seat, ...] = ()
    voids: int = 0
    """void tricks in a row"""
    choosers: bool = False
    """True if a seat had a choice in this trick."""
    over: bool = False

    @property
    def number(self) -> int:
        """The number of the round being played, from 1."""
        return len(self.rounds) + (not self.over)

    def __repr__(self) -> str:
        # The stock and some hands are secret, and a repr may reach a log.
        over = ", over" if self.over else ""
        return f"State({self.rules.game.key}, round {self.number}.{len(self.again)}{over})"


class Workbench:
    """A mutable copy of a state, used only within one call of `resolve`."""

    def __init__(self, state: State) -> None:
        self.rules = state.rules
        self.deal = state.deal
        self.stock = list(state.stock)
        self.hands = list(map(list, state.hands))
        self.out = list(state.out)
        self.exposed = list(state.exposed)
        self.fresh = list(state.fresh)
        self.pot = list(state.pot)
        self.table: list[Card | None] = list(state.table)
        self.aside = list(map(list, state.aside))
        self.spent = list(map(list, state.spent))
        self.won = list(map(list, state.won))
        self.points = list(state.points)
        self.unscored = state.unscored
        self.rounds = state.rounds
        self.again = state.again
        self.bids = state.bids
        self.winners = state.winners
        self.turns = list(state.turns)
        self.picks = state.picks
        self.events = list(state.events)
        self.awaited = state.awaited
        self.voids = state.voids
        self.choosers = state.choosers
        self.over = state.over
        self.log: list[Event] = []

    @property
    def seats(self) -> range:
        return range(len(self.hands))

    def emit(self, event: Event) -> None:
        self.events.append(event)
        self.log.append(event)

    def pay(self, seat: Seat, points: Points) -> None:
        self.points[seat] = simplify(self.points[seat] + points)

    def gather(self) -> Cards:
        """Remove all prizes auctioned now from pot and view; return them in the order in which they were turned."""
        cards = (*self.pot, *self.exposed)
        self.pot.clear()
        self.exposed.clear()
        return cards

    def take(self, bids: Bids) -> None:
        """Remove the bid cards from the hands."""
        for seat, bid in enumerate(bids):
            if bid is not None:
                for card in bid.cards:
                    self.hands[seat].remove(self.rules.card(card))

    def spend(self, bids: Bids) -> None:
        for seat, bid in enumerate(bids):
            if bid is not None:
                self.spent[seat] += map(self.rules.card, bid.cards)

    def send_home(self) -> None:
        """Return the cards set aside to their owners' hands."""
        if not any(self.aside):
            return
        home = tuple((seat, card) for seat in self.seats for card in self.aside[seat])
        for seat, card in home:
            self.hands[seat].append(card)
        for seat in self.seats:
            self.aside[seat].clear()
            self.hands[seat].sort(key=self.rules.strength)
        self.emit(CardsReturned(home))

    def clear_table(self) -> None:
        self.table = list[Card | None](None for _ in self.seats)

    def close_round(self, bids: Bids, outcome: str, winners: tuple[Seat, ...]) -> None:
        """File the finished round, and clear the state of a single round."""
        scores = self.rules.score(self)
        finished = Round(tuple(self.fresh), bids, outcome, winners, scores, self.again, self.picks, tuple(self.events))
        self.rounds = (*self.rounds, finished)
        self.fresh, self.again, self.picks, self.events = [], (), (), []
        self.bids, self.winners, self.turns, self.awaited = (), (), [], ()

    def finish(self, why: str = "played") -> None:
        """End the deal: unsold prizes go out, and no seat is awaited."""
        left = self.gather()
        if left:
            self.unscored += sum(map(self.rules.value, left))
            self.emit(PrizesLost(left))
        self.out += (*left, *self.stock)
        self.stock.clear()
        self.awaited, self.over = (), True
        self.emit(DealEnded(self.rules.score(self), why))
        if self.rounds:  # the end of the deal is an event of the last round
            self.rounds = (*self.rounds[:-1], self.rounds[-1].with_events(self.events))
            self.events = []

    def freeze(self) -> State:
        return State(
            self.rules,
            self.deal,
            tuple(self.stock),
            tuple(map(tuple, self.hands)),
            tuple(self.out),
            tuple(self.exposed),
            tuple(self.fresh),
            tuple(self.pot),
            tuple(self.table),
            tuple(map(tuple, self.aside)),
            tuple(map(tuple, self.spent)),
            tuple(map(tuple, self.won)),
            tuple(self.points),
            self.unscored,
            self.rounds,
            self.again,
            self.bids,
            self.winners,
            tuple(self.turns),
            self.picks,
            tuple(self.events),
            self.awaited,
            self.voids,
            self.choosers,
            self.over,
        )
