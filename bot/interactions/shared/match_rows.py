"""Rows of matches for autocomplete and menus."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.engine.variants import find_game
from bot.referee.model.daily import number_of
from bot.referee.model.views import MatchView, RecentView
from bot.ui.text.names import clean_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about
from bot.ui.text.terms import short_name


def match_row(view: MatchView, now: datetime) -> str:
    """Return the row of a live match: "#K7Q2 · Ben · your bid is open · 58 minutes left". Rows show no Markdown."""
    data = {"m": view.id, "names": list_opponents(view)}
    if is_past_deadline(view, now):
        return say("row-unruled", **data)
    if not is_awaited(view):
        return say("row-wait", waited=", ".join(clean_name(seat.name) for seat in view.awaited), **data)
    if view.deadline is None:
        return say("row-open", **data)
    return say("row-open-until", left=format_about(max(view.deadline - now, timedelta())), **data)


def finished_row(match: RecentView) -> str:
    """Return the row of a finished match: "#K7Q2 · Pico · Ben"."""
    others = ", ".join(clean_name(name) for seat, (_, name) in enumerate(match.people) if seat != match.seat)
    return say("games-row", m=match.id, game=short_name(find_game(match.game)), names=others)


def list_opponents(view: MatchView) -> str:
    """Return the names of the viewer's opponents without Markdown. A daily deal is named as such."""
    names = ", ".join(clean_name(seat.name) for seat in view.seats if seat.seat != view.seat)
    return names if view.day is None else say("daily-row", n=number_of(view.day), names=names)


def is_player(view: MatchView) -> bool:
    """Return True if the viewer sits in this match and has not left it."""
    return view.own is not None and not view.own.left


def is_awaited(view: MatchView) -> bool:
    """Return True if this match waits for its viewer."""
    return view.own is not None and view.own.awaited and not view.over


def is_past_deadline(view: MatchView, now: datetime) -> bool:
    """Return True if the clock of this match has run out and only a press on its board can end the round."""
    return view.outside and view.deadline is not None and view.deadline <= now
