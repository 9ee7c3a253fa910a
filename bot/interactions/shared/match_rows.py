"""Matches as rows of autocomplete and menus."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from discord import app_commands

from bot.interactions.commands import Rows
from bot.referee.model.views import MatchView, RecentView
from bot.ui.text.names import clean_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about


def match_choices(rows: Sequence[tuple[str, str]], current: str) -> Rows:
    """The rows that contain what was typed so far."""
    wanted = current.strip().lstrip("#").lower()
    found = [(id, row) for id, row in rows if wanted in row.lower()]
    return [app_commands.Choice(name=row[:100], value=id) for id, row in found[:25]]


def match_row(view: MatchView, now: datetime) -> str:
    """One match in a picker: #K7Q2 · Ben · your bid is open · 58 minutes left. Pickers know no marks."""
    data = {"m": view.id, "names": opponents_of(view)}
    if is_past_deadline(view, now):
        return say("row-unruled", **data)
    if not is_awaited(view):
        return say("row-wait", waited=", ".join(clean_name(seat.name) for seat in view.awaited), **data)
    if view.deadline is None:
        return say("row-open", **data)
    return say("row-open-until", left=format_about(max(view.deadline - now, timedelta())), **data)


def finished_row(match: RecentView) -> str:
    """One finished match in a picker: #K7Q2 · Ben."""
    others = ", ".join(clean_name(name) for seat, (_, name) in enumerate(match.people) if seat != match.seat)
    return say("games-row", m=match.id, names=others)


def opponents_of(view: MatchView) -> str:
    """The others of a match, where no marks are known; a daily deal is called one."""
    names = ", ".join(clean_name(seat.name) for seat in view.seats if seat.seat != view.seat)
    return names if view.day is None else say("daily-row", names=names)


def is_player(view: MatchView) -> bool:
    """Return True if the viewer sits in this match and has not left it."""
    return view.own is not None and not view.own.left


def is_awaited(view: MatchView) -> bool:
    """Whether this match waits for its viewer."""
    return view.own is not None and view.own.awaited and not view.over


def is_past_deadline(view: MatchView, now: datetime) -> bool:
    """Whether its clock has run out where nothing but a press on the board settles that."""
    return view.outside and view.deadline is not None and view.deadline <= now
