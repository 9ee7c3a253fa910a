"""Reveals in sentences: the events of a round, for all readers or for the player at one seat (`you`)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat
from bot.engine.choices import Bid
from bot.engine.counted import ordinal
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
from bot.ui.story.events import events_since_last_call, join_sentences, read_bids
from bot.ui.story.voice import Voice
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say

MAX_STORIES = 2048
_STORIES: dict[tuple[object, ...], tuple[Round, Names, str]] = {}
"""cache of the newest stories, keyed by `id` of round and names; the values hold both, so that no `id` is used again"""


@value_type
class RoundTeller(Voice):
    """Teller of the rounds of one deal."""

    # --- whole lines -------------------------------------------------------------------------------------

    def tell_line(self, played: Round, number: int, word: str = "round") -> str:
        """Return the line of a round, for example "Round 4: ♠9 beats ♥6. Ana takes ♦7 (+7)".

        `word` is "round" or "trick".
        """
        return self.label_story(self.tell_round(played, number), number, len(played.again), word)

    def label_story(self, story: str, number: int, again: int, word: str) -> str:
        if again:
            return say(f"{word}-again", n=number, ordinal=ordinal(again + 1), story=story)
        return say(word, n=number, story=story)

    def tell_round(self, played: Round, number: int) -> str:
        """Return the story of a finished round from its last bids.

        Stories are cached, because every edit shows the same round until the next one ends.
        """
        key = (id(played), number, self.you, self.missed, id(self.names), self.faces.style)
        cached = _STORIES.get(key)
        if cached is not None and cached[0] is played and cached[1] is self.names:
            return cached[2]
        text = self._tell_round(played, number)
        while len(_STORIES) >= MAX_STORIES:
            del _STORIES[next(iter(_STORIES))]
        _STORIES[key] = (played, self.names, text)
        return text

    def _tell_round(self, played: Round, number: int) -> str:
        events = events_since_last_call(played.events)
        parts = [*self.tell_forced(events), *self.tell_outcome(events, played, number)]
        parts += [self.say_about(event.seat, "out-of-cards") for event in events if isinstance(event, SeatEliminated)]
        parts += [say(f"why-{event.why}") for event in events if isinstance(event, DealEnded) and event.why != "played"]
        return join_sentences(parts)

    def tell_so_far(self, events: Sequence[Event]) -> str:
        """Tell a round that is not over: the bids before a sub-round, or the picks so far."""
        if any(isinstance(event, SubRoundStarted) for event in events):
            start = max(place for place, event in enumerate(events) if isinstance(event, SubRoundStarted))
            before = events_since_last_call(events[:start])
            started = events[start]
            assert isinstance(started, SubRoundStarted)
            return join_sentences([*self.tell_forced(before), *prizes.tell_bid_again(self, before, started)])
        if any(isinstance(event, BidsRevealed) for event in events):
            return join_sentences([*self.tell_forced(events), *prizes.tell_picks(self, events)])
        return ""

    # --- forced choices ----------------------------------------------------------------------------------

    def tell_forced(self, events: Sequence[Event]) -> list[str]:
        """Tell the choices that the referee made for seats: bids and picks after a missed deadline, and last cards."""
        parts: list[str] = []
        for event in events:
            if isinstance(event, BidsRevealed) and event.forced:
                late = [seat for seat in event.forced if seat in self.missed]
                is_forced_for_all = all(bid is None or seat in event.forced for seat, bid in enumerate(event.bids))
                is_deal_over = any(isinstance(other, DealEnded) for other in events)
                if is_forced_for_all and (is_deal_over or not late):
                    parts.append(say("last-cards"))
                    continue
                for seat in late:
                    bid = event.bids[seat]
                    if isinstance(bid, Bid):
                        parts.append(self.say_about(seat, "clock-bid", card=self.faces.bid(seat, bid)))
                    else:
                        parts.append(say("clock-bid-hidden", name=self.names[seat]))
            elif isinstance(event, PickMade) and event.forced and event.seat in self.missed:
                parts.append(self.say_about(event.seat, "clock-pick", prize=self.faces.prize(event.prize)))
        return parts

    def was_forced(self, events: Sequence[Event]) -> bool:
        """Return True if no player had a choice in this round. The round before it was not told yet then."""
        return any(
            isinstance(event, BidsRevealed)
            and all(bid is None or seat in event.forced for seat, bid in enumerate(event.bids))
            for event in events_since_last_call(events)
        )

    # --- outcomes ----------------------------------------------------------------------------------------

    def tell_outcome(self, events: Sequence[Event], played: Round, number: int) -> list[str]:
        bids = read_bids(events)
        for event in events:
            match event:
                case CardScored(seat, card, points):
                    return tricks.tell_kept(self, bids, seat, card, points)
                case CardsCaptured():
                    return tricks.tell_capture(self, events, played, event)
                case PrizesAwarded():
                    return [
                        *prizes.tell_award(self, events, bids, event, played, number),
                        *prizes.tell_unsold(self, events, number, 0),
                    ]
                case _:
                    pass
        if played.outcome == "void":
            return [*tricks.tell_left_before(self, events, played), *tricks.tell_ties(self, events), say("nobody-left")]
        if any(isinstance(event, PickMade) for event in events) or self.is_open:
            return [*prizes.tell_picks(self, events), *prizes.tell_unsold(self, events, number, 0)]
        return prizes.tell_tie(self, events, bids, number)


def make_round_teller(view: MatchView, faces: Faces, you: Seat | None = None) -> RoundTeller:
    missed = frozenset(seat.seat for seat in view.seats if seat.misses and not seat.left)
    return RoundTeller(view.rules, make_names(view), faces, you, missed, view.seen.exposed)
