"""Reveal sentences for games without prizes: a card is kept, or the cards of a trick are captured."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Card, Points, Seat, format_points, rank
from bot.engine.choices import Bid
from bot.engine.events import BidsRevealed, CardRemoved, CardsCaptured, Event, SeatLeftTrick, SubRoundStarted, Tied
from bot.engine.state import Round
from bot.ui.story.voice import Voice
from bot.ui.text.sentences import say

ACE, KING = 1, 13


def tell_kept(voice: Voice, bids: dict[Seat, Bid], seat: Seat, card: Card, points: Points) -> list[str]:
    """Two cards fight, the winning one is scored, the other goes home."""
    other = next(one for one in bids if one != seat)
    high, low = voice.describe_own(seat, bids[seat]), voice.describe_own(other, bids[other])
    lost = bids[other].cards[0]
    below = voice.rules.strength(card) < voice.rules.strength(lost)
    compared = say("beats-double" if below else "beats", high=high, low=low)
    card_text, lost_text = voice.faces.card(card), voice.faces.card(lost)
    return [compared, voice.say_of(seat, "keeps", card=card_text, other=lost_text, points=f"+{format_points(points)}")]


def tell_capture(voice: Voice, events: Sequence[Event], played: Round, taken: CardsCaptured) -> list[str]:
    """The highest card takes what lies on the table."""
    seat = taken.seat
    own = _last_bid(played, seat)
    ranks = {rank(card) for card in taken.cards}
    parts = tell_ties(voice, events)
    if own is not None and rank(own) == ACE and KING in ranks:
        parts.append(say("aces-beat-kings"))
    elif own is not None:
        parts.append(say("highest", card=voice.describe_own(seat, Bid((own,)))))
    held = format_points(played.scores[seat])
    parts.append(voice.say_of(seat, "captures", n=len(taken.cards), held=held))
    parts += [
        say("leaves-game", card=voice.faces.card(event.card)) for event in events if isinstance(event, CardRemoved)
    ]
    bids = {
        one: bid
        for event in events
        if isinstance(event, BidsRevealed)
        for one, bid in enumerate(event.bids)
        if isinstance(bid, Bid) and one != seat
    }
    return [*parts, *voice.list_bids(bids, list(bids))]


def tell_ties(voice: Voice, events: Sequence[Event]) -> list[str]:
    """Ties at the top that nobody bid again for, because the tied seats had no other card."""
    left = [event.seat for event in events if isinstance(event, SeatLeftTrick)]
    parts = [say("lie-aside", names=voice.name_seats(event.seats)) for event in events if isinstance(event, Tied)]
    if left:
        id = "leave-trick-you" if voice.you in left else "leave-trick"
        parts.append(say(id, names=voice.name_seats(left), n=len(left)))
    return parts


def tell_again(voice: Voice, events: Sequence[Event], started: SubRoundStarted) -> list[str]:
    tied = [event.seats for event in events if isinstance(event, Tied)]
    bids = next((event.bids for event in events if isinstance(event, BidsRevealed)), ())
    shown = {seat: bid for seat, bid in enumerate(bids) if isinstance(bid, Bid)}
    listing = voice.list_bids(shown, list(shown))
    if tied == [started.seats]:
        id = "again-aside-you" if voice.you in started.seats else "again-aside"
        return [*listing, say(id, names=voice.name_seats(started.seats))]
    id = "bid-again-you" if voice.you in started.seats else "bid-again"
    return [*listing, *tell_ties(voice, events), say(id, names=voice.name_seats(started.seats), n=len(started.seats))]


def _last_bid(played: Round, seat: Seat) -> Card | None:
    """The card with which a seat stands at the end of a trick: its last one."""
    for bids in (played.bids, *reversed(played.again)):
        bid = bids[seat]
        if isinstance(bid, Bid):
            return bid.cards[0]
    return None
