"""What a round's events mean, in sentences: for everybody, or told to one seat (`you`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.engine.auction import Auction
from bot.engine.cards import ACE_HIGH, Points, Seat, rank, spoken
from bot.engine.choices import Bid
from bot.engine.events import (
    BidsCancelled,
    BidsRevealed,
    CardsCaptured,
    CardScored,
    DealEnded,
    Event,
    HandsSwitched,
    PickMade,
    PrizesAwarded,
    PrizesCarried,
    PrizesLost,
    PrizesShared,
    SeatEliminated,
    SubRoundStarted,
    Tied,
)
from bot.engine.rules import Rules
from bot.engine.state import Cards, Round
from bot.referee.views import MatchView
from cogs.ui import tricks
from cogs.ui.faces import Faces
from cogs.ui.names import Names, listed, names_of
from cogs.ui.sentences import say


@dataclass(frozen=True)
class Teller:
    """Tells rounds of one deal; `missed` are seats whose clock ran out in the round told last."""

    rules: Rules
    names: Names
    faces: Faces
    you: Seat | None = None
    missed: frozenset[Seat] = field(default_factory=frozenset[Seat])
    exposed: Cards = ()
    """what is auctioned now, for a round that is still open"""

    # --- whole lines -------------------------------------------------------------------------------------

    def line(self, played: Round, number: int, word: str = "round") -> str:
        """Round 4: ♠9 beats ♥6. Ana takes ♦7 (+7)."""
        return self.labelled(self.story(played, number), number, len(played.again), word)

    def labelled(self, story: str, number: int, again: int, word: str) -> str:
        if again:
            return say(f"{word}-again", n=number, k=again + (word == "trick"), story=story)
        return say(word, n=number, story=story)

    def story(self, played: Round, number: int) -> str:
        """A finished round, told from its last bids."""
        events = last_bids(played.events)
        parts = [*self.referee(events), *self.outcome(events, played, number)]
        parts += [self.by(event.seat, "out-of-cards") for event in events if isinstance(event, SeatEliminated)]
        parts += [say(f"why-{event.why}") for event in events if isinstance(event, DealEnded) and event.why != "played"]
        return sentences(parts)

    def so_far(self, events: Sequence[Event], number: int) -> str:
        """What was revealed of a round that is still open: bids that are bid again, or picks being made."""
        if any(isinstance(event, SubRoundStarted) for event in events):
            start = max(place for place, event in enumerate(events) if isinstance(event, SubRoundStarted))
            before = last_bids(events[:start])
            again = events[start]
            assert isinstance(again, SubRoundStarted)
            return sentences([*self.referee(before), *self.bid_again(before, again, number)])
        if any(isinstance(event, BidsRevealed) for event in events):
            return sentences([*self.referee(events), *self.picks(events, number)])
        return ""

    # --- what the referee did for somebody ---------------------------------------------------------------

    def referee(self, events: Sequence[Event]) -> list[str]:
        told: list[str] = []
        for event in events:
            if isinstance(event, BidsRevealed) and event.forced:
                late = [seat for seat in event.forced if seat in self.missed]
                everybody = all(bid is None or seat in event.forced for seat, bid in enumerate(event.bids))
                ended = any(isinstance(other, DealEnded) for other in events)
                if everybody and (ended or not late):
                    told.append(say("last-cards"))
                    continue
                for seat in late:
                    bid = event.bids[seat]
                    if isinstance(bid, Bid):
                        told.append(self.by(seat, "clock-bid", card=self.faces.bid(seat, bid)))
                    else:
                        told.append(say("clock-bid-hidden", name=self.names[seat]))
            elif isinstance(event, PickMade) and event.forced and event.seat in self.missed:
                told.append(self.by(event.seat, "clock-pick", prize=self.faces.prize(event.prize)))
        return told

    def bid_for_all(self, played: Round) -> bool:
        """Whether nobody had a choice in this round, so that nobody has seen the round before it told."""
        return any(
            isinstance(event, BidsRevealed)
            and all(bid is None or seat in event.forced for seat, bid in enumerate(event.bids))
            for event in last_bids(played.events)
        )

    # --- outcomes ----------------------------------------------------------------------------------------

    def outcome(self, events: Sequence[Event], played: Round, number: int) -> list[str]:
        bids = bids_of(events)
        for event in events:
            match event:
                case CardScored(seat, card, points):
                    return tricks.keeps(self, bids, seat, card, points)
                case CardsCaptured():
                    return tricks.captures(self, events, played, event)
                case PrizesAwarded():
                    return [*self.award(events, bids, event, played, number), *self.unsold(events, number, 0)]
                case _:
                    pass
        if played.outcome == "void":
            return [*tricks.ties(self, events), say("nobody-left")]
        if any(isinstance(event, PickMade) for event in events) or self.open:
            return [*self.picks(events, number), *self.unsold(events, number, 0)]
        return self.tie(events, bids, number)

    @property
    def open(self) -> bool:
        return isinstance(self.rules, Auction) and bool(self.rules.expose)

    def award(
        self, events: Sequence[Event], bids: dict[Seat, Bid], award: PrizesAwarded, played: Round, number: int
    ) -> list[str]:
        fresh = tuple(card for card in award.prizes if card in played.prizes)
        pot = award.prizes[: len(award.prizes) - len(fresh)]
        winner = award.seat
        hidden = self.hidden(bids)
        cancelled = cancelled_of(events)
        with_card = bool(cancelled) and not hidden and not self.three_way
        data = {
            "prize": self.prize_text(fresh, pot, number),
            "pot": self.faces.prizes(pot, number - 1),
            "points": signed(award.points),
            "card": "" if hidden or winner not in bids else self.faces.plain_bid(bids[winner]),
        }
        key = "takes" + ("-pot" if pot and not self.faces.signed else "") + ("-with" if with_card else "")
        if not self.additive:
            key = key.removesuffix("-with") + "-plain"
        takes = self.by(winner, key, **data)
        if hidden:
            parts = [takes, say("hidden")]
        else:
            compared = self.cancelled(bids, cancelled) if cancelled else [self.compared(bids, winner, award)]
            rest = [seat for seat in bids if seat != winner and seat not in cancelled]
            others = self.others(bids, rest) if len(bids) > 2 else []
            parts = [*compared, takes, *others]
        if not self.faces.signed:
            return parts
        story = sentences(parts)
        if pot:
            pot_text = listed([self.faces.prize(card) for card in pot])
            return [say("label-pot", prize=self.faces.prizes(fresh), pot=pot_text, story=story)]
        return [say("label", prize=self.faces.prizes(fresh), story=story)]

    def prize_text(self, fresh: Cards, pot: Cards, number: int) -> str:
        if self.faces.signed and pot:
            return say("all-of-it")
        return self.faces.taken(fresh, number - 1)

    def compared(self, bids: dict[Seat, Bid], winner: Seat, award: PrizesAwarded) -> str:
        """Why nobody else took it."""
        high = self.own(winner, bids[winner])
        below = [seat for seat in bids if seat != winner]
        if not below:
            return say("alone", card=high)
        best = bids[winner].cards
        if len(bids) == 2 and not self.faces.signed:
            turned = self.circular and self.rules.strength(best[0]) < self.rules.strength(bids[below[0]].cards[0])
            return say("beats-circular" if turned else "beats", high=high, low=self.own(below[0], bids[below[0]]))
        alike = [seat for seat in bids if len(best) == 1 and rank(bids[seat].cards[0]) == rank(best[0])]
        if len(alike) > 1:
            first = award.prizes[-1]
            return say(
                "equal-rank",
                count=say(("two", "three", "four")[len(alike) - 2]),
                rank=rank_word(rank(best[0])),
                card=high,
                suit=self.faces.suited(str(first)[-1], ""),
            )
        if best[0] == ACE_HIGH:
            second = max(below, key=lambda seat: self.rules.strength(bids[seat].cards[0]))
            return say("beats", high=high, low=self.own(second, bids[second]))
        return say("lowest" if award.points < 0 and self.faces.signed else "highest", card=high)

    def tie(self, events: Sequence[Event], bids: dict[Seat, Bid], number: int) -> list[str]:
        """Nobody stood alone at the top, and the tie rule decided."""
        fates = [event for event in events if isinstance(event, PrizesShared | PrizesCarried | PrizesLost)]
        parts = [self.equal(events, bids)]
        if fates:
            fate = fates[0]
            id = {PrizesShared: "split", PrizesCarried: "joins-pot", PrizesLost: "discarded"}[type(fate)]
            each = spoken(fate.each) if isinstance(fate, PrizesShared) else ""
            parts.append(self.fate(id, fate.prizes, number, events, each))
        tied = next((event.seats for event in events if isinstance(event, Tied)), ())
        if self.hidden(bids):
            parts.append(say("hidden"))
        elif not self.cancelling:
            parts += self.others(bids, [seat for seat in bids if seat not in tied])
        elif len(bids) > 2:
            parts += self.others(bids, list(bids))
        return [*parts, *self.unsold(events, number, 1)]

    def equal(self, events: Sequence[Event], bids: dict[Seat, Bid]) -> str:
        tied = next((event.seats for event in events if isinstance(event, Tied)), ())
        if self.hidden(bids) or not tied:
            return say("tie-hidden")
        if self.cancelling and len(bids) > 2:
            return say("tie-all")
        if len(bids) == 2:
            mine, other = sorted(tied, key=lambda seat: seat != self.you)
            return say("ties", first=self.own(mine, bids[mine]), second=self.own(other, bids[other]))
        return say("tie-at", names=self.who(tied), card=self.faces.plain_bid(bids[tied[0]]))

    def fate(self, id: str, prizes: Cards, number: int, events: Sequence[Event], each: str = "") -> str:
        id += "-many" if len(prizes) > 1 else ""
        id += "-switched" if any(isinstance(event, HandsSwitched) for event in events) else ""
        return capital(say(id, prizes=self.several(prizes, number), each=each))

    def several(self, prizes: Cards, number: int) -> str:
        if self.faces.dressed:
            return self.faces.prizes(prizes, number - 1)
        if self.faces.signed:
            return listed([self.faces.prize(card) for card in prizes])
        text = listed([self.faces.prize(card) for card in prizes])
        return say("the-prize", card=text) if isinstance(prizes[0], int) else text

    def unsold(self, events: Sequence[Event], number: int, told: int) -> list[str]:
        """Prizes that went out when the deal ended, besides those that a tie was about."""
        lost = [event for event in events if isinstance(event, PrizesLost | PrizesCarried | PrizesShared)][told:]
        return [
            self.fate("stays" if isinstance(event, PrizesCarried) else "unsold", event.prizes, number, ())
            for event in lost
        ]

    # --- bidding again, and picks ------------------------------------------------------------------------

    def bid_again(self, events: Sequence[Event], again: SubRoundStarted, number: int) -> list[str]:
        bids = bids_of(events)
        if not isinstance(self.rules, Auction):
            return tricks.again(self, events, again)
        if not again.spent:
            return [say("again-all")]
        mine, other = sorted(bids, key=lambda seat: seat != self.you)[:2]
        return [
            say(
                "again-spent",
                first=self.own(mine, bids[mine]),
                second=self.own(other, bids[other]),
                prizes=self.faces.prizes(self.exposed),
            )
        ]

    def picks(self, events: Sequence[Event], number: int) -> list[str]:
        bids = bids_of(events)
        cancelled = cancelled_of(events)
        alone = sorted(
            (seat for seat in bids if seat not in cancelled),
            key=lambda seat: sum(map(self.rules.strength, bids[seat].cards)),
            reverse=True,
        )
        tied = any(len([1 for other in bids.values() if other == bid]) > 1 for bid in bids.values())
        if tied and not cancelled:
            parts, alone = [say("tie-all")], []
        else:
            parts = self.cancelled(bids, cancelled)
        pickers = alone[: self.rules.pickers] if isinstance(self.rules, Auction) else alone
        if len(pickers) > 1:
            text = self.own(pickers[0], bids[pickers[0]])
            for seat in pickers[1:]:
                text = say("then", first=text, second=self.own(seat, bids[seat]))
            parts.append(say("in-order", bids=text))
        elif pickers:
            parts.append(say("highest", card=self.own(pickers[0], bids[pickers[0]])))
        took = [
            self.by(event.seat, "took", prize=self.faces.prize(event.prize))
            for event in events
            if isinstance(event, PickMade)
        ]
        if took:
            parts.append(", ".join(took) + ".")
        return [*parts, *self.others(bids, [seat for seat in alone if seat not in pickers])]

    # --- pieces ------------------------------------------------------------------------------------------

    def by(self, seat: Seat, id: str, **data: object) -> str:
        """A sentence about a seat, or about the reader."""
        return say(f"{id}-you", **data) if seat == self.you else say(id, name=self.names[seat], **data)

    def own(self, seat: Seat, bid: Bid) -> str:
        text = self.faces.bid(seat, bid)
        return say("your-card", card=text) if seat == self.you else text

    def who(self, seats: Iterable[Seat]) -> str:
        ordered = sorted(seats, key=lambda seat: (seat != self.you, seat))
        return listed([say("you") if seat == self.you else self.names[seat] for seat in ordered])

    def others(self, bids: dict[Seat, Bid], seats: Sequence[Seat]) -> list[str]:
        told = [
            say(
                "other-bid",
                name=say("you") if seat == self.you else self.names[seat],
                bid=self.faces.bid(seat, bids[seat]),
            )
            for seat in seats
        ]
        return [", ".join(told)] if told else []

    def cancelled(self, bids: dict[Seat, Bid], cancelled: Sequence[Seat]) -> list[str]:
        """Who struck each other out, in groups of equal bids."""
        groups: dict[int, list[Seat]] = {}
        for seat in cancelled:
            if seat in bids:
                groups.setdefault(sum(map(self.rules.strength, bids[seat].cards)), []).append(seat)
        if cancelled and not groups:
            return [say("cancel-hidden")]
        if self.three_way:
            return [say("equal", names=self.who(group)) for group in groups.values()]
        return [
            say("cancel", names=self.who(groups[size]), card=self.faces.plain_bid(bids[groups[size][0]]))
            for size in sorted(groups, reverse=True)
        ]

    def hidden(self, bids: dict[Seat, Bid]) -> bool:
        return self.rules.hidden_bids and len(bids) < 2

    @property
    def additive(self) -> bool:
        return not isinstance(self.rules, Auction) or self.rules.additive

    @property
    def circular(self) -> bool:
        return isinstance(self.rules, Auction) and self.rules.circular

    @property
    def cancelling(self) -> bool:
        return isinstance(self.rules, Auction) and self.rules.cancel

    @property
    def three_way(self) -> bool:
        """Whether all equal bids are bid again and come back, so that what matters is who is left over."""
        return self.cancelling and isinstance(self.rules, Auction) and self.rules.returned


def teller_of(view: MatchView, faces: Faces, you: Seat | None = None) -> Teller:
    missed = frozenset(seat.seat for seat in view.seats if seat.misses and not seat.left)
    return Teller(view.rules, names_of(view), faces, you, missed, view.seen.exposed)


def bids_of(events: Sequence[Event]) -> dict[Seat, Bid]:
    """The bids that may be seen, of the (sub-)round these events tell."""
    bids: dict[Seat, Bid] = {}
    for event in events:
        if isinstance(event, BidsRevealed):
            bids = {seat: bid for seat, bid in enumerate(event.bids) if isinstance(bid, Bid)}
    return bids


def cancelled_of(events: Sequence[Event]) -> tuple[Seat, ...]:
    return next((event.seats for event in events if isinstance(event, BidsCancelled)), ())


def last_bids(events: Sequence[Event]) -> Sequence[Event]:
    """What follows the last call to bid again."""
    starts = [place for place, event in enumerate(events) if isinstance(event, SubRoundStarted)]
    return events[starts[-1] + 1 :] if starts else events


def signed(points: Points) -> str:
    return spoken(points) if points < 0 else f"+{spoken(points)}"


def rank_word(number: int) -> str:
    return say(f"rank-{number}") if number in (1, 11, 12, 13) else say("rank-many", n=number)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentences(parts: Sequence[str]) -> str:
    """Sentences in a row, each but the last with its full stop."""
    told = [part for part in parts if part]
    ended = [part if part.rstrip("*").endswith((".", "!", "?")) else f"{part}." for part in told[:-1]]
    return " ".join([*ended, *told[-1:]][:1] + [capital(part) for part in [*ended, *told[-1:]][1:]])
