"""Events of a deal in order. All messages and descriptions of a deal follow from them (rules.md 6).

All events are public, except the bids in `BidsRevealed`. `view.py` removes bids where a game hides them until the deal
ends.
"""

from dataclasses import dataclass
from typing import TypeAlias

from bot.engine.cards import Card, Points, Seat
from bot.engine.choices import Bid

Bids: TypeAlias = tuple[Bid | None, ...]
"""One bid per seat; None for a seat that was not asked, and for a bid that the viewer may not see."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A deal begins."""


@dataclass(frozen=True, slots=True)
class PrizeRevealed(Event):
    """Prizes were newly exposed."""

    prizes: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BidsRevealed(Event):
    """All bids of one (sub-)round, at once; `forced` are the seats for whom the referee bid."""

    bids: Bids
    forced: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class BidsCancelled(Event):
    """Equal bids struck each other out."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Tied(Event):
    """No bid is alone at the top."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class SubRoundStarted(Event):
    """These seats bid again for the same prize; `spent` is True if the tied cards are gone."""

    seats: tuple[Seat, ...]
    spent: bool


@dataclass(frozen=True, slots=True)
class PrizesAwarded(Event):
    """A seat takes prizes and scores their points."""

    seat: Seat
    prizes: tuple[Card, ...]
    points: Points


@dataclass(frozen=True, slots=True)
class PrizesShared(Event):
    """The tied seats score equal shares; the cards themselves are out."""

    seats: tuple[Seat, ...]
    prizes: tuple[Card, ...]
    each: Points


@dataclass(frozen=True, slots=True)
class PrizesCarried(Event):
    """Prizes wait in the pot, or on view, for the next round."""

    prizes: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PrizesLost(Event):
    """Prizes that no seat scores."""

    prizes: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PickMade(Event):
    """A seat took one open prize; `forced` when the referee took it for them."""

    seat: Seat
    prize: Card
    points: Points
    forced: bool = False


@dataclass(frozen=True, slots=True)
class CardsSetAside(Event):
    """Tied cards lie aside until the round ends."""

    cards: tuple[tuple[Seat, Card], ...]


@dataclass(frozen=True, slots=True)
class CardsReturned(Event):
    """Cards returned to their owners' hands."""

    cards: tuple[tuple[Seat, Card], ...]


@dataclass(frozen=True, slots=True)
class CardsCaptured(Event):
    """A seat takes the cards on the table into its hand."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardRemoved(Event):
    """A winning card goes out of play."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardScored(Event):
    """A seat's own winning card is put on its pile."""

    seat: Seat
    card: Card
    points: Points


@dataclass(frozen=True, slots=True)
class HandsSwitched(Event):
    """Two seats exchanged their remaining hands."""

    seats: tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class SeatLeftTrick(Event):
    """A tied seat has no other card and sits out the rest of the trick."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatEliminated(Event):
    """A seat holds no card any more."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealEnded(Event):
    """The deal is over: `why` is one of "played", "clinched", "cap", "deadlock"."""

    scores: tuple[Points, ...]
    why: str = "played"


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """A seat left the match; with three or more seats it is played on with its lowest cards (RULING C5)."""

    seat: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The match is over."""

    winner: Seat | None
