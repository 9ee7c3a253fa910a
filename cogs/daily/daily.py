"""`/gops daily`: one try at today's deal, then its table, and the row that can be shared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from bot.engine.state import Round
from bot.errors import RefereeError
from bot.interactions.channel_checks import check_place, check_role, person_of
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared.practice import show_practice
from bot.interactions.shared.pressed_console import answer_above_console, open_console
from bot.referee.house.daily import Table
from bot.referee.model.daily import Score
from bot.referee.model.participant import Place
from bot.referee.repository.live import Live
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, GREEN, Button, Message, Node, Separator, Text, join_lines, make_row
from bot.ui.text.names import format_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_date

LINES = 10
"""Lines of the table."""

WON, TIED, LOST = "●", "◐", "○"


def daily_card(table: Table, rounds: Sequence[Round]) -> Message:
    """Return the private card of a day; `rounds` are the person's own."""
    title = say("daily-title", x=format_date(table.day))
    own, best = table.own, table.best
    if own is None:
        first = join_lines(title, say(f"daily-{table.uncounted}"))
    else:
        first = join_lines(title, say("daily-own", **_result_data(own, rounds)))
    if best is None:
        possible = say("daily-best-soon")
    elif own is not None and own.margin == best:
        possible = say("daily-best-yours")
    else:
        possible = say("daily-best", score=signed_margin(best))
    row_of_days = say("daily-streak", n=table.streak, k=table.longest) if table.streak else ""
    body: list[Node] = [Text(join_lines(first, possible, row_of_days)), Separator(), Text(_lines(table))]
    if own is not None:
        body.append(
            make_row(Button(say("daily-share"), learning_ids.daily(table.day, "share"), BLUE, enabled=not table.shared))
        )
    return Message(body=tuple(body), essence=title)


def shared_row(name: str, table: Table, own: Score, rounds: Sequence[Round]) -> Message:
    """Return the message for everybody: the result of each round, and no cards."""
    told = say("daily-shared-row", name=format_name(name), x=format_date(table.day), **_result_data(own, rounds))
    return Message(told, (make_row(Button(say("daily-play"), learning_ids.play(table.day), GREEN)),))


def _result_data(own: Score, rounds: Sequence[Round]) -> dict[str, str]:
    """Return a result in words: a mark for each round, the margin, and the counts for people who cannot see marks."""
    marks = "".join(map(_mark, rounds))
    tally = say("daily-tally", won=marks.count(WON), drawn=marks.count(TIED), lost=marks.count(LOST))
    return {"story": marks, "score": signed_margin(own.margin), "tally": tally}


def signed_margin(margin: int) -> str:
    return f"+{margin}" if margin > 0 else f"−{-margin}" if margin < 0 else "±0"


def _mark(played: Round) -> str:
    return WON if played.winners == (0,) else LOST if played.winners == (1,) else TIED


def _lines(table: Table) -> str:
    """Return the best lines, and the person's own line if it is further down."""
    scores = [score for at, score in enumerate(table.scores) if at < LINES or score == table.own]
    if not scores:
        return say("daily-nobody")
    return "\n".join(
        say(
            "daily-line",
            place=table.place(score),
            name=format_name(score.tried.name),
            score=signed_margin(score.margin),
        )
        for score in scores
    )


@command("daily", "Today's deal: seven cards, the same for everybody here, one try")
async def daily(context: InteractionContext) -> None:
    await play(context)


async def play(context: InteractionContext) -> None:
    """Begin today's deal, go on with it, or show its table."""
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
        await _send_table(context, live)


async def _send_table(context: InteractionContext, live: Live) -> None:
    view = await context.referee.views.view_live(live, context.user)
    assert view.day is not None
    table = await context.referee.daily.table(context.guild, view.day, context.user)
    await context.answer.send(daily_card(table, view.seen.rounds))


@component(learning_ids.HOME_DAILY)
@component(learning_ids.PLAY, on=MessageKind.SHARED)
async def play_from_button(context: InteractionContext) -> None:
    """Play today's deal, whatever day the shared row is of."""
    await play(context)


@component(learning_ids.DAILY)
async def show_day(context: InteractionContext) -> None:
    """Show the table of a day, or the person's row to everybody."""
    day, what = learning_ids.read_daily(context.id_parts)
    if day is None:
        raise stale_button()
    live = await _find_try(context, day)
    if what == "table":
        context.answer.will_send()
        context.services.coach.find_best(context.referee.daily, context.guild, day)
        await answer_above_console(context, live.stored.id, partial(_send_table, context, live))
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
    """Save that the row is shared before it is posted, so that it is posted once."""
    await check_place(context)
    shares = context.referee.daily
    table = await shares.table(context.guild, day, context.user)
    view = await context.referee.views.view_live(live, context.user)
    if table.own is None:
        raise RefereeError("daily-first")
    await shares.share(context.guild, day, context.user)
    posted = await context.answer.send(
        shared_row(context.author.name, table, table.own, view.seen.rounds), private=False
    )
    if posted is None:
        await shares.share(context.guild, day, context.user, shared=False)
