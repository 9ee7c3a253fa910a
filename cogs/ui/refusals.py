"""Why something was refused, as a sentence: `Refused` of the referee and `Refusal` of the engine alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from bot.engine.cards import Card, Seat, face
from bot.engine.state import Cards
from bot.engine.variants import GAMES
from bot.errors import RecordError, Refusal, Refused
from bot.referee.views import MatchView
from cogs.ui import names as naming
from cogs.ui.events import capital
from cogs.ui.faces import Faces
from cogs.ui.lines import faces_of
from cogs.ui.message import Message
from cogs.ui.names import listed, names_of
from cogs.ui.outcome import ordinal_word, phrase
from cogs.ui.result import cause
from cogs.ui.sentences import knows, say
from cogs.ui.stamps import relative

PEOPLE = frozenset({"name", "names", "host"})
TYPED = frozenset({"x", "y", "reason", "why"})
"""what a person typed or a file holds"""
DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "too-many-live-you": {"n": 10},
    "too-many-live-them": {"n": 10},
    "which-match": {"m": "K7Q2"},
    "challenge-gone": {"how": say("how-gone")},
}
"""what stands there where a refusal does not say it"""
ALIASES: Mapping[str, str] = {"too-many": "too-many-cards", "too-few": "too-few-cards"}


def told(error: Refused | Refusal | RecordError, view: MatchView | None = None, **more: Any) -> str:
    """The sentence for an error. `view` is the match as the person it is told to sees it; `more` adds to its data.

    People may be given as names or as seats, times as datetimes, cards as the record writes them.
    """
    if isinstance(error, RecordError):
        return say("record-unreadable", n=1, why=naming.quoted(str(error), 200))
    data: dict[str, Any] = {**error.data, **more}
    id = ALIASES.get(error.id, error.id)
    if id == "stale-button" and not data.get("link"):
        id = "stale-here"  # there is no board to lead to
    if view is not None:
        data = _about_match(view, data)
        if isinstance(error, Refusal) and id in _ENGINE:
            id, data = _ENGINE[id](view, data)
    id, data = _completed(id, data)
    return _said(id, {key: _spoken(key, value, view) for key, value in data.items()})


def _completed(id: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What the sentence needs and the data says in another way."""
    if "t" not in data:
        at = next((value for value in data.values() if isinstance(value, datetime)), None)
        data = data if at is None else {**data, "t": at}
    if id == "match-over" and "result" not in data:
        winner = data.get("winner")
        result = say("over-drawn") if winner is None else say("over-won", name=_people(winner, None))
        data = {**data, "result": result}
    elif id == "match-stopped" and "reason" not in data:
        id = "match-stopped-bare"
    elif id == "unknown-option" and "list" not in data:
        options = [option.key for game in GAMES if game.name == data.get("game") for option in game.options]
        id = id if options else "option-elsewhere"
        data = {**data, "list": ", ".join(options)}
    elif id == "stale-button" and not data.get("link"):
        id = "stale-here"
    elif id == "stale-console" and not isinstance(data.get("r"), int):
        id = "stale-console-old"
    elif id == "card-spent" and not isinstance(data.get("r"), int):
        id = "card-spent-before"
    elif id == "not-awaited" and not data.get("names"):
        id = "not-awaited-now"
    elif id == "asked-already" and not data.get("link"):
        id = "asked-already-bare"
    elif id == "not-your-pick" and data.get("ordinal") is None:
        id = "no-pick"
    return id, data


def refusal(error: Refused | Refusal | RecordError, view: MatchView | None = None, **more: Any) -> Message:
    """The same as a private answer."""
    return Message(content=told(error, view, **more))


def sentence(id: str, **data: Any) -> str:
    """A sentence of the catalogue whose data may be names, times or lists."""
    return _said(id, {key: _spoken(key, value, None) for key, value in data.items()})


def _said(id: str, data: Mapping[str, object]) -> str:
    if not knows(id):
        return say("refused")
    try:
        return capital(say(id, **{**DEFAULTS.get(id, {}), **data}))
    except (KeyError, IndexError):
        return say("refused")


# --- data into words -----------------------------------------------------------------------------------------


