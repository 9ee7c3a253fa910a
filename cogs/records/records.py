"""Leaderboard, profile and history. Private; *Show everyone* posts a copy."""

from __future__ import annotations

from discord import app_commands

from bot.engine.counted import ordinal
from bot.engine.variants import GAMES
from bot.errors import RefereeError
from bot.interactions.commands import Rows, UserOption, autocomplete, command, filter_rows, make_choices, user_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared import challenge_options
from bot.interactions.shared.board_button import check_daily_spoiler
from bot.interactions.shared.console_pages import turn_page
from bot.pictures.rating_curve import draw_curve
from bot.referee.model.seasons import LeaderboardRow, Season
from bot.referee.model.views import LeaderboardView, ProfileView
from bot.referee.people.people import ALL_TIME, PAGE
from bot.rest.members import DiscordUser
from bot.ui.custom_ids import records_ids
from bot.ui.message import Button, Menu, MenuOption, Message, Node, Row, Separator, Text, join_lines, make_row
from bot.ui.screens.result import render_result as render_result
from bot.ui.text.names import format_name
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time, season_name
from bot.ui.text.terms import rating_text
from cogs.records.profile_card import Meetings, chart, curve_words
from cogs.records.profile_card import history as history_card
from cogs.records.profile_card import profile as profile_card
from cogs.records.record_files import send_history

RESULTS = ("won", "lost", "drawn")


@autocomplete
async def complete_pool(context: InteractionContext, current: str) -> Rows:
    """Offer the rankings: every game has its own."""
    return filter_rows([(game.name, game.key) for game in GAMES], current)


@autocomplete
async def complete_season(context: InteractionContext, current: str) -> Rows:
    """Offer all time and the seasons of this server, newest first."""
    seasons = await context.referee.seasons.load_all(context.guild)
    rows = [(season_option(season), str(season.number)) for season in seasons]
    return filter_rows([(say("all-time"), str(ALL_TIME)), *rows], current)


@command(
    "leaderboard",
    "The best players of this server",
    game="Type to search (default: server setting)",
    season="Which season, or all time (default: now)",
)
@app_commands.autocomplete(game=complete_pool, season=complete_season)
async def leaderboard(context: InteractionContext, game: str | None = None, season: str | None = None) -> None:
    pool = challenge_options.find_offer_game(game) if game else ""
    await context.answer.send(leaderboard_card(await _page(context, pool, 0, await season_of(context, season))))


async def _page(context: InteractionContext, pool: str, page: int | None, season: int | None) -> LeaderboardView:
    """Return a page as it is stored, and have the names of its people refreshed for the next page."""
    view = await context.referee.people.leaderboard(context.guild, context.user, pool, page, season)
    if view.season is None or not view.season.over:
        context.services.members.refresh(context.guild, [row.user for row in view.rows if row.user != context.user])
    if not view.size and not view.seasons:
        raise RefereeError("empty-board")
    return view


@component(records_ids.LEADERBOARD)
async def turn_leaderboard(context: InteractionContext) -> None:
    """Show another page of a ranking."""
    pool, page, what, season = records_ids.read_leaderboard(context.id_parts)
    public = what == "all"
    if public:
        context.answer.will_send(private=False)
    view = await _page(context, pool, None if what == "mine" else page, season)
    await turn_page(context, leaderboard_card(view, public=public), public=public)


@command("profile", "Ratings and results of a player", player="The player (default: you)")
async def profile(context: InteractionContext, player: UserOption | None = None) -> None:
    await context.answer.send(await _card(context, await _profile(context, player or context.author)))


async def _card(context: InteractionContext, view: ProfileView, public: bool = False) -> Message:
    """Return the profile with its rating chart."""
    if view.curve is None:
        return profile_card(view, public=public)
    graph = await context.services.painter.paint(draw_curve(view.curve.points))
    return profile_card(view, graph=graph, alt=curve_words(view.curve), public=public)


@user_menu("Rating and history")
async def profile_menu(context: InteractionContext, member: DiscordUser) -> None:
    """Show the profile of a person from the menu of that person."""
    await context.answer.send(profile_card(await _profile(context, member)))


async def _profile(context: InteractionContext, who: DiscordUser) -> ProfileView:
    referee = context.referee
    return await referee.people.profile(context.history_guild(who.id), who.id, who.name, context.user)


@component(records_ids.PROFILE)
async def open_profile(context: InteractionContext) -> None:
    """Show a person's history, or their profile to everyone."""
    user, what = records_ids.read_profile(context.id_parts)
    context.answer.will_send(private=what == "history")
    if what == "history":
        await context.answer.send(await _history(context, records_ids.Listing(user), 0))
        return
    guild = context.history_guild(user)
    name = await context.referee.people.find_name(guild, user, context.author.name if user == context.user else "")
    view = await context.referee.people.profile(guild, user, name, context.user)
    await context.answer.send(await _card(context, view, public=True), private=False)


