"""Commands about one's own matches: games, show, resign, draw, rematch, and the questions they ask."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
from discord import app_commands

from bot.errors import Refused
from bot.referee.changes import PutSurface
from bot.referee.model import Surface, SurfaceKind
from bot.referee.views import MatchView
from cogs.asked.answer import Answer, answered
from cogs.asked.group import gops
from cogs.asked.press import On, Press, press
from cogs.challenge.rematches import send_rematch
from cogs.match import confirm
from cogs.match.boards import over
from cogs.match.games_list import games_list, match_row
from cogs.places import check_place
from cogs.services import services_of
from cogs.show import moving
from cogs.show.draw import board_message, link_to
from cogs.show.finding import board_among
from cogs.ui import ids

MATCH = "Match code, like K7Q2"
SHOW_PAUSE = timedelta(minutes=2)


async def complete_match(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """One's own live matches, those that wait first. Autocomplete never fails."""
    try:
        views = await services_of(interaction).referee.live_matches(interaction.user.id)
    except Exception:  # trouble in a picker is an empty picker (ui.md 5)
        return []
    wanted = current.strip().lstrip("#").upper()
    now = services_of(interaction).referee.clock.now()
    told = [(view.id, match_row(view, now)) for view in views]
    rows = [(id, row) for id, row in told if wanted in id or wanted.lower() in row.lower()]
    return [app_commands.Choice(name=row[:100], value=id) for id, row in rows[:25]]


@gops.command(name="games", description="Your live matches, those waiting for you first")
async def games(interaction: discord.Interaction[Any]) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        await answer.send(games_list(await services_of(interaction).referee.live_matches(interaction.user.id), 0))

    await answered(answer, work)


@press("gl", f"{ids.NUMBER}:(?:back|next)")
async def games_turned(pressed: Press) -> None:
    page = pressed.number(0)
    await pressed.answer.update(games_list(await pressed.referee.live_matches(pressed.user), page))


@gops.command(name="show", description="Post a match's board again, here at the bottom")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_match)
async def show(interaction: discord.Interaction[Any], match: str | None = None) -> None:
    answer = Answer(interaction, private=False)

    async def work() -> None:
        services = services_of(interaction)
        referee, publisher = services.referee, services.publisher
        await check_place(interaction)
        live = await referee.pick_here(interaction.user.id, match, interaction.channel_id or 0)
        view = await referee.view(live.stored.id)
        if view.private:
            raise Refused(
                "show-private" if live.stored.seat_of(interaction.user.id) is not None else "unknown-match",
                m=view.id,
                x=view.id,
            )
        if view.guild != interaction.guild_id:
            raise Refused("elsewhere", m=view.id)
        if view.over:
            raise over(view)
        board = await _board(interaction, view.id)
        now = referee.clock.now()
        if board is not None and board.state == "live" and now - board.posted < SHOW_PAUSE:
            raise Refused("show-lately", link=link_to(view.guild, board.channel, board.message))
        posted = await answer.send(board_message(view), private=False)
        if posted is None:
            return
        if board is None:
            board = Surface(view.id, SurfaceKind.BOARD, 0, interaction.channel_id or 0, posted, 0, now)
            await referee.write((PutSurface(replace(board, shown=view.version)),))
            return
        await moving.adopt(publisher, board, view, posted, interaction.channel_id or 0)
        await moving.leave_pointer(publisher, board, view, posted)

    await answered(answer, work)


async def _board(interaction: discord.Interaction[Any], id: str) -> Surface | None:
    surfaces = await services_of(interaction).referee.store.surfaces(id)
    return board_among(surfaces)


@gops.command(name="resign", description="Give up a match; you are asked to confirm")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_match)
async def resign(interaction: discord.Interaction[Any], match: str | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        await answer.send(confirm.resign(await _mine(interaction, match)))

    await answered(answer, work)


@gops.command(name="draw", description="Offer the others a draw")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_match)
async def draw(interaction: discord.Interaction[Any], match: str | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        view = await _mine(interaction, match)
        if view.practice:
            raise Refused("draw-house")
        await answer.send(confirm.draw(view))

    await answered(answer, work)


async def _mine(interaction: discord.Interaction[Any], code: str | None) -> MatchView:
    """The live match a command is about, with a seat of the one who asks."""
    referee = services_of(interaction).referee
    live = await referee.pick_live(interaction.user.id, code)
    view = await referee.view(live.stored.id, interaction.user.id)
    if view.seat is None:
        raise Refused("not-in-match", m=view.id)
    if view.over:
        raise over(view)
    return view


@press("cf", f"[a-z]{{4,6}}:{ids.MATCH}:{ids.YES_NO}", on=On.QUESTION)
async def confirmed(pressed: Press) -> None:
    """The answer to a question. What was asked is checked again: it may be out of date."""
    what, id, yes = pressed.part(0), pressed.part(1), pressed.part(2) == "y"
    if not yes:
        await pressed.answer.update(confirm.unchanged())
        return
    try:
        if what == "resign":
            after = await pressed.referee.resign(id, pressed.user)
            done = confirm.done("done-resign" if len(after.seats) == 2 or after.over else "done-leave", m=id)
        elif what == "draw":
            view = await pressed.referee.offer_draw(id, pressed.user)
            done = confirm.done("done-draw")
            await _tell_offer(pressed, view)
        else:
            raise Refused("expired-question")
    except Refused as refusal:
        if refusal.id in ("match-over", "match-stopped", "not-in-match"):
            raise Refused("expired-question") from refusal
        raise
    finally:
        pressed.services.publisher.wake(id)
    await pressed.answer.update(done)


async def _tell_offer(pressed: Press, view: MatchView) -> None:
    if view.draw is None:
        return
    others = [seat for seat in view.seats if seat.user and seat.seat not in view.draw.agreed and not seat.left]
    await pressed.services.publisher.consoles.offer_draw(view, others)


# --- again ------------------------------------------------------------------------------------------------


@gops.command(name="rematch", description="Same people, same rules, once more")
@app_commands.describe(match=MATCH)
@app_commands.autocomplete(match=complete_match)
async def rematch(interaction: discord.Interaction[Any], match: str | None = None) -> None:
    answer = Answer(interaction, private=False)

    async def work() -> None:
        referee = services_of(interaction).referee
        live = await referee.pick_finished(interaction.user.id, match, "rematch-live")
        await send_rematch(interaction, answer, live.stored.id)

    await answered(answer, work)
