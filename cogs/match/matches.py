"""Commands about the person's own matches: games, show, resign, draw, their list and their questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.channel_checks import check_place
from bot.interactions.commands import Rows, autocomplete, command, filter_rows
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.console_pages import end_page, is_on_console
from bot.interactions.shared.match_rows import is_awaited, is_past_deadline, is_player, list_opponents, match_row
from bot.interactions.shared.pressed_board import repost_board
from bot.interactions.shared.private_question import keep_private_answer, pressed_question, send_question
from bot.referee.model.daily import number_of
from bot.referee.model.model import StoredMatch
from bot.referee.model.surfaces import SurfaceState
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREY, Button, Menu, MenuOption, Message, Node, Row, Section, Text, join_lines, make_row
from bot.ui.screens.refusals import describe_error, match_over_error
from bot.ui.story import lines
from bot.ui.text.names import MANY, Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to
from bot.ui.text.terms import game_title
from cogs.match import confirm
from cogs.match.boards import draw_question, resign_question

MATCH = "Match code, like K7Q2 (default: your match)"
SHOW_PAUSE = timedelta(minutes=2)


@autocomplete
async def complete_match(context: InteractionContext, current: str) -> Rows:
    """Offer the person's live matches, those first that wait for that person."""
    return await _live_rows(context, current, is_player)


@autocomplete
async def complete_draw(context: InteractionContext, current: str) -> Rows:
    """Offer the person's live matches without practice: the house agrees to no draw."""
    return await _live_rows(context, current, lambda view: is_player(view) and not view.is_practice)


@autocomplete
async def complete_show(context: InteractionContext, current: str) -> Rows:
    """Offer the person's live matches that have a board in this server."""
    return await _live_rows(context, current, lambda view: not view.private and view.guild == context.origin.guild)


async def _live_rows(context: InteractionContext, current: str, fits: Callable[[MatchView], bool]) -> Rows:
    views = await context.referee.views.list_views(context.user)
    now = context.referee.clock.now()
    return filter_rows([(match_row(view, now), view.id) for view in views if fits(view)], current)


@command("games", "Your running matches, your turn first")
async def games(context: InteractionContext) -> None:
    await _send_games(context)


async def _send_games(context: InteractionContext) -> None:
    views = await context.referee.views.list_views(context.user)
    await context.answer.send(games_list(views, context.referee.clock.now()))


@component(match_ids.GAMES)
async def turn_games(context: InteractionContext) -> None:
    page, what = match_ids.read_games(context.id_parts)
    if what == "resign":
        context.answer.will_send()
        view = await _find_own_match(context, context.value)
        await send_question(context, view, await resign_question(context, view))
        return
    views = await context.referee.views.list_views(context.user)
    await context.answer.update(games_list(views, context.referee.clock.now(), page))


@command("show", "Repost the board here", match=MATCH)
@app_commands.autocomplete(match=complete_show)
async def show(context: InteractionContext, match: str | None = None) -> None:
    referee = context.referee
    await check_place(context)
    live = await referee.finder.find_here(context.user, match, context.origin.guild, context.origin.channel)
    view = await referee.views.view(live.stored.id)
    if view.private and live.stored.seat_of(context.user) is None:
        raise RefereeError("unknown-match", x=view.id)
    if not view.private and view.guild != context.origin.guild:
        raise RefereeError("elsewhere", m=view.id)
    if view.over:
        raise match_over_error(await referee.views.view(view.id, context.user))
    if view.private:
        raise RefereeError("show-private", m=view.id)
    board = await referee.surfaces.find_board(view.id)
    lately = board is not None and board.state is SurfaceState.LIVE and referee.clock.now() - board.posted < SHOW_PAUSE
    if board is not None and lately and not view.outside:  # outside the bot cannot see if the board is still there
        raise RefereeError("show-lately", link=link_to(view.guild, board.channel, board.message))
    await repost_board(context, board, view)


@command("resign", "Give up a match (you confirm first)", match=MATCH)
@app_commands.autocomplete(match=complete_match)
async def resign(context: InteractionContext, match: str | None = None) -> None:
    try:
        view = await _find_own_match(context, match)
    except RefereeError as refusal:
        if refusal.id != "which-match":
            raise
        await _send_games(context)  # its menu resigns any of them
        return
    await send_question(context, view, await resign_question(context, view))


@command("draw", "Offer the others a draw", match=MATCH)
@app_commands.autocomplete(match=complete_draw)
async def draw(context: InteractionContext, match: str | None = None) -> None:
    view = await _find_own_match(context, match, lambda stored: not stored.is_practice, "draw-house")
    await send_question(context, view, await draw_question(context, view))


