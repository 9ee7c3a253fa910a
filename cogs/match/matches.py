"""Commands about one's own matches: games, show, resign, draw, rematch, and the questions they ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from discord import app_commands

from bot.errors import Refused
from bot.interactions.channel_checks import check_place
from bot.interactions.client import GopsClient
from bot.interactions.commands import Rows, command, picker
from bot.interactions.component import On, press
from bot.interactions.context import Asked
from bot.interactions.shared.board_button import over
from bot.interactions.shared.match_rows import match_choices, match_row, plays
from bot.messages.render import board_message
from bot.messages.surfaces import board_among
from bot.referee.model.model import StoredMatch, Surface, SurfaceKind, SurfaceState
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.text.links import link_to
from cogs.match import confirm
from cogs.match.games_list import games_list
from cogs.match.table_keys import show_anew

MATCH = "Match code, like K7Q2"
SHOW_PAUSE = timedelta(minutes=2)


@picker
async def complete_match(asked: Asked, current: str) -> Rows:
    """One's own live matches, those that wait first; none that one has left."""
    return await _live_rows(asked, current, plays)


@picker
async def complete_draw(asked: Asked, current: str) -> Rows:
    """The same without practice: the house agrees to no draw."""
    return await _live_rows(asked, current, lambda view: plays(view) and not view.practice)


@picker
async def complete_show(asked: Asked, current: str) -> Rows:
    """The same with a board in this server."""
    return await _live_rows(asked, current, lambda view: not view.private and view.guild == asked.where.guild)


async def _live_rows(asked: Asked, current: str, fits: Callable[[MatchView], bool]) -> Rows:
    views = await asked.referee.views.of_person(asked.user)
    now = asked.referee.clock.now()
    return match_choices([(view.id, match_row(view, now)) for view in views if fits(view)], current)


@command("games", "Your live matches, those waiting for you first")
async def games(asked: Asked) -> None:
    await asked.answer.send(games_list(await asked.referee.views.of_person(asked.user), asked.referee.clock.now()))


@press(match_ids.GAMES)
async def games_turned(asked: Asked) -> None:
    page, what = match_ids.read_games(asked.parts)
    if what == "resign":
        await _ask_resign(asked, await _mine(asked, asked.value))
        return
    views = await asked.referee.views.of_person(asked.user)
    await asked.answer.update(games_list(views, asked.referee.clock.now(), page))


@command("show", "Post a match's board again, here at the bottom")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_show)
async def show(asked: Asked, match: str | None = None) -> None:
    services = asked.services
    referee, publisher = services.referee, services.publisher
    await check_place(asked)
    live = await referee.find.here(asked.user, match, asked.where.guild, asked.where.channel)
    view = await referee.views.of(live.stored.id)
    if view.private and live.stored.seat_of(asked.user) is None:
        raise Refused("unknown-match", x=view.id)
    if not view.private and view.guild != asked.where.guild:
        raise Refused("elsewhere", m=view.id)
    if view.over:
        raise over(view)
    if view.private:
        raise Refused("show-private", m=view.id)
    board = await _board(asked, view.id)
    now = referee.clock.now()
    lately = board is not None and board.state is SurfaceState.LIVE and now - board.posted < SHOW_PAUSE
    if board is not None and lately and not view.outside:  # where nobody can look whether it is still there
        raise Refused("show-lately", link=link_to(view.guild, board.channel, board.message))
    if board is not None and view.at_table:
        await show_anew(asked, board, view)
        return
    posted = await asked.answer.send(board_message(view), private=False)
    if posted is None:
        return
    if board is None:
        board = Surface(view.id, SurfaceKind.BOARD, 0, asked.where.channel, posted, 0, now)
        await referee.surfaces.put(replace(board, shown=view.version))
        return
    await publisher.boards.adopt(board, view, posted, asked.where.channel)
    await publisher.boards.leave_pointer(board, view, posted)


async def _board(asked: Asked, id: str) -> Surface | None:
    surfaces = await asked.referee.store.surfaces(id)
    return board_among(surfaces)


@command("resign", "Give up a match; you are asked to confirm")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_match)
async def resign(asked: Asked, match: str | None = None) -> None:
    await _ask_resign(asked, await _mine(asked, match))


async def _ask_resign(asked: Asked, view: MatchView) -> None:
    await asked.answer.send(confirm.resign(view, await asked.referee.matches.quitting(view.id, asked.user)))


@command("draw", "Offer the others a draw")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_draw)
async def draw(asked: Asked, match: str | None = None) -> None:
    view = await _mine(asked, match, lambda stored: not stored.practice, "draw-house")
    if view.practice:
        raise Refused("draw-house")
    again = await asked.referee.matches.may_offer(view.id, asked.user)
    await asked.answer.send(confirm.draw(view, again))


async def _mine(
    asked: Asked, code: str | None, fits: Callable[[StoredMatch], bool] = lambda _: True, unfit: str = "no-match"
) -> MatchView:
    """The live match a command is about, with a seat of the one who asks; `fits`: whether the command can do it.

    `unfit` is the refusal where it can do it with none of their matches.
    """
    referee = asked.referee
    live = await referee.find.live(asked.user, code, fits, unfit)
    view = await referee.views.of(live.stored.id, asked.user)
    if view.seat is None:
        raise Refused("not-in-match", m=view.id)
    if view.over:
        raise over(view)
    return view


@press(match_ids.CONFIRM, on=On.QUESTION)
async def confirmed(asked: Asked) -> None:
    """The answer to a question. What was asked is checked again: it may be out of date."""
    what, id, yes = match_ids.read_confirm(asked.parts)
    if not yes:
        await asked.answer.update(confirm.unchanged())
        return
    try:
        if what == "resign":
            after = await asked.referee.matches.resign(id, asked.user)
            done = confirm.resigned(after, "done-resign" if len(after.seats) == 2 or after.over else "done-leave")
        elif what == "halt":
            done = confirm.resigned(await asked.referee.matches.resign(id, asked.user, free=True), "done-stop")
        elif what == "draw":
            view = await asked.referee.matches.offer_draw(id, asked.user)
            done = confirm.done("done-draw")
            await _tell_offer(asked, view)
        else:
            raise Refused("expired-question")
    except Refused as refusal:
        if refusal.id in ("match-over", "match-stopped", "not-in-match"):
            raise Refused("expired-question") from refusal
        raise
    finally:
        asked.services.publisher.wake(id)
    await asked.answer.update(done)


async def _tell_offer(asked: Asked, view: MatchView) -> None:
    if view.draw is None:
        return
    others = [seat for seat in view.seats if seat.user and seat.seat not in view.draw.agreed and not seat.left]
    await asked.services.publisher.notices.offer_draw(view, others)


async def setup(bot: GopsClient) -> None:
    bot.offer(games, show, resign, draw)
    bot.answer(games_turned, confirmed)
