"""Parts of reveal sentences: seats, cards and bids in words, for all readers or for the player at one seat (`you`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from bot.engine.cards import Seat
from bot.engine.choices import Bid
from bot.engine.facts import Sale
from bot.engine.fast_values import value_type
from bot.engine.rules import Rules
from bot.engine.state import Cards
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, join_words
from bot.ui.text.sentences import say


@value_type
class Voice:
    """Rules, names and faces of a match, and its reader; `missed` are the seats that missed the last deadline."""

    rules: Rules
    names: Names
    faces: Faces
    you: Seat | None = None
    missed: frozenset[Seat] = field(default_factory=frozenset[Seat])
    exposed: Cards = ()
    """the prizes that are up now, for a round that is not over"""

    # --- pieces of sentences -----------------------------------------------------------------------------

    def say_about(self, seat: Seat, id: str, **data: object) -> str:
        """Return a sentence about a seat, in its variant for the reader if this is the reader's seat."""
        return say(f"{id}-you", **data) if seat == self.you else say(id, name=self.names[seat], **data)

    def describe_own(self, seat: Seat, bid: Bid, *, is_named: bool = False) -> str:
        """Return a bid with its owner: always with `is_named`, else where that is the reader or no suit tells it."""
        text = self.faces.plain_bid(bid) if self.faces.style.uses_letters else self.faces.bid(seat, bid)
        if seat == self.you:
            return say("your-card", card=text)
        is_named = is_named or self.faces.style.uses_letters
        return say("card-of", name=self.names[seat], card=text) if is_named else text

    def name_seats(self, seats: Iterable[Seat]) -> str:
        return join_words([self._name_seat(seat) for seat in self._put_own_first(seats)])

    def _name_seat(self, seat: Seat) -> str:
        return say("you") if seat == self.you else self.names[seat]

    def _put_own_first(self, seats: Iterable[Seat]) -> list[Seat]:
        return sorted(seats, key=lambda seat: (seat != self.you, seat))

    def list_bids(self, bids: dict[Seat, Bid], seats: Sequence[Seat]) -> list[str]:
        """Return one part with the bids of these seats, or no part if there are no seats."""
        parts = [
            say("bid-of", name=self._name_seat(seat), bid=self.faces.bid(seat, bids[seat]))
            for seat in self._put_own_first(seats)
        ]
        listing = ", ".join(parts)
        return [listing if len(parts) == len(bids) else say("other-bids", n=len(parts), list=listing)] if parts else []

    def hides_bids(self, bids: dict[Seat, Bid]) -> bool:
        return (self.rules.hides_bids or self.rules.shows_bids_once) and len(bids) < 2

    # --- how prizes are sold -----------------------------------------------------------------------------

    @property
    def sale(self) -> Sale | None:
        return self.rules.sale

    @property
    def is_open(self) -> bool:
        return self.sale is not None and self.sale.open

    @property
    def is_additive(self) -> bool:
        return self.sale is None or self.sale.additive

    @property
    def is_circular(self) -> bool:
        return self.sale is not None and self.sale.circular

    @property
    def is_cancelling(self) -> bool:
        return self.sale is not None and self.sale.cancel
