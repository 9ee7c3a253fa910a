"""The best players of a server, and where the asker stands."""

from __future__ import annotations

from bot.referee.query.views import LeaderboardRow, LeaderboardView
from cogs.records import ids
from cogs.ui.message import Button, Menu, MenuOption, Message, Node, Row, Separator, Text, row
from cogs.ui.words.names import shown
from cogs.ui.words.numbers import ordinal
from cogs.ui.words.offers import pool_name
from cogs.ui.words.sentences import say

MOST_OPTIONS = 25


def leaderboard(view: LeaderboardView, *, public: bool = False) -> Message:
    """One page; `public` is the copy for everyone, without pagers and without the asker's own line."""
    title = say("leaderboard-title", pool=pool_name(view.pool))
    if not view.rows and not view.size:
        return Message(content=say("empty-board"))
    rows = "\n".join(map(_line, view.rows)) or say("empty-board")
    if public:
        return Message(body=(Text(title), Text(rows)), essence=title)
    body: list[Node] = [Text(title), Text(rows), Separator(), Text(_own(view))]
    if view.pools:
        options = tuple(MenuOption(pool_name(pool), pool, "", pool == view.pool) for pool in view.pools[:MOST_OPTIONS])
        body.append(row(Menu(ids.pool(), say("which-pool"), options)))
    body.append(_controls(view))
    return Message(body=tuple(body), essence=title)


def _line(place: LeaderboardRow) -> str:
    id = "leaderboard-new" if place.provisional else "leaderboard-line"
    name = shown(place.name, number=place.place)
    return say(id, place=place.place, name=name, shown=place.shown, played=place.played, won=place.won)


def _own(view: LeaderboardView) -> str:
    own = view.own
    if own is None:
        return say("leaderboard-you-none")
    return say("leaderboard-you", place=ordinal(own.place), size=view.size, shown=own.shown)


def _controls(view: LeaderboardView) -> Row:
    pool, page = view.pool, view.page
    return row(
        Button(say("back"), ids.leaderboard(pool, page - 1, "back"), enabled=page > 0),
        Button(say("next"), ids.leaderboard(pool, page + 1, "next"), enabled=page < view.pages - 1),
        Button(say("my-place"), ids.leaderboard(pool, page, "mine"), enabled=view.own is not None),
        Button(say("show-everyone"), ids.leaderboard(pool, page, "all")),
    )
