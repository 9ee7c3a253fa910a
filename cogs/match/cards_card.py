"""Every public card: hands, cards spent and won, prizes to come. Private, for anybody."""

from __future__ import annotations

from bot.engine.cards import Seat, format_points
from bot.referee.model.views import MatchView
from bot.ui.message import Message, Separator, Text, join_lines
from bot.ui.story import lines
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say


def cards_card(view: MatchView) -> Message:
    """Return the card for the viewer: it has the viewer's own hand even if hands are private."""
    names, faces = make_names(view), make_faces(view)
    title = say("cards-title", m=view.id)
    people = "\n".join(_seat(view, seat.seat, names, faces) for seat in view.seats)
    rest = join_lines(_coming(view, faces), *_elsewhere(view, faces))
    body = (Text(title), Text(people), Separator(), Text(rest)) if rest else (Text(title), Text(people))
    return Message(body=body, essence=title)


def _seat(view: MatchView, seat: Seat, names: Names, faces: Faces) -> str:
    """Example: "Ana holds 2 5 K; spent 3 7; won ♦9"."""
    seen = view.seen
    hand = seen.hands[seat]
    if hand is None:
        parts = [say("cards-hand-count", name=names[seat], n=seen.held[seat])]
    elif hand:
        parts = [say("cards-hand", name=names[seat], cards=faces.hand(seat, hand))]
    else:
        parts = [say("cards-hand-none", name=names[seat])]
    spent, aside, won = seen.spent[seat], seen.aside[seat], seen.won[seat]
    if spent:
        parts.append(say("cards-spent", cards=faces.hand(seat, sorted(spent, key=view.rules.strength))))
    if seen.tallies:
        parts.append(say("cards-tally", score=format_points(seen.scores[seat]), tally=seen.tallies[seat]))
    if aside:
        parts.append(say("cards-aside", cards=faces.cards(aside)))
    if won:
        parts.append(say("cards-won", cards=faces.cards(faces.sort_coming(won))))
    return " · ".join(parts)


def _coming(view: MatchView, faces: Faces) -> str:
    seen = view.seen
    if view.over or not lines.has_prizes(view) or not seen.stock_left:
        return ""
    if seen.to_come is None:
        return say("cards-to-come-count", n=seen.stock_left)
    if seen.in_order:
        return say("cards-to-come-order", cards=" ".join(map(faces.card, seen.to_come)))
    return lines.say_to_come("cards-to-come", seen, view.rounds_total, faces.cards(faces.sort_coming(seen.to_come)))


def _elsewhere(view: MatchView, faces: Faces) -> list[str]:
    seen = view.seen
    pot = [say("cards-pot", cards=faces.cards(seen.pot))] if seen.pot else []
    out = [say("cards-out", cards=faces.cards(faces.sort_coming(seen.out)))] if seen.out else []
    return [*pot, *out]