async def _find_own_match(
    context: InteractionContext,
    code: str | None,
    fits: Callable[[StoredMatch], bool] = lambda _: True,
    unfit: str = "no-match",
) -> MatchView:
    """Return the live match of a command, in which the person has a seat. `fits`: the command can do something with the
    match. `unfit` is the refusal if that holds for none of the matches."""
    referee = context.referee
    live = await referee.finder.find_live(context.user, code, fits, unfit)
    view = await referee.views.view(live.stored.id, context.user)
    if view.seat is None:
        raise RefereeError("not-in-match", m=view.id)
    if view.over:
        raise match_over_error(view)
    return view


async def _resign(context: InteractionContext, id: str) -> Message:
    view = await context.referee.matches.resign(id, context.user)
    return confirm.resigned_message(view, "done-resign" if len(view.seats) == 2 or view.over else "done-leave")


async def _stop_early(context: InteractionContext, id: str) -> Message:
    return confirm.resigned_message(await context.referee.matches.resign(id, context.user, free=True), "done-stop")


async def offer_draw(context: InteractionContext, id: str) -> Message:
    view = await context.referee.matches.offer_draw(id, context.user)
    await context.services.publisher.offer_draw(view)
    return confirm.done_message("done-draw", r=view.round, round=view.rules.round_word)


CONFIRMED = {"resign": _resign, "halt": _stop_early, "draw": offer_draw}
"""What a yes does, by the word in the id."""


@component(match_ids.CONFIRM, on=MessageKind.QUESTION)
async def answer_question(context: InteractionContext) -> None:
    """Do what the question asked, if the referee still allows it: the question may be out of date."""
    what, id, yes = match_ids.read_confirm(context.id_parts)
    if await is_on_console(context, id):
        await _answer_on_console(context, what, id, yes)
        return
    publisher = context.services.publisher
    try:
        with pressed_question(context, id):  # the end that it may bring about does not close it
            done = await _answer_question(context, what, id) if yes else confirm.unchanged_message()
    finally:
        publisher.wake(id)
    offered = await context.referee.views.view(id) if yes and what == "draw" else None
    await context.answer.update(done)
    if offered is not None:
        keep_private_answer(context, offered, done.content)
        publisher.wake(id)


async def _answer_on_console(context: InteractionContext, what: str, id: str, yes: bool) -> None:
    """Do what was asked in the place of a console, which comes back."""
    try:
        done = (await _answer_question(context, what, id)).content if yes else ""
    except RefereeError as refusal:
        done = describe_error(refusal, await context.referee.views.view(id, context.user))
    context.services.publisher.wake(id)
    await end_page(context, id, done)


async def _answer_question(context: InteractionContext, what: str, id: str) -> Message:
    """Do it, and return what takes the place of the question. One that is out of date ends, too."""
    try:
        if what not in CONFIRMED:
            raise RefereeError("expired-question")
        return await CONFIRMED[what](context, id)
    except RefereeError as refusal:
        if refusal.id in ("match-over", "match-stopped"):
            return Message(describe_error(match_over_error(await context.referee.views.view(id, context.user))))
        if refusal.id in ("expired-question", "not-in-match"):
            return Message(say("expired-question"))
        raise


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
    pager = make_row(
        Button(say("back"), match_ids.games(page - 1, "back"), enabled=page > 0),
        Button(say("next"), match_ids.games(page + 1, "next"), enabled=page < pages - 1),
    )
    played = [view for view in shown if is_player(view)]
    menu = [_resign_menu(played, page)] if played else []
    return Message(body=(Text(title), *sections, *menu, pager), essence=title)


def _resign_menu(views: Sequence[MatchView], page: int) -> Row:
    """Return the menu that gives up a match of this page."""
    rows = [
        say("games-row", m=view.id, game=game_title(view.rules, is_short=True), names=list_opponents(view))
        for view in views
    ]
    options = tuple(MenuOption(row[:LONGEST], view.id) for row, view in zip(rows, views, strict=True))
    return make_row(Menu(match_ids.games(page, "resign"), say("games-resign"), options))


def _section(view: MatchView, names: Names, now: datetime) -> Section:
    you = 0 if view.seat is None else view.seat
    match = {"m": view.id, "game": game_title(view.rules, is_short=True), "names": lines.name_players(view, names, you)}
    if view.day is not None:
        first = say("games-daily", n=number_of(view.day), **match)
    elif view.private:
        first = say("games-practice", **match)
    else:
        first = say("games-one", channel=f"<#{view.channel}>", **match)
    if is_past_deadline(view, now):
        second = say("games-unruled")
    elif is_awaited(view):
        id = "your-pick" if lines.is_picking(view) else "open"
        second = lines.say_with_deadline(id, view, edited=False, how="until")
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
