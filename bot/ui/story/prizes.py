"""Reveal sentences for games with prizes, which are taken, tied for, split, carried, lost or picked."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import ACE_HIGH, Seat, format_points, rank, suit
from bot.engine.choices import Bid
from bot.engine.events import (
    Event,
    HandsSwitched,
    PickMade,
    PrizesAwarded,
    PrizesCarried,
    PrizesLost,
    PrizesShared,
    SubRoundStarted,
    Tied,
)
from bot.engine.state import Cards, Round
from bot.ui.story import tricks
from bot.ui.story.events import format_gain, join_sentences, rank_word, read_bids, read_cancelled
from bot.ui.story.voice import Voice
from bot.ui.text.catalogue.numbers import spelled
from bot.ui.text.sentences import capitalize, say

FATES = PrizesShared, PrizesCarried, PrizesLost
"""what becomes of prizes that no seat takes"""

MAX_NAMED_PRIZES = 9
"""of more prizes that stay on view only the number is told"""


def tell_award(
    voice: Voice, events: Sequence[Event], bids: dict[Seat, Bid], award: PrizesAwarded, played: Round, number: int
) -> list[str]:
    """Tell which seat takes the prize, and why."""
    fresh = tuple(card for card in award.prizes if card in played.prizes)
    pot = award.prizes[: len(award.prizes) - len(fresh)]
    winner = award.seat
    hidden = voice.hides_bids(bids)
    cancelled = read_cancelled(events)
    with_card = bool(cancelled) and not hidden
    data = {
        "prize": describe_prize(voice, fresh, pot, number),
        "pot": voice.faces.prize_list(pot, number - 1) if pot else "",
        "points": format_gain(award.points),
        "card": voice.faces.plain_bid(bids[winner]) if with_card and winner in bids else "",
    }
    key = "takes" + ("-pot" if pot and not voice.faces.is_signed else "") + ("-with" if with_card else "")
    if not voice.is_additive:
        key = "takes-with-plain" if with_card and not pot else key.removesuffix("-with") + "-plain"
        data["why"], data["score"] = explain_pile(voice, award, number), format_points(played.scores[winner])
    takes = voice.say_about(winner, "takes-score" if data.get("why") else key, **data)
    if hidden:
        parts = [takes, say("hidden")]
    else:
        reasons = tell_cancelled(voice, bids, cancelled) if cancelled else [compare_bids(voice, bids, winner, award)]
        rest = [seat for seat in bids if seat != winner and seat not in cancelled]
        others = voice.list_bids(bids, rest) if len(bids) > 2 else []
        parts = [*reasons, takes, *others]
    if not voice.faces.is_signed:
        return parts
    labelled = {"prize": voice.faces.prizes(fresh), "story": join_sentences(parts)}
    return [say("label-pot", pot=voice.faces.prize_list(pot), **labelled) if pot else say("label", **labelled)]


def explain_pile(voice: Voice, award: PrizesAwarded, number: int) -> str:
    """Return in words what the winner's pile scores after round `number`; empty if it needs no words."""
    before = (event for played in voice.faces.rounds[: number - 1] for event in played.events)
    taken = (event for event in before if isinstance(event, PrizesAwarded))
    pile = [card for event in (*taken, award) if event.seat == award.seat for card in event.prizes]
    return voice.rules.explain(tuple(pile))


def describe_prize(voice: Voice, fresh: Cards, pot: Cards, number: int) -> str:
    if voice.faces.is_signed and pot:
        return say("all-of-it")
    return voice.faces.taken_prize(fresh, number - 1)


