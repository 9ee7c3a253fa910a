"""A person's live matches, those that wait for them first; private."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.referee.model.views import MatchView, RecentView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREY, Button, Menu, MenuOption, Message, Node, Row, Section, Text, joined, row
from bot.ui.story import lines
from bot.ui.story.lines import timed
from bot.ui.text.names import MANY, Names, clean, names_of
from bot.ui.text.sentences import say
from bot.ui.text.stamps import about, day_words

PAGE = 10
LONGEST = 100
"""Characters of a menu option."""
MOST_NAMED = 3
"""so many people are named; more are counted"""


def games_list(views: Sequence[MatchView], page: int = 0) -> Message:
    """Each view as the person sees it."""
    title = say("games-title")
    if not views:
        return Message(content=say("games-none"))
    ordered = sorted(views, key=lambda view: (not waits(view), view.deadline is None, view.deadline or view.opened))
    pages = -(-len(ordered) // PAGE)
    page = min(max(page, 0), pages - 1)
    shown = ordered[page * PAGE : (page + 1) * PAGE]
    crowded = sum(len(view.seats) for view in shown) >= MANY
    sections: list[Node] = [_section(view, names_of(view, crowded)) for view in shown]
    pager = Row(
        (
            Button(say("back"), match_ids.games(page - 1, "back"), enabled=page > 0),
            Button(say("next"), match_ids.games(page + 1, "next"), enabled=page < pages - 1),
        )
    )
    return Message(body=(Text(title), *sections, _resign_menu(shown, page), pager), essence=title)


def match_row(view: MatchView, now: datetime) -> str:
    """One match in a picker: #K7Q2 · Ben · your bid is open · 58 minutes left. Pickers know no marks."""
    data = {"m": view.id, "names": _opponents(view)}
    if not waits(view):
        return say("row-wait", waited=", ".join(clean(seat.name) for seat in view.awaited), **data)
    if view.deadline is None:
        return say("row-open", **data)
    return say("row-open-until", left=about(max(view.deadline - now, timedelta())), **data)


def finished_row(match: RecentView) -> str:
    """One finished match in a picker: #K7Q2 · Ben."""
    others = ", ".join(clean(name) for seat, (_, name) in enumerate(match.people) if seat != match.seat)
    return say("games-row", m=match.id, names=others)


def _resign_menu(views: Sequence[MatchView], page: int) -> Row:
    """The matches of a page, to give one up."""
    options = tuple(
        MenuOption(say("games-row", m=view.id, names=_opponents(view))[:LONGEST], view.id) for view in views
    )
    return row(Menu(match_ids.games(page, "resign"), say("games-resign"), options))


def _opponents(view: MatchView) -> str:
    """The others of a match, where no marks are known; a daily deal is called one."""
    names = ", ".join(clean(seat.name) for seat in view.seats if seat.seat != view.seat)
    return names if view.day is None else say("daily-row", names=names)


def waits(view: MatchView) -> bool:
    """Whether this match waits for its viewer."""
    return view.own is not None and view.own.awaited and not view.over


def _section(view: MatchView, names: Names) -> Section:
    you = 0 if view.seat is None else view.seat
    against = lines.opponents(view, names, you)
    if view.day is not None:
        first = say("games-daily", m=view.id, names=against, x=day_words(view.day))
    elif view.private:
        first = say("games-practice", m=view.id, names=against)
    else:
        first = say("games-one", m=view.id, names=against, channel=lines.channel(view))
    if waits(view):
        second = timed("games-pick" if lines.picking(view) else "games-open", view, edited=False)
    elif len(view.awaited) > MOST_NAMED:
        second = say("games-wait-of", n=len(view.awaited), most=len(view.seats))
    else:
        second = say("games-wait", names=names.all(seat.seat for seat in view.awaited))
    label = say("pick" if lines.picking(view) and waits(view) else "bid")
    return Section(joined(first, second), Button(label, match_ids.board(view.id, "bid"), BLUE if waits(view) else GREY))
