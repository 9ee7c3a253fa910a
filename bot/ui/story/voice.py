"""How seats, cards and bids are called in a reveal, for everybody or for one seat (`you`): what its sentences share."""

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
    """Who speaks of what, and to whom; `missed` are seats whose clock ran out in the round told last."""

    rules: Rules
    names: Names
    faces: Faces
    you: Seat | None = None
    missed: frozenset[Seat] = field(default_factory=frozenset[Seat])
    exposed: Cards = ()
    """what is auctioned now, for a round that is still open"""

    # --- pieces of sentences -----------------------------------------------------------------------------

    def say_of(self, seat: Seat, id: str, **data: object) -> str:
        """A sentence about a seat, or about the reader."""
        return say(f"{id}-you", **data) if seat == self.you else say(id, name=self.names[seat], **data)

    def describe_own(self, seat: Seat, bid: Bid) -> str:
        text = self.faces.bid(seat, bid)
        return say("your-card", card=text) if seat == self.you else text

    def name_seats(self, seats: Iterable[Seat]) -> str:
        ordered = sorted(seats, key=lambda seat: (seat != self.you, seat))
        return join_words([say("you") if seat == self.you else self.names[seat] for seat in ordered])

    def list_bids(self, bids: dict[Seat, Bid], seats: Sequence[Seat]) -> list[str]:
        told = [
            say(
                "other-bid",
                name=say("you") if seat == self.you else self.names[seat],
                bid=self.faces.bid(seat, bids[seat]),
            )
            for seat in sorted(seats, key=lambda seat: (seat != self.you, seat))
        ]
        return [", ".join(told)] if told else []

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

    @property
    def is_three_way(self) -> bool:
        """Whether all equal bids are bid again and come back, so that what matters is who is left over."""
        return self.sale is not None and self.sale.cancel and self.sale.returned
