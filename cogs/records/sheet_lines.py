"""A round on the score sheet: as sentences with names, or as one line of a grid with numbers."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import JOKER, Seat, format_points
from bot.engine.choices import Bid
from bot.engine.events import (
    Bids,
    CardsCaptured,
    CardScored,
    Event,
    PickMade,
    PrizesAwarded,
    PrizesCarried,
    PrizesLost,
    PrizesShared,
)
from bot.engine.state import Round
from bot.referee.model.views import DealView, MatchView
from bot.ui.story.events import events_since_last_call, format_gain
from bot.ui.story.tricks import count_captured
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names
from bot.ui.text.sentences import say

NOBODY, CARRIED, SHARED, SEVERAL, HIDDEN = "-", ">", "=", "*", "?"
"""Marks of the grid's last column, which its legend explains."""


def round_lines(view: MatchView, deal: DealView, faces: Faces, names: Names) -> list[list[str]]:
    """Return the lines of each round: its bids, and every further bid after a tie as a line of its own."""
    seen, told = view.seen, list[list[str]]()
    for number, played in enumerate(deal.rounds, 1):
        calls = [_bids(bids, faces, names) for bids in (*played.again, played.bids)]
        told.append(_lines(number, _prizes(played, number, faces), calls, _fate(view, played, names)))
    if not view.over and deal.number == view.deal and seen.again:
        calls = [_bids(bids, faces, names) for bids in seen.again]
        told.append(_lines(len(deal.rounds) + 1, faces.prizes(seen.exposed), calls, say("sheet-bid-again")))
    return told


def _lines(number: int, prize: str, calls: Sequence[str], fate: str) -> list[str]:
    """Return a line for each call of bids: the first has the prize, the last what became of it."""
    fates = [*[say("sheet-bid-again")] * (len(calls) - 1), fate]
    lines: list[str] = []
    for sub, (bids, then) in enumerate(zip(calls, fates, strict=True)):
        id = "sheet-line-none" if sub or not prize else "sheet-line"
        lines.append(say(id, n=_label(number, sub), prize=prize, bids=bids, fate=then))
    return lines


def _label(number: int, sub: int) -> str:
    return f"{number}{chr(ord('a') + sub - 1)}" if sub else str(number)


def _prizes(played: Round, number: int, faces: Faces) -> str:
    if len(played.prizes) > 1 and JOKER not in played.prizes:
        return " ".join(faces.prize(card, number - 1) for card in faces.sort_coming(played.prizes))
    return faces.prizes(played.prizes, number - 1)


def _bids(bids: Bids, faces: Faces, names: Names) -> str:
    told: list[str] = []
    for seat, bid in enumerate(bids):
        if bid is not None:
            cards = faces.own_card(seat, bid.cards[0]) if len(bid.cards) == 1 else faces.bid_total(bid.cards)
            told.append(say("sheet-bid", name=names[seat], bid=cards))
    return ", ".join(told) or say("sheet-hidden")


def _fate(view: MatchView, played: Round, names: Names) -> str:
    """Return who gained what, or what became of the prize."""
    told: list[str] = []
    events = events_since_last_call(played.events)
    lost = any(isinstance(event, PrizesLost) for event in events)  # together with what was carried
    for event in events:
        match event:
            case PrizesAwarded(seat, _, points):
                worth = view.seen.worth is not None or points
                told.append(_gain(names, seat, format_gain(points)) if worth else say("sheet-took", name=names[seat]))
            case PickMade(seat, _, points) | CardScored(seat, _, points):
                told.append(_gain(names, seat, format_gain(points)))
            case PrizesShared(_, _, each):
                told.append(say("sheet-split", each=format_points(each)))
            case PrizesCarried() if not lost:
                told.append(say("sheet-carried"))
            case PrizesLost():
                told.append(say("sheet-discarded"))
            case CardsCaptured(seat):
                told.append(say("sheet-cards", name=names[seat], n=count_captured(played, event)))
            case _:
                pass
    return ", ".join(dict.fromkeys(told)) or say("sheet-void")


def _gain(names: Names, seat: Seat, points: str) -> str:
    return say("sheet-gain", name=names[seat], points=points)


# --- the grid ------------------------------------------------------------------------------------------------


def grid_rows(view: MatchView, deal: DealView, faces: Faces) -> tuple[str, list[str]]:
    """Return head and lines, at most 36 wide. Columns are seat numbers, so that no name can break them."""
    seats = range(view.rules.seats)
    cells: list[list[str]] = []
    for number, played in enumerate(deal.rounds, 1):
        every = (*played.again, played.bids)
        for sub, bids in enumerate(every):
            prize = _grid_prize(played, faces) if not sub else ""
            to = _grid_to(played.events) if sub == len(every) - 1 else ""
            cells.append([_label(number, sub), prize, *(_grid_bid(view, bids[seat], faces) for seat in seats), to])
    width = max([2, *(len(cell) for row in cells for cell in row[2:-1])])
    head = ["rd", "prize", *(str(seat + 1) for seat in seats), "to"]
    return _row(head, width), [_row(row, width) for row in cells]


def _row(cells: Sequence[str], width: int) -> str:
    label, prize, *bids, to = cells
    return f"{label:>3}{prize:>6}" + "".join(f"{bid:>{width + 1}}" for bid in bids) + f"{to:>3}"


def _grid_prize(played: Round, faces: Faces) -> str:
    cards = [JOKER if card == JOKER else faces.label(card) for card in played.prizes]
    text = "+".join(cards)
    return text if len(text) <= 5 else f"{len(cards)} up"


def _grid_bid(view: MatchView, bid: Bid | None, faces: Faces) -> str:
    """Return one card, or the sum of several."""
    if bid is None:
        return HIDDEN if view.rules.hides_bids or view.rules.shows_bids_once else ""
    cards = list(bid.cards)
    if len(cards) > 1:
        return str(sum(map(view.rules.strength, cards)))
    text = faces.label(cards[0])
    return text if len(text) <= 3 else str(cards[0])  # a declared Ace as the record has it: A+


def _grid_to(events: Sequence[Event]) -> str:
    """Return the number of the seat that takes the prize, or the mark of what became of it."""
    gainers = {
        event.seat for event in events if isinstance(event, PrizesAwarded | PickMade | CardScored | CardsCaptured)
    }
    if len(gainers) == 1:
        return str(gainers.pop() + 1)
    if gainers:
        return SEVERAL
    if any(isinstance(event, PrizesShared) for event in events):
        return SHARED
    return CARRIED if any(isinstance(event, PrizesCarried) for event in events) else NOBODY
