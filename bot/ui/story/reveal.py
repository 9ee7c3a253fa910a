"""What a round's events mean, in sentences: for everybody, or told to one seat (`you`)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat
from bot.engine.choices import Bid
from bot.engine.events import (
    BidsRevealed,
    CardsCaptured,
    CardScored,
    DealEnded,
    Event,
    PickMade,
    PrizesAwarded,
    SeatEliminated,
    SubRoundStarted,
)
from bot.engine.fast_values import value_type
from bot.engine.state import Round
from bot.referee.model.views import MatchView
from bot.ui.story import prizes, tricks
from bot.ui.story.events import bids_of, last_bids, sentences
from bot.ui.story.voice import Voice
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, names_of
from bot.ui.text.sentences import say

TOLD_MOST = 2048
_TOLD: dict[tuple[object, ...], tuple[Round, Names, str]] = {}
"""Stories by the identity of what they tell, which is kept with them so that it stays its own: the newest ones."""


@value_type
class RoundTeller(Voice):
    """Tells rounds of one deal."""

    # --- whole lines -------------------------------------------------------------------------------------

    def line(self, played: Round, number: int, word: str = "round") -> str:
        """Round 4: ♠9 beats ♥6. Ana takes ♦7 (+7)."""
        return self.labelled(self.story(played, number), number, len(played.again), word)

    def labelled(self, story: str, number: int, again: int, word: str) -> str:
        if again:
            return say(f"{word}-again", n=number, k=again + (word == "trick"), story=story)
        return say(word, n=number, story=story)

    def story(self, played: Round, number: int) -> str:
        """A finished round, told from its last bids. The same one is told at every edit until the next."""
        key = (id(played), number, self.you, self.missed, id(self.names), self.faces.style)
        known = _TOLD.get(key)
        if known is not None and known[0] is played and known[1] is self.names:
            return known[2]
        text = self._story(played, number)
        while len(_TOLD) >= TOLD_MOST:
            del _TOLD[next(iter(_TOLD))]
        _TOLD[key] = (played, self.names, text)
        return text

    def _story(self, played: Round, number: int) -> str:
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
            return sentences([*self.referee(before), *prizes.bid_again(self, before, again, number)])
        if any(isinstance(event, BidsRevealed) for event in events):
            return sentences([*self.referee(events), *prizes.picks(self, events, number)])
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

    def all_forced(self, events: Sequence[Event]) -> bool:
        """Whether nobody had a choice in this round, so that nobody has seen the round before it told."""
        return any(
            isinstance(event, BidsRevealed)
            and all(bid is None or seat in event.forced for seat, bid in enumerate(event.bids))
            for event in last_bids(events)
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
                    return [
                        *prizes.award(self, events, bids, event, played, number),
                        *prizes.unsold(self, events, number, 0),
                    ]
                case _:
                    pass
        if played.outcome == "void":
            return [*tricks.ties(self, events), say("nobody-left")]
        if any(isinstance(event, PickMade) for event in events) or self.open:
            return [*prizes.picks(self, events, number), *prizes.unsold(self, events, number, 0)]
        return prizes.tie(self, events, bids, number)


def teller_of(view: MatchView, faces: Faces, you: Seat | None = None) -> RoundTeller:
    missed = frozenset(seat.seat for seat in view.seats if seat.misses and not seat.left)
    return RoundTeller(view.rules, names_of(view), faces, you, missed, view.seen.exposed)
