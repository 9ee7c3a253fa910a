"""`/gops daily`: one try at today's deal, then its table, and the row that can be shared."""

from __future__ import annotations

from datetime import date

from bot.errors import Refused
from bot.interactions.channel_checks import check_place, check_role, person_of
from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.component import On, press
from bot.interactions.context import Asked, stale
from bot.interactions.shared.consoles import keep_console_last, open_console
from bot.interactions.shared.practice import show_practice
from bot.referee.model.participant import Place
from bot.referee.repository.live import Live
from bot.ui.custom_ids import daily_ids, welcome_ids
from cogs.daily.daily_card import daily_card, shared_row


@command("daily", "Today's deal: seven cards, the same for everybody here, one try")
async def daily(asked: Asked) -> None:
    await play(asked)


async def play(asked: Asked) -> None:
    """Today's deal begins, goes on, or is over and has a table."""
    asked.answer.will_send()
    referee, guild = asked.referee, asked.guild
    check_role(await referee.store.guild(guild), asked.who, asker=True)
    live, new = await referee.daily.begin(Place(guild, asked.where.channel), person_of(asked.who))
    asked.services.coach.find_best(referee.daily, guild, referee.daily.today())
    if new:
        await show_practice(asked, live)
    elif live.stored.live:
        await open_console(asked, await referee.views.of_live(live, asked.user))
    else:
        await _send_table(asked, live)


async def _send_table(asked: Asked, live: Live) -> None:
    view = await asked.referee.views.of_live(live, asked.user)
    assert view.day is not None
    table = await asked.referee.daily.table(asked.guild, view.day, asked.user)
    await asked.answer.send(daily_card(table, view.seen.rounds))


@press(welcome_ids.HOME_DAILY)
async def played_from_home(asked: Asked) -> None:
    await play(asked)


@press(daily_ids.PLAY, on=On.SHARED)
async def played_too(asked: Asked) -> None:
    """Under a row that somebody shared; what is played is today's, whatever day that was."""
    await play(asked)


@press(daily_ids.DAILY)
async def daily_pressed(asked: Asked) -> None:
    """The table of a day, or one's own row for everybody."""
    day, what = daily_ids.read_daily(asked.parts)
    if day is None:
        raise stale()
    live = await _tried(asked, day)
    if what == "table":
        asked.answer.will_send()
        asked.services.coach.find_best(asked.referee.daily, asked.guild, day)
        await asked.answer.by_a_call()
        await _send_table(asked, live)
        await keep_console_last(asked, live.stored.id)
    else:
        asked.answer.will_send(private=False)
        await _share(asked, day, live)


async def _tried(asked: Asked, day: date) -> Live:
    """Of whoever pressed."""
    tried = await asked.referee.daily.tried(asked.guild, day, asked.user)
    if tried is None:
        raise Refused("daily-first")
    return await asked.referee.live(tried.match)


async def _share(asked: Asked, day: date, live: Live) -> None:
    """Noted before it is posted: it stands there once, whatever happens between."""
    await check_place(asked)
    shares = asked.referee.daily
    table = await shares.table(asked.guild, day, asked.user)
    view = await asked.referee.views.of_live(live, asked.user)
    if table.own is None:
        raise Refused("daily-first")
    await shares.share(asked.guild, day, asked.user)
    posted = await asked.answer.send(shared_row(asked.who.name, table, table.own, view.seen.rounds), private=False)
    if posted is None:
        await shares.share(asked.guild, day, asked.user, shared=False)


async def setup(bot: GopsClient) -> None:
    bot.offer(daily)
    bot.answer(daily_pressed, played_too, played_from_home)
