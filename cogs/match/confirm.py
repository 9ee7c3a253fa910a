"""Questions before something that cannot be undone: the dangerous answer is red and first, the safe one grey."""

from __future__ import annotations

from bot.referee.match.draws import GAP, NextOffer
from bot.referee.match.resignation import Quitting
from bot.referee.model.daily import number_of
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, RED, Button, Message, make_row
from bot.ui.screens.board import draw_line
from bot.ui.screens.keys import draw_row
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say


def resign_question(view: MatchView, comes_to: Quitting = Quitting.RESIGNED) -> Message:
    """Ask about giving up. With one other player left the match ends; with more of them the seat is played on.

    Before the first reveal it may stop the match. A daily deal is lost at any time: there is one try.
    """
    if view.day is not None:
        what = "halt" if comes_to is Quitting.FREE else "resign"
        question = say("daily-ask-give-up", n=number_of(view.day))
        return _ask(question, what, view.id, "daily-give-up", "keep-playing")
    if comes_to is Quitting.FREE:
        return _ask(say("ask-stop-free", m=view.id), "halt", view.id, "stop-early", "keep-playing")
    others = [seat.seat for seat in view.seats if seat.seat != view.seat and not seat.left]
    if len(others) > 1:
        question = say("ask-leave-practice" if view.is_practice else "ask-leave", m=view.id)
        return _ask(question, "resign", view.id, "leave-match", "keep-playing")
    if comes_to in (Quitting.OFTEN, Quitting.HAND):
        return _ask(say(f"ask-stop-{comes_to.value}", m=view.id), "resign", view.id, "stop-early", "keep-playing")
    names, other = make_names(view), others[0]
    id = "ask-resign" if view.setup.rated else "ask-resign-unrated"
    return _ask(say(id, m=view.id, name=names[other]), "resign", view.id, "resign", "keep-playing")


def draw_question(view: MatchView, again: NextOffer) -> Message:
    """Ask about an offer, or show the one that stands. `again`: when the next offer may be made."""
    names = make_names(view)
    if view.draw is not None:
        return Message(content=draw_line(view, names), body=draw_row(view))
    others = [seat.seat for seat in view.seats if seat.seat != view.seat and not seat.left]
    id = "ask-draw" if len(others) == 1 else "ask-draw-all"
    word = view.rules.round_word
    question = say(id, names=names.join_names(others), round=word, again=say(f"again-{again.when}", n=GAP, round=word))
    return _ask(question, "draw", view.id, "offer-draw", "not-now", danger=False)


def done_message(id: str, **data: object) -> Message:
    """Return what replaces the question after a yes; `id` names a sentence."""
    return Message(content=say(id, **data))


def resigned_message(view: MatchView, id: str) -> Message:
    """Return what replaces the question about leaving a match after a yes. A daily deal has used up its try."""
    return done_message(id, m=view.id) if view.day is None else done_message("daily-given-up", n=number_of(view.day))


def unchanged_message() -> Message:
    """Return what replaces the question after a no."""
    return Message(content=say("nothing-changed"))


def _ask(text: str, what: str, about: str, yes: str, no: str, danger: bool = True) -> Message:
    yes_button = Button(say(yes), match_ids.confirm(what, about, yes=True), RED if danger else BLUE)
    return Message(
        content=text, body=(make_row(yes_button, Button(say(no), match_ids.confirm(what, about, yes=False))),)
    )
