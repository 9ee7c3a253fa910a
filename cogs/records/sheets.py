"""The buttons of a sheet, and the list of seals of a live match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bot.interactions.client import GopsClient
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component, check_daily_spoiler, match_over_error
from bot.referee.model.people import SeatPause
from bot.referee.model.views import MatchView, SealView
from bot.ui.custom_ids import records_ids
from bot.ui.message import Button, Message, Row, Text, join_lines
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say
from cogs.records import sheet
from cogs.records.sheet import Form


def sheet_message(
    view: MatchView,
    record: dict[str, Any] | None,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
    noted: Sequence[SeatPause] = (),
) -> Message:
    """Return a page of the sheet, with the record as a file after the end."""
    data = json.dumps(record, ensure_ascii=False, indent=1).encode() if record is not None else None
    chosen: Form | None = "g" if form == "g" else "s" if form == "s" else None
    return sheet.sheet(view, deal=deal, page=page, form=chosen, public=public, record=data, noted=noted)


LINES = 20
"""Seals on a page."""


def seals_card(view: MatchView, seals: Sequence[SealView], page: int = 0) -> Message:
    """Return a page of seals, newest first, with what is public: that there is a seal, and its digits."""
    names = make_names(view)
    newest = list(reversed(seals))
    pages = max(1, -(-len(newest) // LINES))
    page = min(page, pages - 1)
    shown = newest[page * LINES : (page + 1) * LINES]
    title = say("seals-title", m=view.id)
    lines = [_line(view, seal, names) for seal in shown] or [say("seals-none")]
    text = join_lines(title, say("seals-opening", digits=view.opening), *lines, say("seals-foot"))
    row = Row(
        (
            Button(say("later"), records_ids.seals(view.id, max(page - 1, 0), "l"), enabled=page > 0),
            Button(say("earlier"), records_ids.seals(view.id, min(page + 1, pages - 1), "e"), enabled=page < pages - 1),
        )
    )
    return Message(body=(Text(text), row), essence=title)


def _line(view: MatchView, one: SealView, names: Names) -> str:
    number = f"{one.round + 1}{chr(ord('a') + one.sub - 1)}" if one.sub else f"{one.round + 1}"
    where = say("seals-where", r=number)
    if view.series.mode != "single":
        where = say("seals-where-deal", d=one.deal + 1, r=where)
    id = "seals-line-earlier" if one.state == "earlier" else "seals-line"
    return say(id, where=where, name=names[one.seat], digits=one.digest)


@board_component("sheet")
async def show_sheet(context: InteractionContext, view: MatchView) -> None:
    await context.answer.send(await _sheet(context, view))


async def _sheet(
    context: InteractionContext,
    view: MatchView,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
) -> Message:
    record = await context.referee.views.record(view.id) if view.over else None
    noted = await context.referee.pausing.list_pauses(view.id)
    return sheet_message(view, record, deal, page, form, public, noted)


@component(records_ids.SHEET)
async def turn_sheet(context: InteractionContext) -> None:
    """Show another page or form of a sheet."""
    id, deal, page, form, everyone = records_ids.read_sheet(context.id_parts)
    if everyone:
        context.answer.will_send(private=False)
    view = await context.referee.views.view(id, context.user)
    if everyone:
        context.referee.daily.check_shown(view.day)
        view = await context.referee.views.view(view.id)  # without what only this person may see
        await context.answer.send(await _sheet(context, view, deal, page, form, public=True), private=False)
    else:
        check_daily_spoiler(context, view)
        await context.answer.update(await _sheet(context, view, deal, page, form))


@component(records_ids.SEALS)
async def show_seals(context: InteractionContext) -> None:
    """Show every seal in full while the match is live; *Verify* shows them afterwards."""
    id, page = records_ids.read_seals(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    if view.over:
        raise match_over_error(view)
    await context.answer.update(seals_card(view, await context.referee.views.list_seals(id), page))


async def setup(bot: GopsClient) -> None:
    bot.add_components(show_sheet, turn_sheet, show_seals)
