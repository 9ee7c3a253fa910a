"""What a moderator is asked before a match is stopped, decided or taken out of the ratings: the reason, which the
players read. Nothing is done before the form is sent in, so it is the question, too."""

from __future__ import annotations

from bot.referee.model.views import MatchView
from bot.referee.server.moderating import LONGEST_REASON
from bot.ui.custom_ids import server_ids
from bot.ui.message import Field, Modal
from bot.ui.story.outcome import phrase_within, score
from bot.ui.text.names import names_of
from bot.ui.text.sentences import say


def stop_form(view: MatchView, reason: str = "") -> Modal:
    id = "ask-stop" if len(view.seats) == 2 else "ask-stop-all"
    question = say(id, m=view.id, names=_everybody(view))
    return _form(server_ids.stop(view.id), say("form-stop", m=view.id), question, reason)


def void_form(view: MatchView, reason: str = "") -> Modal:
    names, winner = names_of(view), view.outcome.winner if view.outcome is not None else None
    text = phrase_within(view, names)
    if len(view.seats) == 2 and winner is not None:
        text = say("score-of", first=names[winner], second=names[1 - winner], score=score(view, winner))
    question = say("ask-void", m=view.id, result=text)
    return _form(server_ids.void(view.id), say("form-void", m=view.id), question, reason)


def decide_form(view: MatchView, winner: int, reason: str = "") -> Modal:
    """`winner` is a person, 0 a draw."""
    names = names_of(view)
    seat = next((seat.seat for seat in view.seats if seat.user == winner and winner), None)
    if seat is None:
        question = say("ask-decide-draw", m=view.id, names=_everybody(view))
    else:
        question = say("ask-decide", m=view.id, name=names[seat])
    return _form(server_ids.decide(view.id, winner), say("form-decide", m=view.id), question, reason)


def _everybody(view: MatchView) -> str:
    return names_of(view).all(range(len(view.seats)))


def _form(id: str, title: str, question: str, reason: str) -> Modal:
    field = Field(
        server_ids.REASON_FIELD,
        say("form-reason"),
        reason[:LONGEST_REASON],
        most=LONGEST_REASON,
        note=say("form-reason-note"),
    )
    return Modal(id, title, (field,), question)