def _spoken(key: str, value: Any, view: MatchView | None) -> object:
    if isinstance(value, datetime):
        return relative(value)
    if key in PEOPLE:
        return _people(value, view)
    if key == "option" and isinstance(value, str):
        return value.replace("_", " ")
    if key == "how":
        return say(f"how-{value}")
    if key == "channel" and isinstance(value, int):
        return f"<#{value}>"
    if key in ("channels", "roles") and isinstance(value, Sequence) and not isinstance(value, str):
        mark = "#" if key == "channels" else "@&"
        return listed([f"<{mark}{item}>" if isinstance(item, int) else str(item) for item in cast("Any", value)])
    if key in TYPED and isinstance(value, str):
        return naming.quoted(value)
    if isinstance(value, list | tuple):
        return listed([str(item) for item in cast("Sequence[object]", value)])
    return value


def _people(value: Any, view: MatchView | None) -> str:
    """Names, or seats of this match; already finished text stays as it is."""
    if isinstance(value, str):
        return value if value.startswith(("\u2068", "<@")) else naming.shown(value)
    if isinstance(value, int):
        return names_of(view)[value] if view is not None and value < len(view.seats) else f"<@{value}>"
    return listed([_people(item, view) for item in cast("Sequence[Any]", value)])


def _about_match(view: MatchView, data: dict[str, Any]) -> dict[str, Any]:
    """What every sentence about a match may name."""
    names = names_of(view)
    known: dict[str, Any] = {
        "m": view.id,
        "now": view.round,
        "r": view.round,
        "channel": view.channel,
        "game": view.rules.game.name,
    }
    if view.over:
        known["result"] = phrase(view, names)
        known["reason"] = cause(view)
    else:
        known["names"] = [seat.seat for seat in view.awaited if seat.seat != view.seat]
        if not known["names"]:
            del known["names"]
    if isinstance(view.seen.turns, tuple) and view.seen.turns:
        known["name"] = view.seen.turns[0]
    return {**known, **data}


# --- what the engine says, in the interface's words ----------------------------------------------------------

Told = tuple[str, dict[str, Any]]


def _card_spent(view: MatchView, data: dict[str, Any]) -> Told:
    """Names the round in which it went."""
    number = _round_of(view, data.get("seat"), str(data.get("card")))
    if number is None:
        return "card-spent-before", data
    return "card-spent", {**data, "r": number}


def _round_of(view: MatchView, seat: Seat | None, written: str) -> int | None:
    if seat is None:
        return None
    for number, played in enumerate(view.seen.rounds, 1):
        for bids in (*played.again, played.bids):
            bid = bids[seat]
            if bid is not None and any(_same(view, card, written) for card in bid.cards):
                return number
    return None


def _same(view: MatchView, card: Card, written: str) -> bool:
    """The engine wrote the card with its own faces."""
    return face(card) == written or faces_of(view).card(card) == written


def _card_switched(view: MatchView, data: dict[str, Any]) -> Told:
    other = next((seat.seat for seat in view.seats if seat.seat != data.get("seat")), 0)
    return "card-switched", {**data, "name": other}


def _not_awaited(view: MatchView, data: dict[str, Any]) -> Told:
    return "not-awaited", data


def _not_your_pick(view: MatchView, data: dict[str, Any]) -> Told:
    turns, seat = view.seen.turns, data.get("seat", view.seat)
    data["name"] = data.get("next", turns[0] if turns else 0)
    if seat not in turns:
        return "no-pick", data
    return "not-your-pick", {**data, "ordinal": ordinal_word(turns.index(seat) + 1)}


def _prize_gone(view: MatchView, data: dict[str, Any]) -> Told:
    faces = faces_of(view)
    return "prize-gone", {**data, "prize": data.get("card", ""), "prizes": _prizes(faces, view.seen.exposed)}


def _prizes(faces: Faces, exposed: Cards) -> str:
    return " ".join(map(faces.prize, faces.coming(exposed)))


def _over(view: MatchView, data: dict[str, Any]) -> Told:
    if view.over and view.outcome is not None and not view.outcome.termination.counts:
        return "match-stopped", data
    return ("match-over" if view.over else "not-awaited-now"), data


_ENGINE: Mapping[str, Callable[[MatchView, dict[str, Any]], Told]] = {
    "card-spent": _card_spent,
    "card-switched": _card_switched,
    "not-awaited": _not_awaited,
    "not-your-pick": _not_your_pick,
    "prize-gone": _prize_gone,
    "match-over": _over,
    "deal-over": _over,
    "already-chosen": lambda view, data: ("not-awaited-now", data),
    "no-such-seat": lambda view, data: ("not-in-match", data),
}