def compare_bids(voice: Voice, bids: dict[Seat, Bid], winner: Seat, award: PrizesAwarded) -> str:
    """Tell how the winning bid compares with the other bids."""
    high = voice.describe_own(winner, bids[winner])
    below = [seat for seat in bids if seat != winner]
    if not below:
        return say("alone", card=high)
    best = bids[winner].cards
    if len(bids) == 2 and not voice.faces.is_signed:
        wraps = voice.is_circular and voice.rules.strength(best[0]) < voice.rules.strength(bids[below[0]].cards[0])
        low = voice.describe_own(below[0], bids[below[0]])
        return say("beats-circular" if wraps else "beats", high=high, low=low)
    alike = [seat for seat in bids if suit(best[0]) and rank(bids[seat].cards[0]) == rank(best[0])]
    if len(alike) > 1:
        first = award.prizes[-1]
        return say(
            "equal-rank",
            count=capitalize(spelled(len(alike))),
            rank=rank_word(rank(best[0])),
            card=high,
            suit=voice.faces.suit_card(str(first)[-1], ""),
        )
    if best[0] == ACE_HIGH:
        second = max(below, key=lambda seat: voice.rules.strength(bids[seat].cards[0]))
        return say("beats", high=high, low=voice.describe_own(second, bids[second]))
    return say("lowest" if award.points < 0 and voice.faces.is_signed else "highest", card=high)


def tell_tie(voice: Voice, events: Sequence[Event], bids: dict[Seat, Bid], number: int) -> list[str]:
    """Tell a round without a single highest bid, and what the tie rule does with the prize."""
    fates = [event for event in events if isinstance(event, FATES)]
    parts, told_count = [describe_equal(voice, events, bids)], 1
    if fates:
        fate = fates[0]
        lost = next((event for event in fates[1:] if isinstance(event, PrizesLost)), None)
        if isinstance(fate, PrizesCarried) and lost is not None:  # the deal ended with it: there is no pot any more
            fate, told_count = lost, 2
        id = {PrizesShared: "split", PrizesCarried: "joins-pot", PrizesLost: "discarded"}[type(fate)]
        each = format_points(fate.each) if isinstance(fate, PrizesShared) else ""
        parts.append(tell_fate(voice, id, fate.prizes, number, events, each))
    tied = next((event.seats for event in events if isinstance(event, Tied)), ())
    if voice.hides_bids(bids):
        parts.append(say("hidden"))
    elif not voice.is_cancelling:
        parts += voice.list_bids(bids, [seat for seat in bids if seat not in tied])
    elif any(len(bid.cards) > 1 for bid in bids.values()):
        parts += voice.list_bids(bids, list(bids))
    return [*parts, *tell_unsold(voice, events, number, told_count)]


def describe_equal(voice: Voice, events: Sequence[Event], bids: dict[Seat, Bid]) -> str:
    tied = next((event.seats for event in events if isinstance(event, Tied)), ())
    if voice.hides_bids(bids) or not tied:
        return say("tie-hidden")
    if voice.is_cancelling and len(bids) > 2:
        return join_sentences(tell_cancelled(voice, bids, list(bids)))
    if len(bids) == 2:
        return say("ties", **_name_tied_bids(voice, bids))
    return say("tie-at", names=voice.name_seats(tied), card=voice.faces.plain_bid(bids[tied[0]]))


def tell_fate(voice: Voice, id: str, prizes: Cards, number: int, events: Sequence[Event], each: str = "") -> str:
    """Tell with the sentence of this id what becomes of prizes that no seat takes; `each` is the share of a seat."""
    id += "-switched" if any(isinstance(event, HandsSwitched) for event in events) else ""
    return capitalize(say(id, n=len(prizes), prizes=describe_prizes(voice, prizes, number), each=each))


def describe_prizes(voice: Voice, prizes: Cards, number: int) -> str:
    if voice.faces.is_dressed or voice.faces.is_signed:
        return voice.faces.prize_list(prizes, number - 1)
    text = voice.faces.prize_list(voice.faces.sort_coming(prizes))
    return say("the-prize", card=text) if isinstance(prizes[0], int) else text


def tell_unsold(voice: Voice, events: Sequence[Event], number: int, told_count: int) -> list[str]:
    """Tell the prizes that were left at the end of the deal. The first `told_count` events are told by the tie."""
    parts: list[str] = []
    fates = [event for event in events if isinstance(event, FATES)]
    for event in fates[told_count:]:
        stays = isinstance(event, PrizesCarried)
        if stays and len(event.prizes) > MAX_NAMED_PRIZES:  # they lie on view in full below
            parts.append(say("stays-many", n=len(event.prizes)))
        else:
            parts.append(tell_fate(voice, "stays" if stays else "unsold", event.prizes, number, ()))
    return parts


