"""Reveal sentences for games without prizes, in which a seat keeps its card or captures the cards of a trick."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Card, Points, Seat, format_points, rank
from bot.engine.choices import Bid
from bot.engine.counted import ordinal
from bot.engine.events import CardRemoved, CardsCaptured, CardsSetAside, Event, SeatLeftTrick, SubRoundStarted
from bot.engine.state import Round
from bot.ui.story.events import read_bids
from bot.ui.story.voice import Voice
from bot.ui.text.sentences import say

ACE, KING = 1, 13


def tell_kept(voice: Voice, bids: dict[Seat, Bid], seat: Seat, card: Card, points: Points) -> list[str]:
    """Tell a round of two cards: the seat scores the winning card, the other card returns to its hand."""
    other = next(bidder for bidder in bids if bidder != seat)
    high, low = voice.describe_own(seat, bids[seat]), voice.describe_own(other, bids[other])
    lost = bids[other].cards[0]
    is_lower = voice.rules.strength(card) < voice.rules.strength(lost)
    data = {"card": voice.faces.card(card), "other": voice.faces.card(lost), "points": f"+{format_points(points)}"}
    data["loser"] = voice.names[other]
    compared = say("beats-double" if is_lower else "beats", high=high, low=low)
    if other == voice.you:
        return [compared, say("keeps-yours", name=voice.names[seat], **data)]
    return [compared, voice.say_about(seat, "keeps", **data)]


def tell_capture(voice: Voice, events: Sequence[Event], played: Round, taken: CardsCaptured) -> list[str]:
    """Tell a trick: the highest card captures the other cards on the table, and from which seats."""
    seat = taken.seat
    own = _last_bid(played, seat)
    ranks = {rank(card) for card in taken.cards}
    parts = [*tell_left_before(voice, events, played), *tell_ties(voice, events)]
    if own is not None and rank(own) == ACE and KING in ranks:
        parts.append(say("aces-beat-kings"))
    elif own is not None:
        parts.append(say("highest", card=voice.describe_own(seat, Bid((own,)))))
    held = format_points(played.scores[seat])
    parts.append(voice.say_about(seat, "captures", n=count_captured(played, taken), held=held))
    parts += [
        say("leaves-game", card=voice.faces.card(event.card)) for event in events if isinstance(event, CardRemoved)
    ]
    last = {bidder: _last_bid(played, bidder) for bidder in range(voice.rules.seats)}
    bids = {bidder: Bid((card,)) for bidder, card in last.items() if card is not None}
    others = [bidder for bidder in bids if bidder != seat and last[bidder] in taken.cards]
    return [*parts, *voice.list_bids(bids, others)]


def count_captured(played: Round, taken: CardsCaptured) -> int:
    """Return how many cards of others the winner of a trick takes. The winner's own card may be among `taken`."""
    return len(taken.cards) - (_last_bid(played, taken.seat) in taken.cards)


def tell_left_before(voice: Voice, events: Sequence[Event], played: Round) -> list[str]:
    """Tell which seats had no card for the last bid of a trick; `events` are those since that bid."""
    before = played.events[: len(played.events) - len(events)]
    left = [event.seat for event in before if isinstance(event, SeatLeftTrick)]
    return [say("left-trick", names=voice.name_seats(left), ordinal=ordinal(len(played.again) + 1))] if left else []


def tell_ties(voice: Voice, events: Sequence[Event]) -> list[str]:
    """Tell ties at the top, and which seats leave the trick because they have no card to bid again."""
    left = [event.seat for event in events if isinstance(event, SeatLeftTrick)]
    parts = [say("lie-aside", **_name_tie(voice, event)) for event in events if isinstance(event, CardsSetAside)]
    if left:
        id = "leave-trick-you" if voice.you in left else "leave-trick"
        parts.append(say(id, names=voice.name_seats(left), n=len(left)))
    return parts


def tell_bid_again(voice: Voice, events: Sequence[Event], started: SubRoundStarted) -> list[str]:
    """Tell the bids of `events`, and which seats bid again."""
    tied = [event for event in events if isinstance(event, CardsSetAside)]
    bids = read_bids(events)
    listing = voice.list_bids(bids, list(bids))
    if len(tied) == 1 and tuple(seat for seat, _ in tied[0].cards) == started.seats:
        id = "again-aside-you" if voice.you in started.seats else "again-aside"
        return [*listing, say(id, **_name_tie(voice, tied[0]))]
    id = "bid-again-you" if voice.you in started.seats else "bid-again"
    return [*listing, *tell_ties(voice, events), say(id, names=voice.name_seats(started.seats), n=len(started.seats))]


def _name_tie(voice: Voice, aside: CardsSetAside) -> dict[str, str]:
    """Return the seats that tied, and the rank of their cards."""
    (_, card), *_ = aside.cards
    return {"names": voice.name_seats([seat for seat, _ in aside.cards]), "card": voice.faces.card(rank(card))}


def _last_bid(played: Round, seat: Seat) -> Card | None:
    """Return the last card that a seat bid in this trick."""
    for bids in (played.bids, *reversed(played.again)):
        bid = bids[seat]
        if isinstance(bid, Bid):
            return bid.cards[0]
    return None
