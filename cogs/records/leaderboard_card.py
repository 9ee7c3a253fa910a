"""The best players of a server, and where the asker stands."""

from __future__ import annotations

from bot.errors import RefereeError
from bot.interactions.commands import Rows, autocomplete, filter_rows
from bot.interactions.context import InteractionContext
from bot.referee.model.seasons import Season
from bot.referee.model.views import LeaderboardRow, LeaderboardView
from bot.referee.people.people import ALL_TIME
from bot.ui.custom_ids import records_ids
from bot.ui.message import Button, Menu, MenuOption, Message, Node, Row, Separator, Text, join_lines, make_row
from bot.ui.text.catalogue.numbers import ordinal
from bot.ui.text.names import format_name
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time, season_name

MOST_OPTIONS = 25


def leaderboard(view: LeaderboardView, *, public: bool = False) -> Message:
    """Return one page; `public` is the copy for everyone, without pagers and without the person's own line."""
    title = _title(view)
    if not view.rows and not view.size and not view.seasons:
        return Message(content=say("empty-board"))
    rows = "\n".join(map(_line, view.rows)) or say("empty-board" if view.season is None else "season-empty")
    notes = _notes(view)
    if public:
        return Message(body=(Text(title), Text(join_lines(rows, notes))), essence=title)
    body: list[Node] = [Text(title), Text(rows), Separator(), Text(join_lines(_own(view), notes))]
    season = 0 if view.season is None else view.season.number
    if view.pools:
        options = tuple(MenuOption(pool_name(pool), pool, "", pool == view.pool) for pool in view.pools[:MOST_OPTIONS])
        body.append(make_row(Menu(records_ids.pool(season), say("which-pool"), options)))
    if view.seasons:
        body.append(make_row(Menu(records_ids.season(view.pool), say("which-season"), _seasons(view, season))))
    body.append(_controls(view, season))
    return Message(body=tuple(body), essence=title)


def _title(view: LeaderboardView) -> str:
    pool = pool_name(view.pool)
    if view.season is not None:
        return say("leaderboard-title-season", pool=pool, season=season_name(view.season))
    return say("leaderboard-all-time" if view.seasons else "leaderboard-title", pool=pool)


def _notes(view: LeaderboardView) -> str:
    if view.season is None:
        return ""
    if not view.season.over:
        return say("season-ends", t=format_time(view.season.ends))
    return join_lines(say("season-over"), say("season-voided", n=view.voided) if view.voided else "")


def _seasons(view: LeaderboardView, chosen: int) -> tuple[MenuOption, ...]:
    """Return the seasons of a menu: all time first, then the newest."""
    return (
        MenuOption(say("all-time"), "0", "", not chosen),
        *(
            MenuOption(season_option(season), str(season.number), "", season.number == chosen)
            for season in view.seasons[: MOST_OPTIONS - 1]
        ),
    )


def season_option(one: Season) -> str:
    """Return the name of a season in a menu."""
    return season_name(one) if one.over else say("season-option-going", season=season_name(one))


def _line(place: LeaderboardRow) -> str:
    id = "leaderboard-new" if place.provisional else "leaderboard-line"
    name = format_name(place.name, number=place.place)
    return say(id, place=place.place, name=name, shown=place.shown, played=place.played, won=place.won)


def _own(view: LeaderboardView) -> str:
    own = view.own
    if own is None:
        return say("leaderboard-you-none" if view.season is None else "season-you-none")
    data = {"place": ordinal(own.place), "size": view.size, "shown": own.shown}
    if view.moved is None:
        return say("leaderboard-you", **data)
    if not view.moved:
        return say("leaderboard-you-same", **data)
    return say("leaderboard-you-up" if view.moved > 0 else "leaderboard-you-down", n=abs(view.moved), **data)


def _controls(view: LeaderboardView, season: int) -> Row:
    pool, page = view.pool, view.page
    return make_row(
        Button(say("back"), records_ids.leaderboard(pool, page - 1, "back", season), enabled=page > 0),
        Button(say("next"), records_ids.leaderboard(pool, page + 1, "next", season), enabled=page < view.pages - 1),
        Button(say("my-place"), records_ids.leaderboard(pool, page, "mine", season), enabled=view.own is not None),
        Button(say("show-everyone"), records_ids.leaderboard(pool, page, "all", season)),
    )


@autocomplete
async def complete_season(context: InteractionContext, current: str) -> Rows:
    """Offer all time and the seasons of this server, newest first."""
    seasons = await context.referee.seasons.load_all(context.guild)
    rows = [(season_option(season), str(season.number)) for season in seasons]
    return filter_rows([(say("all-time"), str(ALL_TIME)), *rows], current)


async def season_of(context: InteractionContext, typed: str | None) -> int | None:
    """Return the number of a typed season, or None if none was typed."""
    if typed is None:
        return None
    named = typed.strip().lower()
    for season in await context.referee.seasons.load_all(context.guild):
        if named in (str(season.number), season_name(season).lower(), season_option(season).lower()):
            return season.number
    if named in (str(ALL_TIME), say("all-time").lower()):
        return ALL_TIME
    raise RefereeError("unknown-season")