def tell_bid_again(voice: Voice, events: Sequence[Event], started: SubRoundStarted) -> list[str]:
    """Tell the bids of `events`, and that they led to a sub-round."""
    bids = read_bids(events)
    if voice.sale is None:
        return tricks.tell_bid_again(voice, events, started)
    if not started.spent:
        again = say("again-all", prizes=voice.faces.prize_list(voice.exposed))
        return [*tell_cancelled(voice, bids, list(bids)), again]
    return [say("again-spent", prizes=voice.faces.prize_list(voice.exposed), **_name_tied_bids(voice, bids))]


def _name_tied_bids(voice: Voice, bids: dict[Seat, Bid]) -> dict[str, str]:
    """Return the tied bids of two seats, the reader's first, for example "your ♠9" and "Ben's ♥9"."""
    mine, other = sorted(bids, key=lambda seat: seat != voice.you)[:2]
    second = voice.describe_own(other, bids[other], is_named=mine == voice.you)
    return {"first": voice.describe_own(mine, bids[mine]), "second": second}


def tell_picks(voice: Voice, events: Sequence[Event]) -> list[str]:
    """Tell in what order seats pick prizes, and what they have picked so far."""
    bids = read_bids(events)
    cancelled = read_cancelled(events)
    alone = sorted(
        (seat for seat in bids if seat not in cancelled),
        key=lambda seat: sum(map(voice.rules.strength, bids[seat].cards)),
        reverse=True,
    )
    sums = [sum(map(voice.rules.strength, bid.cards)) for bid in bids.values()]
    has_tie = any(sums.count(total) > 1 for total in sums)
    if has_tie and not cancelled:
        parts, alone = [say("tie-all")], []
    else:
        parts = tell_cancelled(voice, bids, cancelled)
    pickers = alone[: voice.sale.pickers] if voice.sale is not None else alone
    if len(pickers) > 1 and len(bids) > 2:  # a card alone does not tell its seat
        parts.append(say("pick-order", bids=", ".join(describe_bid(voice, seat, bids[seat]) for seat in pickers)))
    elif len(pickers) > 1:
        first, second = (voice.describe_own(seat, bids[seat]) for seat in pickers)
        parts.append(say("picks-first" if voice.you in pickers else "in-order", first=first, second=second))
    elif pickers:
        parts.append(voice.say_about(pickers[0], "highest-of", card=voice.faces.bid(pickers[0], bids[pickers[0]])))
    picks = [
        voice.say_about(event.seat, "took", prize=voice.faces.prize(event.prize))
        for event in events
        if isinstance(event, PickMade)
    ]
    if picks:
        parts.append(", ".join(picks) + ".")
    return [*parts, *voice.list_bids(bids, sorted(seat for seat in alone if seat not in pickers))]


def describe_bid(voice: Voice, seat: Seat, bid: Bid) -> str:
    name = say("you-within") if seat == voice.you else voice.names[seat]
    return say("with-bid", name=name, bid=voice.faces.bid(seat, bid))


def tell_cancelled(voice: Voice, bids: dict[Seat, Bid], cancelled: Sequence[Seat]) -> list[str]:
    """Tell which seats cancelled each other, in groups of equal bids."""
    groups: dict[int, list[Seat]] = {}
    for seat in cancelled:
        if seat in bids:
            groups.setdefault(sum(map(voice.rules.strength, bids[seat].cards)), []).append(seat)
    if cancelled and not groups:
        return [say("cancel-hidden")]
    if len(groups) == 1 and len(cancelled) == len(bids) > 2:
        return [say("all-tie", count=spelled(len(bids)), card=voice.faces.plain_bid(bids[cancelled[0]]))]
    return [
        say("cancel", names=voice.name_seats(groups[size]), card=voice.faces.plain_bid(bids[groups[size][0]]))
        for size in sorted(groups, reverse=True)
    ]