@command(
    "history",
    "Finished matches, newest first",
    player="The player (default: you)",
    game="Only this game (default: all)",
    against="Only against this player (default: all)",
    result="Only with this result (default: all)",
    season="Only of this season (default: all)",
)
@app_commands.choices(result=make_choices({result: say(f"result-{result}") for result in RESULTS}))
@app_commands.autocomplete(game=complete_pool, season=complete_season)
async def history(
    context: InteractionContext,
    player: UserOption | None = None,
    game: str | None = None,
    against: UserOption | None = None,
    result: str = "",
    season: str | None = None,
) -> None:
    key = challenge_options.find_offer_game(game) if game else ""
    user, other = (player or context.author).id, against.id if against is not None else 0
    if other == user:
        raise RefereeError("against-oneself")
    wanted = records_ids.Listing(user, key, result, other, await season_of(context, season) or 0)
    await context.answer.send(await _history(context, wanted, 0, name_of=against))


async def _history(
    context: InteractionContext,
    wanted: records_ids.Listing,
    page: int,
    *,
    public: bool = False,
    name_of: DiscordUser | None = None,
) -> Message:
    people, guild = context.referee.people, context.history_guild(wanted.user)
    name = await people.find_name(guild, wanted.user, context.author.name)
    filtered = (wanted.game, wanted.against, wanted.result, wanted.season)
    matches = await people.history(guild, wanted.user, page, *filtered)
    met: Meetings | None = None
    if wanted.against:
        other = await people.find_name(guild, wanted.against, name_of.name if name_of is not None else "")
        view = await people.head_to_head(guild, wanted.user, wanted.against, wanted.game)
        picture = chart(view, name, other) if view is not None else ""
        met = Meetings(other, view, await context.services.painter.paint(picture) if picture else b"")
    more, own = len(matches) > PAGE, wanted.user == context.user
    return history_card(wanted, name, matches[:PAGE], page=page, more=more, met=met, public=public, own=own)


@component(records_ids.HISTORY)
async def turn_history(context: InteractionContext) -> None:
    """Show another page of a person's matches, or send their records."""
    wanted, page, what = records_ids.read_history(context.id_parts)
    if what == "export":
        if wanted.user != context.user:
            raise stale_button()
        context.answer.will_send()
        await send_history(context)
        return
    if what == "all":
        context.answer.will_send(private=False)
    await turn_page(context, await _history(context, wanted, page, public=what == "all"), public=what == "all")


@component(records_ids.POOL)
async def choose_pool(context: InteractionContext) -> None:
    """Show another ranking."""
    await context.answer.update(
        leaderboard_card(await _page(context, context.value, 0, records_ids.read_pool(context.id_parts)))
    )


@component(records_ids.SEASON)
async def choose_season(context: InteractionContext) -> None:
    """Show the same ranking in another season, or that season's first ranking."""
    if not context.value.isdecimal() or len(context.value) > 9:
        raise stale_button()
    season, pool = int(context.value), records_ids.read_season(context.id_parts)
    view = await _page(context, pool, 0, season)
    if pool not in view.pools:
        view = await _page(context, "", 0, season)
    await context.answer.update(leaderboard_card(view))


@component(records_ids.OPEN)
async def open_match(context: InteractionContext) -> None:
    """Show a match of a person's history."""
    context.answer.will_send()
    live = await context.referee.live(context.value)
    if live.stored.live:
        raise RefereeError("unknown-match", x=context.value)
    view = await context.referee.views.view_live(live, context.user)
    check_daily_spoiler(context, view)
    bystander = view.seat is None
    closed = bystander and not context.referee.finder.is_open(live, context.user, context.origin.guild)
    await context.answer.send(render_result(view, reviewable=view.reviewable, shared=closed, bystander=bystander))


MOST_OPTIONS = 25


def leaderboard_card(view: LeaderboardView, *, public: bool = False) -> Message:
    """Return one page; `public` is the copy for everyone, without pagers and without the person's own line."""
    title = _title(view)
    if not view.rows and not view.size and not view.seasons:
        return Message(content=say("empty-board"))
    rows = "\n".join(map(_row, view.rows)) or say("empty-board" if view.season is None else "season-empty")
    starred = any(row.provisional for row in view.rows) or (
        view.own is not None and view.own.provisional and not public
    )
    notes = join_lines(say("small", text=say("provisional")) if starred else "", _notes(view))
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
    return join_lines(say("season-over"), say("season-unrated", n=view.voided) if view.voided else "")


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


def _row(place: LeaderboardRow) -> str:
    name, shown = format_name(place.name, number=place.place), rating_text(place.shown, provisional=place.provisional)
    return say("leaderboard-line", place=place.place, name=name, shown=shown, played=place.played, won=place.won)


def _own(view: LeaderboardView) -> str:
    own = view.own
    if own is None:
        return say("leaderboard-you-none" if view.season is None else "season-you-none")
    data = {
        "place": ordinal(own.place),
        "size": view.size,
        "shown": rating_text(own.shown, provisional=own.provisional),
    }
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
        Button(say("show-everyone"), records_ids.leaderboard(pool, page, "all", season), is_public=True),
    )


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
