"""Why a press had no effect: engine refusals and stale presses as `RefereeError`, with their data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.engine.cards import Card, Seat
from bot.engine.choices import Bid, Choice
from bot.engine.refusals import RuleError
from bot.errors import RefereeError
from bot.referee.model.participant import has_former_player
from bot.referee.repository.live import Live


def cards_text(live: Live, cards: Sequence[Card]) -> str:
    return " ".join(live.rules.face(card) for card in dict.fromkeys(cards))


def choice_text(live: Live, choice: Choice) -> str:
    """Return a choice for people: K, or 9 + 2."""
    cards = choice.cards if isinstance(choice, Bid) else (choice.prize,)
    return " + ".join(live.rules.face(card) for card in cards)


def names_of(live: Live, seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return the names of the players in these seats, unescaped."""
    return tuple(live.stored.seats[seat].name for seat in seats)


def match_over(live: Live) -> RefereeError:
    """Return the error for a press on a finished match."""
    stored = live.stored
    if stored.placings is None:
        return RefereeError("match-stopped", m=stored.id)
    winner = None if stored.winner is None else stored.seats[stored.winner].name
    can_repeat = not has_former_player(seat.user for seat in stored.seats)
    return RefereeError("match-over", m=stored.id, winner=winner, can_repeat=can_repeat)


def stale_press(live: Live, seat: Seat, prompt: int, at: datetime) -> RefereeError:
    """Return the error for a press on an older prompt: it was too late, or the key is old."""
    turn = live.turns[prompt] if 0 <= prompt < len(live.turns) else None
    now = live.place[1] + 1
    if turn is None:
        return RefereeError("stale-console", now=now)
    decided = turn.decisions.get(seat)
    latest = prompt == _latest_asked(live, seat)
    if decided is not None and latest:
        card = choice_text(live, decided[0])
        if seat in turn.late:
            return RefereeError("clock-ran-out", card=card)
        if at <= live.stored.opened:
            return RefereeError("clock-revealed" if turn.late else "already-revealed", r=turn.round + 1, card=card)
    return RefereeError("stale-console", r=turn.round + 1, now=now)


def _latest_asked(live: Live, seat: Seat) -> int:
    """Return the newest finished turn in which this seat decided."""
    return max((number for number, turn in enumerate(live.turns) if seat in turn.decisions), default=-1)


def too_late(live: Live, seat: Seat) -> RefereeError:
    """Return the error for a press after the deadline, within the grace period."""
    state = live.match.state
    sealed = live.stored.seal_of(seat)
    if sealed is not None and state is not None:
        kept = live.rules.read_choice(state, seat, sealed.choice)
        return RefereeError("already-revealed", r=live.place[1] + 1, card=choice_text(live, kept))
    return RefereeError("clock-ran-out", card=choice_text(live, live.prompts[seat].lowest()))


def seat_not_asked(live: Live, seat: Seat) -> RefereeError:
    """Return the error for a seat that is not asked now."""
    state = live.match.state
    if state is not None and state.turns:
        turns = list(dict.fromkeys(state.turns))
        if seat in turns:
            place = turns.index(seat) + 1
            return RefereeError("not-your-pick", name=names_of(live, turns[:1])[0], ordinal=_ordinal(place))
    return RefereeError("not-awaited", names=names_of(live, live.awaited))


def illegal_choice(live: Live, seat: Seat, choice: Choice, refusal: RuleError) -> RefereeError:
    """Return the error for a choice that the engine refused."""
    state = live.match.state
    assert state is not None
    prompt = live.prompts[seat]
    data: dict[str, Any] = dict(refusal.data)
    hand = cards_text(live, prompt.options)
    if refusal.id == "seat-spent-card":
        spent = {"card": data["card"], "r": _spent_in(live, seat, choice)}
        if live.stored.setup.place == "board":  # a key there is enabled while any seat holds its card
            return RefereeError("table-card-spent", **spent, hand=hand)
        return RefereeError("card-spent", **spent)
    if refusal.id == "seat-lacks-card":
        return RefereeError("card-not-held", card=data["card"], hand=hand)
    if refusal.id == "seat-lost-card":
        return RefereeError("card-switched", card=data["card"], name=live.stored.seats[1 - seat].name)
    if refusal.id == "prize-not-open":
        return RefereeError("prize-gone", prize=data["card"], prizes=hand)
    if refusal.id in ("bid-too-small", "bid-too-large"):
        return RefereeError(
            "too-few-cards" if refusal.id == "bid-too-small" else "too-many-cards", k=data["k"], n=data["n"]
        )
    if refusal.id == "seat-set-card-aside":
        return RefereeError("card-aside", card=data["card"], round=data["round"])
    if refusal.id == "ace-bare":
        return RefereeError("ace-undeclared")
    return RefereeError("stale-button", link="")


def _spent_in(live: Live, seat: Seat, choice: Choice) -> int | None:
    """Return the round of this deal in which a card was spent; None for an earlier deal."""
    wanted = {live.rules.card(card) for card in choice.cards} if isinstance(choice, Bid) else set[Card]()
    for turn in reversed(live.turns):
        made = turn.decisions.get(seat)
        bid = made[0] if made is not None and turn.deal == live.place[0] else None
        if isinstance(bid, Bid) and wanted & {live.rules.card(card) for card in bid.cards}:
            return turn.round + 1
    return None


def _ordinal(place: int) -> str:
    return {1: "now", 2: "next", 3: "third"}.get(place, f"{place}th")
