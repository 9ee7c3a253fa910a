"""`/gops daily`: one try at today's deal, then its ranking, and the result that can be shared."""

from __future__ import annotations

from datetime import date
from functools import partial

from bot.errors import RefereeError
from bot.interactions.channel_checks import check_place, check_role, person_of
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared.console_pages import answer_privately
from bot.interactions.shared.practice import show_practice
from bot.interactions.shared.pressed_console import open_console
from bot.referee.model.participant import Place
from bot.referee.repository.live import Live
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Message
from bot.ui.screens.daily import render_ranking, render_share


@command("daily", "The daily deal: 7 cards, the same for everyone here, one try")
async def daily(context: InteractionContext) -> None:
    await play(context)


async def play(context: InteractionContext) -> None:
    """Begin today's deal, go on with it, or show its ranking."""
    context.answer.will_send()
    referee, guild = context.referee, context.guild
    check_role(await referee.deciding.load_settings(guild), context.author, asker=True)
    live, new = await referee.daily.begin(Place(guild, context.origin.channel), person_of(context.author))
    context.services.coach.find_best(referee.daily, guild, referee.daily.today())
    if new:
        await show_practice(context, live)
    elif live.stored.live:
        await open_console(context, await referee.views.view_live(live, context.user))
    else:
        await context.answer.send(await _make_ranking(context, live))


async def _make_ranking(context: InteractionContext, live: Live) -> Message:
    view = await context.referee.views.view_live(live, context.user)
    assert view.day is not None
    ranking = await context.referee.daily.rank(context.guild, view.day, context.user)
    return render_ranking(ranking, view.seen.rounds, context.referee.daily.today())


@component(learning_ids.HOME_DAILY)
@component(learning_ids.PLAY, on=MessageKind.SHARED)
async def play_from_button(context: InteractionContext) -> None:
    """Play today's deal, whatever day was shared."""
    await play(context)


@component(learning_ids.DAILY)
async def show_day(context: InteractionContext) -> None:
    """Show the ranking of a day, or the person's result to everyone."""
    day, what = learning_ids.read_daily(context.id_parts)
    if day is None:
        raise stale_button()
    live = await _find_try(context, day)
    if what == "ranking":
        context.services.coach.find_best(context.referee.daily, context.guild, day)
        view = await context.referee.views.view_live(live, context.user)
        await answer_privately(context, view, partial(_make_ranking, context, live))
    else:
        context.answer.will_send(private=False)
        await _share(context, day, live)


async def _find_try(context: InteractionContext, day: date) -> Live:
    """Return the match of the person's try; refuse a person without one."""
    tried = await context.referee.daily.find_try(context.guild, day, context.user)
    if tried is None:
        raise RefereeError("daily-first")
    return await context.referee.live(tried.match)


async def _share(context: InteractionContext, day: date, live: Live) -> None:
    """Save that the result is shared before it is posted, so that it is posted once."""
    await check_place(context)
    shares = context.referee.daily
    ranking = await shares.rank(context.guild, day, context.user)
    view = await context.referee.views.view_live(live, context.user)
    if ranking.own is None:
        raise RefereeError("daily-first")
    await shares.share(context.guild, day, context.user)
    posted = await context.answer.send(render_share(view, context.author.name, ranking, ranking.own), private=False)
    if posted is None:
        await shares.share(context.guild, day, context.user, shared=False)
