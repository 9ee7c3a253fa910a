"""A person's live matches, those first that wait for that person. Private."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.interactions.shared.match_rows import is_awaited, is_past_deadline, is_player, list_opponents
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREY, Button, Menu, MenuOption, Message, Node, Row, Section, Text, join_lines, make_row
from bot.ui.story import lines
from bot.ui.story.lines import say_with_deadline
from bot.ui.text.names import MANY, Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_date

PAGE = 10
LONGEST = 100
"""Characters of a menu option."""
MOST_NAMED = 3
"""The most people who are named; more are counted."""


def games_list(views: Sequence[MatchView], now: datetime, page: int = 0) -> Message:
    """Return a page of the list; each view is as the person sees it."""
    title = say("games-title")
    if not views:
        return Message(content=say("games-none"))
    ordered = sorted(
        views, key=lambda view: (not is_awaited(view), view.deadline is None, view.deadline or view.opened)
    )
    pages = -(-len(ordered) // PAGE)
    page = min(max(page, 0), pages - 1)
    shown = ordered[page * PAGE : (page + 1) * PAGE]
    crowded = sum(len(view.seats) for view in shown) >= MANY
    sections: list[Node] = [_section(view, make_names(view, crowded), now) for view in shown]
    pager = Row(
        (
            Button(say("back"), match_ids.games(page - 1, "back"), enabled=page > 0),
            Button(say("next"), match_ids.games(page + 1, "next"), enabled=page < pages - 1),
        )
    )
    played = [view for view in shown if is_player(view)]
    menu = [_resign_menu(played, page)] if played else []
    return Message(body=(Text(title), *sections, *menu, pager), essence=title)


def _resign_menu(views: Sequence[MatchView], page: int) -> Row:
    """Return the menu that gives up a match of this page."""
    options = tuple(
        MenuOption(say("games-row", m=view.id, names=list_opponents(view))[:LONGEST], view.id) for view in views
    )
    return make_row(Menu(match_ids.games(page, "resign"), say("games-resign"), options))


def _section(view: MatchView, names: Names, now: datetime) -> Section:
    you = 0 if view.seat is None else view.seat
    against = lines.name_players(view, names, you)
    if view.day is not None:
        first = say("games-daily", m=view.id, names=against, x=format_date(view.day))
    elif view.private:
        first = say("games-practice", m=view.id, names=against)
    else:
        first = say("games-one", m=view.id, names=against, channel=f"<#{view.channel}>")
    if is_past_deadline(view, now):
        second = say("games-unruled")
    elif is_awaited(view):
        second = say_with_deadline("games-pick" if lines.is_picking(view) else "games-open", view, edited=False)
    elif len(view.awaited) > MOST_NAMED:
        second = say("games-wait-of", n=len(view.awaited), most=len(view.seats))
    else:
        second = say("games-wait", names=names.join_names(seat.seat for seat in view.awaited))
    label = say("pick" if lines.is_picking(view) and is_awaited(view) else "bid")
    if view.own is not None and view.own.left:
        label, second = say("watch"), say("games-left", waiting=second)
    return Section(
        join_lines(first, second), Button(label, match_ids.board(view.id, "bid"), BLUE if is_awaited(view) else GREY)
    )
