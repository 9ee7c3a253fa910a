"""Reveal sentences for prizes: taken, tied for, split, carried, lost, picked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.engine.auction import Auction
from bot.engine.cards import ACE_HIGH, Seat, rank, spoken, suit
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
from cogs.ui import tricks
from cogs.ui.events import bids_of, cancelled_of, capital, rank_word, sentences, signed
from cogs.ui.names import listed
from cogs.ui.sentences import say

if TYPE_CHECKING:
    from cogs.ui.reveal import Teller


def award(
    teller: Teller, events: Sequence[Event], bids: dict[Seat, Bid], award: PrizesAwarded, played: Round, number: int
) -> list[str]:
    fresh = tuple(card for card in award.prizes if card in played.prizes)
    pot = award.prizes[: len(award.prizes) - len(fresh)]
    winner = award.seat
    hidden = teller.hidden(bids)
    cancelled = cancelled_of(events)
    with_card = bool(cancelled) and not hidden and not teller.three_way
    data = {
        "prize": prize_text(teller, fresh, pot, number),
        "pot": teller.faces.prizes(pot, number - 1),
        "points": signed(award.points),
        "card": "" if hidden or winner not in bids else teller.faces.plain_bid(bids[winner]),
    }
    key = "takes" + ("-pot" if pot and not teller.faces.signed else "") + ("-with" if with_card else "")
    if not teller.additive:
        key = key.removesuffix("-with") + "-plain"
    takes = teller.by(winner, key, **data)
    if hidden:
        parts = [takes, say("hidden")]
    else:
        reasons = struck_out(teller, bids, cancelled) if cancelled else [compared(teller, bids, winner, award)]
        rest = [seat for seat in bids if seat != winner and seat not in cancelled]
        others = teller.others(bids, rest) if len(bids) > 2 else []
        parts = [*reasons, takes, *others]
    if not teller.faces.signed:
        return parts
    story = sentences(parts)
    if pot:
        pot_text = listed([teller.faces.prize(card) for card in pot])
        return [say("label-pot", prize=teller.faces.prizes(fresh), pot=pot_text, story=story)]
    return [say("label", prize=teller.faces.prizes(fresh), story=story)]


def prize_text(teller: Teller, fresh: Cards, pot: Cards, number: int) -> str:
    if teller.faces.signed and pot:
        return say("all-of-it")
    return teller.faces.taken(fresh, number - 1)


def compared(teller: Teller, bids: dict[Seat, Bid], winner: Seat, award: PrizesAwarded) -> str:
    """Why nobody else took it."""
    high = teller.own(winner, bids[winner])
    below = [seat for seat in bids if seat != winner]
    if not below:
        return say("alone", card=high)
    best = bids[winner].cards
    if len(bids) == 2 and not teller.faces.signed:
        turned = teller.circular and teller.rules.strength(best[0]) < teller.rules.strength(bids[below[0]].cards[0])
        return say("beats-circular" if turned else "beats", high=high, low=teller.own(below[0], bids[below[0]]))
    alike = [seat for seat in bids if suit(best[0]) and rank(bids[seat].cards[0]) == rank(best[0])]
    if len(alike) > 1:
        first = award.prizes[-1]
        return say(
            "equal-rank",
            count=say(("two", "three", "four")[len(alike) - 2]),
            rank=rank_word(rank(best[0])),
            card=high,
            suit=teller.faces.suited(str(first)[-1], ""),
        )
    if best[0] == ACE_HIGH:
        second = max(below, key=lambda seat: teller.rules.strength(bids[seat].cards[0]))
        return say("beats", high=high, low=teller.own(second, bids[second]))
    return say("lowest" if award.points < 0 and teller.faces.signed else "highest", card=high)


def tie(teller: Teller, events: Sequence[Event], bids: dict[Seat, Bid], number: int) -> list[str]:
    """Nobody stood alone at the top, and the tie rule decided."""
    fates = [event for event in events if isinstance(event, PrizesShared | PrizesCarried | PrizesLost)]
    parts = [equal(teller, events, bids)]
    if fates:
        fate = fates[0]
        id = {PrizesShared: "split", PrizesCarried: "joins-pot", PrizesLost: "discarded"}[type(fate)]
        each = spoken(fate.each) if isinstance(fate, PrizesShared) else ""
        parts.append(fate_of(teller, id, fate.prizes, number, events, each))
    tied = next((event.seats for event in events if isinstance(event, Tied)), ())
    if teller.hidden(bids):
        parts.append(say("hidden"))
    elif not teller.cancelling:
        parts += teller.others(bids, [seat for seat in bids if seat not in tied])
    elif len(bids) > 2:
        parts += teller.others(bids, list(bids))
    return [*parts, *unsold(teller, events, number, 1)]


def equal(teller: Teller, events: Sequence[Event], bids: dict[Seat, Bid]) -> str:
    tied = next((event.seats for event in events if isinstance(event, Tied)), ())
    if teller.hidden(bids) or not tied:
        return say("tie-hidden")
    if teller.cancelling and len(bids) > 2:
        return say("tie-all")
    if len(bids) == 2:
        mine, other = sorted(tied, key=lambda seat: seat != teller.you)
        return say("ties", first=teller.own(mine, bids[mine]), second=teller.own(other, bids[other]))
    return say("tie-at", names=teller.who(tied), card=teller.faces.plain_bid(bids[tied[0]]))


def fate_of(teller: Teller, id: str, prizes: Cards, number: int, events: Sequence[Event], each: str = "") -> str:
    id += "-switched" if any(isinstance(event, HandsSwitched) for event in events) else ""
    return capital(say(id, n=len(prizes), prizes=several(teller, prizes, number), each=each))


def several(teller: Teller, prizes: Cards, number: int) -> str:
    if teller.faces.dressed:
        return teller.faces.prizes(prizes, number - 1)
    if teller.faces.signed:
        return listed([teller.faces.prize(card) for card in prizes])
    text = listed([teller.faces.prize(card) for card in teller.faces.coming(prizes)])
    return say("the-prize", card=text) if isinstance(prizes[0], int) else text


def unsold(teller: Teller, events: Sequence[Event], number: int, told: int) -> list[str]:
    """Prizes that went out when the deal ended, besides those that a tie was about."""
    lost = [event for event in events if isinstance(event, PrizesLost | PrizesCarried | PrizesShared)][told:]
    return [
        fate_of(teller, "stays" if isinstance(event, PrizesCarried) else "unsold", event.prizes, number, ())
        for event in lost
    ]


def bid_again(teller: Teller, events: Sequence[Event], again: SubRoundStarted, number: int) -> list[str]:
    bids = bids_of(events)
    if not isinstance(teller.rules, Auction):
        return tricks.again(teller, events, again)
    if not again.spent:
        return [say("again-all")]
    mine, other = sorted(bids, key=lambda seat: seat != teller.you)[:2]
    return [
        say(
            "again-spent",
            first=teller.own(mine, bids[mine]),
            second=teller.own(other, bids[other]),
            prizes=teller.faces.prizes(teller.exposed),
        )
    ]


def picks(teller: Teller, events: Sequence[Event], number: int) -> list[str]:
    bids = bids_of(events)
    cancelled = cancelled_of(events)
    alone = sorted(
        (seat for seat in bids if seat not in cancelled),
        key=lambda seat: sum(map(teller.rules.strength, bids[seat].cards)),
        reverse=True,
    )
    tied = any(len([1 for other in bids.values() if other == bid]) > 1 for bid in bids.values())
    if tied and not cancelled:
        parts, alone = [say("tie-all")], []
    else:
        parts = struck_out(teller, bids, cancelled)
    pickers = alone[: teller.rules.pickers] if isinstance(teller.rules, Auction) else alone
    if len(pickers) > 1 and len(bids) > 2:  # a bare card would not tell whose it is
        parts.append(say("pick-order", bids=", ".join(bid_of(teller, seat, bids[seat]) for seat in pickers)))
    elif len(pickers) > 1 and teller.you in pickers:
        first, second = (teller.own(seat, bids[seat]) for seat in pickers)
        parts.append(say("picks-first", first=first, second=second))
    elif len(pickers) > 1:
        text = teller.own(pickers[0], bids[pickers[0]])
        for seat in pickers[1:]:
            text = say("then", first=text, second=teller.own(seat, bids[seat]))
        parts.append(say("in-order", bids=text))
    elif pickers:
        parts.append(say("highest", card=teller.own(pickers[0], bids[pickers[0]])))
    took = [
        teller.by(event.seat, "took", prize=teller.faces.prize(event.prize))
        for event in events
        if isinstance(event, PickMade)
    ]
    if took:
        parts.append(", ".join(took) + ".")
    return [*parts, *teller.others(bids, sorted(seat for seat in alone if seat not in pickers))]


def bid_of(teller: Teller, seat: Seat, bid: Bid) -> str:
    name = say("you-within") if seat == teller.you else teller.names[seat]
    return say("with-bid", name=name, bid=teller.faces.bid(seat, bid))


def struck_out(teller: Teller, bids: dict[Seat, Bid], cancelled: Sequence[Seat]) -> list[str]:
    """Who struck each other out, in groups of equal bids."""
    groups: dict[int, list[Seat]] = {}
    for seat in cancelled:
        if seat in bids:
            groups.setdefault(sum(map(teller.rules.strength, bids[seat].cards)), []).append(seat)
    if cancelled and not groups:
        return [say("cancel-hidden")]
    if teller.three_way:
        return [say("equal", names=teller.who(group)) for group in groups.values()]
    return [
        say("cancel", names=teller.who(groups[size]), card=teller.faces.plain_bid(bids[groups[size][0]]))
        for size in sorted(groups, reverse=True)
    ]
